// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/nvtx_watch.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace gpuprof::collector {

void NvtxWatch::set(Target target) {
  const auto* copy = new Target(std::move(target));
  const std::lock_guard lock(mutex_);
  open_ = 0;
  open_ranges_.clear();
  target_.store(copy, std::memory_order_release);
}

bool NvtxWatch::matches(const Target& target, std::uint32_t domain, const NvtxText& name) {
  const bool in_domain = target.name_registered != 0 && target.domain == domain;
  if (name.bytes != nullptr) {
    return target.whole == name.bytes || (in_domain && target.name == name.bytes);
  }
  if (name.wide != nullptr) {
    const std::string bytes = to_bytes(name);
    return target.whole == bytes || (in_domain && target.name == bytes);
  }
  if (name.registered == 0) return false;
  return name.registered == target.whole_registered || (in_domain && name.registered == target.name_registered);
}

void NvtxWatch::opened(std::uint64_t range) {
  const std::lock_guard lock(mutex_);
  if (range != 0) open_ranges_.push_back(range);
  count(1);
}

void NvtxWatch::closed(std::uint64_t range) {
  const std::lock_guard lock(mutex_);
  if (range != 0) {
    const auto found = std::find(open_ranges_.begin(), open_ranges_.end(), range);
    if (found == open_ranges_.end()) return;
    open_ranges_.erase(found);
  }
  count(-1);
}

void NvtxWatch::count(int change) {
  const Target* target = target_.load(std::memory_order_relaxed);
  if (target == nullptr || open_ + change < 0) return;
  open_ += change;
  const bool first_opened = change > 0 && open_ == 1;
  const bool last_closed = change < 0 && open_ == 0;
  if (first_opened || last_closed) target->changed(target->user, first_opened);
}

void NvtxWatch::forget() {
  target_ = nullptr;
  // A thread that does not exist here may have held the lock.
  new (&mutex_) std::mutex;
  open_ = 0;
  new (&open_ranges_) std::vector<std::uint64_t>;
}

}  // namespace gpuprof::collector
