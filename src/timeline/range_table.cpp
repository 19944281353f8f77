// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/range_table.hpp"

#include <algorithm>
#include <utility>

namespace gpuprof::timeline {

std::uint32_t RangeTable::new_row(std::string_view domain, std::string_view name, Kind kind) {
  Row& row = rows_.emplace_back();
  row.sums.domain = domain;
  row.sums.name = name;
  row.sums.kind = kind == Kind::push_pop ? "push_pop" : "start_end";
  return static_cast<std::uint32_t>(rows_.size() - 1);
}

std::uint32_t RangeTable::row(std::string_view domain, std::string_view name, Kind kind) {
  if (const auto known = index_.find(std::make_tuple(domain, name, kind)); known != index_.end()) return known->second;
  if (index_.size() < kMaxNames) {
    const std::uint32_t row = new_row(domain, name, kind);
    index_.emplace(Key{domain, name, kind}, row);
    return row;
  }
  if (const auto other = others_.find(kind); other != others_.end()) return other->second;
  return others_.emplace(kind, new_row("", "(other names)", kind)).first->second;
}

void RangeTable::add(std::uint32_t row, const Range& range) {
  Row& to = rows_[row];
  ++to.sums.count;
  to.sums.open += range.open ? 1 : 0;
  to.sums.cross_thread += range.cross_thread ? 1 : 0;
  to.sums.overlapping_busy_ns += range.busy_ns;
  const std::uint64_t known_ns = range.busy_ns + range.uncaptured_ns;
  to.sums.idle_ns += range.wall_ns > known_ns ? range.wall_ns - known_ns : 0;
  to.durations.add(range.wall_ns);
}

void RangeTable::add_kernels(std::uint32_t row, std::uint64_t kernels, std::uint64_t time_ns) {
  rows_[row].sums.kernels += kernels;
  rows_[row].sums.kernel_time_ns += time_ns;
}

std::vector<RangeReport> RangeTable::reports() {
  std::vector<RangeReport> reports;
  reports.reserve(rows_.size());
  for (Row& row : rows_) {
    if (row.sums.count == 0) continue;
    row.sums.time = row.durations.stats();
    reports.push_back(row.sums);
  }
  std::sort(reports.begin(), reports.end(), [](const RangeReport& left, const RangeReport& right) {
    if (left.time.sum_ns != right.time.sum_ns) return left.time.sum_ns > right.time.sum_ns;
    return std::tie(left.domain, left.name, left.kind) < std::tie(right.domain, right.name, right.kind);
  });
  return reports;
}

}  // namespace gpuprof::timeline
