// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <optional>
#include <span>

#include "render/csv.hpp"
#include "render/kernel_order.hpp"
#include "render/metric_columns.hpp"
#include "render/render.hpp"

namespace gpuprof::render {
namespace {

const KernelReport& k(const RankedKernel& ranked) {
  return *ranked.kernel;
}

// An empty cell for a value that is not there.
std::string optional_number(const std::optional<double>& value) {
  return value ? csv_number(*value) : std::string();
}

const CsvColumn<RankedKernel> kColumns[] = {
    {"rank", [](const RankedKernel& r) { return csv_integer(r.rank); }},
    {"selected", [](const RankedKernel& r) { return std::string(k(r).selected ? "true" : "false"); }},
    {"short_name", [](const RankedKernel& r) { return csv_text(k(r).short_name); }},
    {"launches", [](const RankedKernel& r) { return csv_integer(k(r).launches); }},
    {"graph_launches", [](const RankedKernel& r) { return csv_integer(k(r).graph_launches); }},
    {"time_sum_ns", [](const RankedKernel& r) { return csv_integer(k(r).time.sum_ns); }},
    {"time_mean_ns", [](const RankedKernel& r) { return csv_number(k(r).time.mean_ns); }},
    {"time_median_ns", [](const RankedKernel& r) { return csv_integer(k(r).time.median_ns); }},
    {"time_p95_ns", [](const RankedKernel& r) { return csv_integer(k(r).time.p95_ns); }},
    {"time_min_ns", [](const RankedKernel& r) { return csv_integer(k(r).time.min_ns); }},
    {"time_max_ns", [](const RankedKernel& r) { return csv_integer(k(r).time.max_ns); }},
    {"time_stddev_ns", [](const RankedKernel& r) { return k(r).launches > 1 ? csv_number(k(r).time.stddev_ns) : ""; }},
    {"share", [](const RankedKernel& r) { return csv_number(k(r).share); }},
    {"running_share", [](const RankedKernel& r) { return csv_number(k(r).running_share); }},
    {"estimated_launches",
     [](const RankedKernel& r) {
       const auto& launches = k(r).estimated_launches;
       return launches ? csv_integer(*launches) : std::string();
     }},
    {"estimated_time_ns", [](const RankedKernel& r) { return optional_number(k(r).estimated_time_ns); }},
    {"estimated_time_error_ns", [](const RankedKernel& r) { return optional_number(k(r).estimated_time_error_ns); }},
    {"grid_x", [](const RankedKernel& r) { return csv_integer(k(r).key.grid.x); }},
    {"grid_y", [](const RankedKernel& r) { return csv_integer(k(r).key.grid.y); }},
    {"grid_z", [](const RankedKernel& r) { return csv_integer(k(r).key.grid.z); }},
    {"block_x", [](const RankedKernel& r) { return csv_integer(k(r).key.block.x); }},
    {"block_y", [](const RankedKernel& r) { return csv_integer(k(r).key.block.y); }},
    {"block_z", [](const RankedKernel& r) { return csv_integer(k(r).key.block.z); }},
    {"dynamic_shared_bytes", [](const RankedKernel& r) { return csv_integer(k(r).key.dynamic_shared_bytes); }},
    {"static_shared_bytes", [](const RankedKernel& r) { return csv_integer(k(r).static_shared_bytes); }},
    {"registers_per_thread", [](const RankedKernel& r) { return csv_integer(k(r).registers_per_thread); }},
    {"local_bytes_per_thread", [](const RankedKernel& r) { return csv_integer(k(r).local_bytes_per_thread); }},
    {"demangled_name", [](const RankedKernel& r) { return csv_text(k(r).demangled_name); }},
    {"mangled_name", [](const RankedKernel& r) { return csv_text(k(r).key.mangled_name); }},
    {"selection_reason", [](const RankedKernel& r) { return csv_text(k(r).selection_reason); }},
};

// Every metric that a kernel of the table has, with its unit.
std::map<std::string, std::string> metric_units(const std::vector<RankedKernel>& kernels) {
  std::map<std::string, std::string> units;
  for (const RankedKernel& ranked : kernels) {
    for (const auto& [name, value] : k(ranked).counters) units.emplace(name, value.unit);
  }
  return units;
}

}  // namespace

std::string kernels_csv(const Report& report, const KernelTable& table) {
  const std::vector<RankedKernel> kernels = ranked_kernels(report, table);
  const std::map<std::string, std::string> metrics = metric_units(kernels);
  const std::span<const CsvColumn<RankedKernel>> columns(kColumns);
  std::string out = csv_header(columns);
  for (const auto& [name, unit] : metrics) {
    out += "," + csv_text(unit.empty() ? name : name + " [" + unit + "]") + "," + csv_text(name + " n");
  }
  out += "\n";
  for (const RankedKernel& ranked : kernels) {
    std::string line = csv_line(columns, ranked);
    for (const auto& [name, unit] : metrics) {
      const CounterValue* value = measured(k(ranked), name);
      line += "," + (value ? csv_number(*value->mean) : "") + "," + (value ? csv_integer(value->n) : "");
    }
    out += line + "\n";
  }
  return out;
}

}  // namespace gpuprof::render
