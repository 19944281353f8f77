// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/duration_counts.hpp"

#include <algorithm>
#include <cmath>

namespace gpuprof::timeline {
namespace {

// 1-based rank of the q-quantile of n values in a sorted list, q in percent: ceil(q * n) in integers, because 0.95 * n
// in floating point can land just above a whole number.
std::uint64_t rank(std::uint64_t percent, std::uint64_t n) {
  return n / 100 * percent + (n % 100 * percent + 99) / 100;
}

}  // namespace

void DurationCounts::count_pending() {
  for (const std::uint64_t duration_ns : pending_) {
    if (2 * (distinct_ + 1) > slots_.size()) grow();
    Slot& slot = find(slots_, duration_ns);
    if (slot.count++ == 0) {
      slot.duration_ns = duration_ns;
      ++distinct_;
    }
  }
  pending_.clear();
}

void DurationCounts::grow() {
  std::vector<Slot> larger(slots_.empty() ? 4 : 2 * slots_.size());
  for (const Slot& slot : slots_) {
    if (slot.count != 0) find(larger, slot.duration_ns) = slot;
  }
  slots_.swap(larger);
}

DurationStats DurationCounts::stats() {
  count_pending();
  DurationStats stats;
  if (count_ == 0) return stats;
  std::vector<Slot> sorted;
  sorted.reserve(distinct_);
  std::copy_if(slots_.begin(), slots_.end(), std::back_inserter(sorted),
               [](const Slot& slot) { return slot.count != 0; });
  std::sort(sorted.begin(), sorted.end(),
            [](const Slot& left, const Slot& right) { return left.duration_ns < right.duration_ns; });

  stats.sum_ns = sum_ns_;
  stats.mean_ns = static_cast<double>(sum_ns_) / static_cast<double>(count_);
  stats.min_ns = sorted.front().duration_ns;
  stats.max_ns = sorted.back().duration_ns;
  const std::uint64_t median_rank = rank(50, count_);
  const std::uint64_t p95_rank = rank(95, count_);
  std::uint64_t seen = 0;
  double squares = 0;
  for (const Slot& slot : sorted) {
    const std::uint64_t before = seen;
    seen += slot.count;
    if (before < median_rank && median_rank <= seen) stats.median_ns = slot.duration_ns;
    if (before < p95_rank && p95_rank <= seen) stats.p95_ns = slot.duration_ns;
    const double difference = static_cast<double>(slot.duration_ns) - stats.mean_ns;
    squares += difference * difference * static_cast<double>(slot.count);
  }
  if (count_ > 1) stats.stddev_ns = std::sqrt(squares / static_cast<double>(count_ - 1));
  return stats;
}

}  // namespace gpuprof::timeline
