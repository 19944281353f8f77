// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums over the NVTX ranges of all processes, by domain, name and kind.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "gpuprof/report.hpp"
#include "timeline/duration_counts.hpp"

namespace gpuprof::timeline {

class RangeTable {
 public:
  enum class Kind : std::uint8_t { push_pop, start_end };

  // Programs that number their ranges would fill the report: names after this many share one row of their kind,
  // "(other names)" in the default domain.
  static constexpr std::size_t kMaxNames = 10'000;

  // What is known of one range when it is over.
  struct Range {
    std::uint64_t wall_ns = 0;
    std::uint64_t busy_ns = 0;
    std::uint64_t uncaptured_ns = 0;
    bool open = false;
    bool cross_thread = false;
  };

  // Rows are stable.
  std::uint32_t row(std::string_view domain, std::string_view name, Kind kind);

  void add(std::uint32_t row, const Range& range);
  void add_kernels(std::uint32_t row, std::uint64_t kernels, std::uint64_t time_ns);

  // By descending wall time, ties by domain, name and kind.
  std::vector<RangeReport> reports();

 private:
  struct Row {
    RangeReport sums;
    DurationCounts durations;
  };
  using Key = std::tuple<std::string, std::string, Kind>;

  std::uint32_t new_row(std::string_view domain, std::string_view name, Kind kind);

  std::map<Key, std::uint32_t, std::less<>> index_;
  std::map<Kind, std::uint32_t> others_;
  std::vector<Row> rows_;
};

}  // namespace gpuprof::timeline
