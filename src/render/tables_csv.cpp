// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "render/csv.hpp"
#include "render/render.hpp"

namespace gpuprof::render {
namespace {

const CsvColumn<CopyReport> kCopyColumns[] = {
    {"kind", [](const CopyReport& c) { return csv_text(c.kind); }},
    {"source_memory", [](const CopyReport& c) { return csv_text(c.source_memory); }},
    {"destination_memory", [](const CopyReport& c) { return csv_text(c.destination_memory); }},
    {"count", [](const CopyReport& c) { return csv_integer(c.count); }},
    {"size_bytes", [](const CopyReport& c) { return csv_integer(c.bytes); }},
    {"time_sum_ns", [](const CopyReport& c) { return csv_integer(c.time.sum_ns); }},
    {"time_mean_ns", [](const CopyReport& c) { return csv_number(c.time.mean_ns); }},
    {"time_median_ns", [](const CopyReport& c) { return csv_integer(c.time.median_ns); }},
    {"time_p95_ns", [](const CopyReport& c) { return csv_integer(c.time.p95_ns); }},
    {"time_min_ns", [](const CopyReport& c) { return csv_integer(c.time.min_ns); }},
    {"time_max_ns", [](const CopyReport& c) { return csv_integer(c.time.max_ns); }},
    {"time_stddev_ns", [](const CopyReport& c) { return c.count > 1 ? csv_number(c.time.stddev_ns) : std::string(); }},
    {"rate_bytes_per_second",
     [](const CopyReport& c) {
       const auto bytes = static_cast<double>(c.bytes);
       return c.time.sum_ns == 0 ? std::string() : csv_number(bytes / static_cast<double>(c.time.sum_ns) * 1e9);
     }},
};

const CsvColumn<RangeReport> kRangeColumns[] = {
    {"domain", [](const RangeReport& r) { return csv_text(r.domain); }},
    {"name", [](const RangeReport& r) { return csv_text(r.name); }},
    {"kind", [](const RangeReport& r) { return csv_text(r.kind); }},
    {"count", [](const RangeReport& r) { return csv_integer(r.count); }},
    {"open", [](const RangeReport& r) { return csv_integer(r.open); }},
    {"cross_thread", [](const RangeReport& r) { return csv_integer(r.cross_thread); }},
    {"time_sum_ns", [](const RangeReport& r) { return csv_integer(r.time.sum_ns); }},
    {"time_mean_ns", [](const RangeReport& r) { return csv_number(r.time.mean_ns); }},
    {"time_median_ns", [](const RangeReport& r) { return csv_integer(r.time.median_ns); }},
    {"time_p95_ns", [](const RangeReport& r) { return csv_integer(r.time.p95_ns); }},
    {"time_min_ns", [](const RangeReport& r) { return csv_integer(r.time.min_ns); }},
    {"time_max_ns", [](const RangeReport& r) { return csv_integer(r.time.max_ns); }},
    {"time_stddev_ns", [](const RangeReport& r) { return r.count > 1 ? csv_number(r.time.stddev_ns) : std::string(); }},
    {"kernels", [](const RangeReport& r) { return csv_integer(r.kernels); }},
    {"kernel_time_ns", [](const RangeReport& r) { return csv_integer(r.kernel_time_ns); }},
    {"overlapping_busy_ns", [](const RangeReport& r) { return csv_integer(r.overlapping_busy_ns); }},
    {"idle_ns", [](const RangeReport& r) { return csv_integer(r.idle_ns); }},
};

}  // namespace

std::string copies_csv(const Report& report) {
  return csv_table<CopyReport>(kCopyColumns, report.copies);
}

std::string ranges_csv(const Report& report) {
  return csv_table<RangeReport>(kRangeColumns, report.ranges);
}

}  // namespace gpuprof::render
