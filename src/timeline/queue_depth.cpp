// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/queue_depth.hpp"

#include <algorithm>
#include <functional>

namespace gpuprof::timeline {

// An operation j waits at the starts of a run of operations right before it: from the first one that started at or
// after j's launch up to j - 1. So it is noted down at the first of these, and the number of waiting operations follows
// from one start to the next: those noted there come in, and the operation that starts goes out. It is final when the
// operations behind it that could have been launched by then have come.

void QueueDepth::add(std::uint64_t launch_ns, std::uint64_t start_ns, std::uint64_t end_ns) {
  if (window_.empty()) window_.resize(kWindow);
  if (added_ - settled_ == kWindow) settle_oldest();
  while (!running_ends_.empty() && running_ends_.front() <= start_ns) {
    std::pop_heap(running_ends_.begin(), running_ends_.end(), std::greater<>{});
    running_ends_.pop_back();
  }
  entry(added_) = {start_ns, static_cast<std::uint32_t>(running_ends_.size() + 1), 0, added_};
  running_ends_.push_back(end_ns);
  std::push_heap(running_ends_.begin(), running_ends_.end(), std::greater<>{});

  const std::uint64_t first = first_start_from(std::min(launch_ns, start_ns));
  entry(added_).first_seen_by = first;
  if (first < added_) ++entry(first).launched_at;
  ++added_;
}

// Within the window, up to the operation that is being added; its start is not earlier than `time_ns`.
std::uint64_t QueueDepth::first_start_from(std::uint64_t time_ns) {
  std::uint64_t low = std::max(hint_, settled_);
  std::uint64_t high = low;
  std::uint64_t step = 1;
  // Brackets the result between low and high, in steps that double.
  while (high < added_ && entry(high).start_ns < time_ns) {
    low = high + 1;
    high = std::min(added_, high + step);
    step *= 2;
  }
  step = 1;
  while (low > settled_ && entry(low - 1).start_ns >= time_ns) {
    high = low - 1;
    low = low - settled_ > step ? low - step : settled_;
    step *= 2;
  }
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (entry(middle).start_ns < time_ns) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return hint_ = low;
}

void QueueDepth::settle_oldest() {
  const Entry& oldest = entry(settled_);
  if (oldest.first_seen_by < settled_) --waiting_;
  waiting_ += oldest.launched_at;
  const std::uint64_t depth = oldest.running + waiting_;
  sum_ += depth;
  max_ = std::max(max_, depth);
  ++settled_;
}

void QueueDepth::finish() {
  while (settled_ < added_) settle_oldest();
}

}  // namespace gpuprof::timeline
