// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How many operations of a device had been launched, but were not finished, whenever one of them started.

#include <cstdint>
#include <vector>

namespace gpuprof::timeline {

class QueueDepth {
 public:
  // Operations in order of their start. `launch_ns` later than `start_ns` counts as the start. Constant time but for
  // finding the first start after `launch_ns`, which is searched near that of the operation before.
  void add(std::uint64_t launch_ns, std::uint64_t start_ns, std::uint64_t end_ns);

  // After the last add().
  void finish();

  std::uint64_t operations() const { return added_; }
  double mean() const { return added_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(added_); }
  std::uint64_t max() const { return max_; }

 private:
  // An operation sees at most this many of those behind it: no launch queue is longer.
  static constexpr std::uint64_t kWindow = std::uint64_t{1} << 15;

  struct Entry {
    std::uint64_t start_ns = 0;
    std::uint32_t running = 0;      // started and not finished at its start, itself included
    std::uint32_t launched_at = 0;  // operations behind it that were launched when this one had been the next to start
    std::uint64_t first_seen_by = 0;  // the first operation that started after this one was launched
  };

  Entry& entry(std::uint64_t index) { return window_[index % kWindow]; }
  std::uint64_t first_start_from(std::uint64_t time_ns);
  void settle_oldest();

  std::vector<Entry> window_;
  std::vector<std::uint64_t> running_ends_;  // a heap, the earliest first
  std::uint64_t added_ = 0;
  std::uint64_t settled_ = 0;
  std::uint64_t waiting_ = 0;  // operations that waited when the newest settled one started
  std::uint64_t hint_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace gpuprof::timeline
