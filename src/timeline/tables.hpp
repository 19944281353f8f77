// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums over the records of all processes: kernels by key, copies by kind and memories.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "gpuprof/report.hpp"
#include "gpuprof/trace.hpp"
#include "timeline/duration_counts.hpp"

namespace gpuprof::timeline {

// What a kernel counts for: the time of all its launches, estimated where not all of them were recorded.
inline double total_time_ns(const KernelReport& kernel) {
  return kernel.estimated_time_ns.value_or(static_cast<double>(kernel.time.sum_ns));
}

class KernelTable {
 public:
  // The row for launches of this shape, whose name is `mangled_name`. Rows are stable.
  std::size_t row(const trace::KernelShape& shape, std::string_view mangled_name);

  void add(std::size_t row, std::uint64_t duration_ns, bool from_graph) {
    rows_[row].durations.add(duration_ns);
    rows_[row].graph_launches += from_graph ? 1 : 0;
  }

  // Launches that were counted while nothing was recorded. May be an estimate itself, so it need not be whole.
  void add_uncaptured(std::size_t row, double launches) { rows_[row].uncaptured += launches; }

  // Keys with at least one stored launch, by descending total time, ties by key, with shares. With `estimate` the total
  // time is that of all launches: the mean of the stored ones times the number of all, with the standard error of the
  // mean times the number of those not stored. A single stored launch has no known spread, so it gives no error.
  std::vector<KernelReport> reports(bool estimate = false);

  // Keys that were launched, but only while nothing was recorded.
  struct NeverRecorded {
    std::string short_name;
    double launches = 0;
  };
  std::vector<NeverRecorded> never_recorded() const;  // by descending launches

 private:
  struct Row {
    const KernelKey* key;
    trace::KernelShape shape;  // of the first launch with this key; of a counted one only what the key holds
    DurationCounts durations;
    std::uint64_t graph_launches = 0;
    double uncaptured = 0;
  };

  std::map<KernelKey, std::size_t> index_;
  std::vector<Row> rows_;
};

class CopyTable {
 public:
  // `timed` says whether the stamps give a duration; copies without one are counted, and left out of the times.
  void add(const trace::Copy& copy, bool timed);
  void add(const trace::Set& set, bool timed);

  // By descending total time, ties by kind and memories.
  std::vector<CopyReport> reports();

  std::uint64_t copied_bytes() const { return copied_bytes_; }
  std::uint64_t copy_time_ns() const { return copy_time_ns_; }

 private:
  struct Sum {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    DurationCounts durations;
  };

  // Copy kind (kMemset for sets), source and destination memory, and the devices of a copy between two, plus 1.
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  static constexpr std::uint32_t kMemset = 0xffffffff;

  static void count(Sum& sum, std::uint64_t bytes, std::uint64_t start_ns, std::uint64_t end_ns, bool timed);

  std::map<Key, Sum> sums_;
  std::uint64_t copied_bytes_ = 0;
  std::uint64_t copy_time_ns_ = 0;
};

}  // namespace gpuprof::timeline
