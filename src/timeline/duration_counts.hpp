// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Durations of equal launches, kept as counts of distinct values: exact quantiles in memory that grows with the number of
// different durations, not with the number of launches.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpuprof/kernel.hpp"

namespace gpuprof::timeline {

class DurationCounts {
 public:
  void add(std::uint64_t duration_ns) {
    if (2 * (distinct_ + 1) > slots_.size()) grow();
    Slot& slot = find(slots_, duration_ns);
    if (slot.count++ == 0) {
      slot.duration_ns = duration_ns;
      ++distinct_;
    }
    ++count_;
    sum_ns_ += duration_ns;
  }

  std::uint64_t count() const { return count_; }
  std::uint64_t sum_ns() const { return sum_ns_; }

  // Takes time proportional to the distinct durations, sorted.
  DurationStats stats() const;

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

  void grow();

  std::vector<Slot> slots_;
  std::size_t distinct_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t sum_ns_ = 0;
};

}  // namespace gpuprof::timeline
