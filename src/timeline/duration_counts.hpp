// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Durations of equal launches, kept as counts of distinct values: exact quantiles in memory that grows with the number
// of different durations, not with the number of launches.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpuprof/kernel.hpp"

namespace gpuprof::timeline {

class DurationCounts {
 public:
  void add(std::uint64_t duration_ns) {
    pending_.push_back(duration_ns);
    ++count_;
    sum_ns_ += duration_ns;
    if (pending_.size() >= kPending) count_pending();
  }

  std::uint64_t count() const { return count_; }
  std::uint64_t sum_ns() const { return sum_ns_; }

  // Takes the time to sort the distinct durations.
  DurationStats stats();

 private:
  struct Slot {
    std::uint64_t duration_ns = 0;
    std::uint64_t count = 0;  // 0: free
  };

  // The slot that holds the duration, or the free one where it belongs.
  static Slot& find(std::vector<Slot>& slots, std::uint64_t duration_ns) {
    const std::size_t mask = slots.size() - 1;
    // Fibonacci hashing: the high half of the product mixes all bits of the factor.
    std::size_t position = (duration_ns * 0x9e3779b97f4a7c15U >> 32) & mask;
    while (slots[position].count != 0 && slots[position].duration_ns != duration_ns) position = (position + 1) & mask;
    return slots[position];
  }

  void count_pending();
  void grow();

  // Launches of many kernels alternate, and each touch of another kernel's table is a cache miss; counting a handful of
  // durations at a time doubles the speed with 200 kernels.
  static constexpr std::size_t kPending = 128;

  std::vector<std::uint64_t> pending_;  // added, but not in slots_ yet
  std::vector<Slot> slots_;
  std::size_t distinct_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t sum_ns_ = 0;
};

}  // namespace gpuprof::timeline
