// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "export/perfetto_lanes.hpp"

#include <algorithm>

namespace gpuprof::perfetto {

std::size_t Lanes::place(std::uint64_t start_ns, std::uint64_t end_ns) {
  while (!busy_.empty() && busy_.top().end_ns <= start_ns) {
    free_.push(busy_.top().lane);
    busy_.pop();
  }
  const std::size_t lane = open();
  busy_.push({end_ns, lane});
  return lane;
}

std::size_t Lanes::open() {
  if (free_.empty()) return count_++;
  const std::size_t lane = free_.top();
  free_.pop();
  return lane;
}

void NestedSlices::add(const Slice& slice) {
  if (held_count_ > 0 && held_[0].slice.start_ns != slice.start_ns) flush();
  if (held_count_ == held_.size()) held_.emplace_back();
  Held& held = held_[held_count_++];
  held.slice = slice;
  held.annotations = slice.annotations;
}

void NestedSlices::flush() {
  const auto end = held_.begin() + static_cast<std::ptrdiff_t>(held_count_);
  if (held_count_ > 1) {
    std::stable_sort(held_.begin(), end, [](const Held& a, const Held& b) { return a.slice.end_ns > b.slice.end_ns; });
  }
  for (auto held = held_.begin(); held != end; ++held) {
    Slice& slice = held->slice;
    slice.annotations = held->annotations;
    while (!open_ends_ns_.empty() && open_ends_ns_.back() <= slice.start_ns) open_ends_ns_.pop_back();
    if (!open_ends_ns_.empty() && slice.end_ns > open_ends_ns_.back()) {
      write_(1 + others_.place(slice.start_ns, slice.end_ns), slice);
      continue;
    }
    open_ends_ns_.push_back(slice.end_ns);
    write_(0, slice);
  }
  held_count_ = 0;
}

}  // namespace gpuprof::perfetto
