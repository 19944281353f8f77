// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// From the start of a launching call to the start of its work.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "gpuprof/timeline.hpp"
#include "timeline/duration_counts.hpp"
#include "trace/event_stream.hpp"

namespace gpuprof::timeline {

class LaunchLatency {
 public:
  void add(const trace::Operation& operation) {
    if (operation.launch == nullptr) return;
    if (operation.graph != 0 && !first_of_launch(operation.correlation)) return;
    ++timed_;
    if (operation.start_ns < operation.launch->start_ns) {
      ++negative_;
      return;
    }
    const std::uint64_t latency_ns = operation.start_ns - operation.launch->start_ns;
    sum_ns_ += latency_ns;
    min_ns_ = std::min(min_ns_, latency_ns);
    max_ns_ = std::max(max_ns_, latency_ns);
    counts_.add(rounded(latency_ns));
  }

  void report(DeviceTimeline& row) {
    row.launches_timed = timed_;
    row.negative_latencies = negative_;
    row.launch_latency = counts_.stats();
    if (counts_.count() == 0) return;
    row.launch_latency.sum_ns = sum_ns_;
    row.launch_latency.mean_ns = static_cast<double>(sum_ns_) / static_cast<double>(counts_.count());
    row.launch_latency.min_ns = min_ns_;
    row.launch_latency.max_ns = max_ns_;
  }

 private:
  // Latencies differ in every nanosecond, up to how long a full launch queue takes, so equal ones are rare and counting
  // them would take memory with every launch. Twelve significant bits are kept: quantiles are off by at most 1/4096.
  static std::uint64_t rounded(std::uint64_t latency_ns) {
    const int dropped = std::max(0, static_cast<int>(std::bit_width(latency_ns)) - 12);
    if (dropped == 0) return latency_ns;
    return (latency_ns >> dropped << dropped) + (std::uint64_t{1} << (dropped - 1));
  }

  // Operations of one graph launch share their correlation, and those of the next may start before the last of these.
  bool first_of_launch(std::uint32_t correlation) {
    std::uint32_t& seen = graph_launches_[correlation % graph_launches_.size()];
    const bool first = seen != correlation;
    seen = correlation;
    return first;
  }

  std::array<std::uint32_t, 1024> graph_launches_{};  // the newest ones by correlation
  DurationCounts counts_;
  std::uint64_t timed_ = 0;
  std::uint64_t negative_ = 0;
  std::uint64_t sum_ns_ = 0;
  std::uint64_t min_ns_ = ~std::uint64_t{0};
  std::uint64_t max_ns_ = 0;
};

}  // namespace gpuprof::timeline
