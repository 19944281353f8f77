// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums over the records of all processes: kernels by key, copies by kind and memories.

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "gpuprof/report.hpp"
#include "gpuprof/trace.hpp"
#include "timeline/duration_counts.hpp"

namespace gpuprof::timeline {

class KernelTable {
 public:
  // The row for launches of this shape, whose name is `mangled_name`. Rows are stable.
  std::size_t row(const trace::KernelShape& shape, std::string_view mangled_name);

  void add(std::size_t row, std::uint64_t duration_ns, bool from_graph) {
    rows_[row].durations.add(duration_ns);
    rows_[row].graph_launches += from_graph ? 1 : 0;
  }

  // Keys with at least one launch, by descending total time, ties by key, with shares.
  std::vector<KernelReport> reports();

 private:
  struct Row {
    const KernelKey* key;
    trace::KernelShape shape;  // of the first launch with this key
    DurationCounts durations;
    std::uint64_t graph_launches = 0;
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

  // Copy kind (kMemset for sets), source memory, destination memory.
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  static constexpr std::uint32_t kMemset = 0xffffffff;

  static void count(Sum& sum, std::uint64_t bytes, std::uint64_t start_ns, std::uint64_t end_ns, bool timed);

  std::map<Key, Sum> sums_;
  std::uint64_t copied_bytes_ = 0;
  std::uint64_t copy_time_ns_ = 0;
};

}  // namespace gpuprof::timeline
