// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "base/text.hpp"
#include "render/kernel_order.hpp"
#include "render/metric_columns.hpp"
#include "render/render.hpp"

namespace gpuprof::render {
namespace {

std::string quoted_if_needed(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) out.append(c == '"' ? 2 : 1, c);
  return out + '"';
}

// Text from the program. Spreadsheets take a cell that starts with one of these characters for a formula.
std::string text_field(const std::string& bytes) {
  std::string text = to_valid_utf8(bytes);
  if (!text.empty() && std::string_view("=+-@\t\r\n").find(text.front()) != std::string_view::npos) text.insert(0, "'");
  return quoted_if_needed(text);
}

// The shortest text that reads back as the same number; empty when there is none.
std::string number_field(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

struct TextColumn {
  const char* title;
  std::string (*cell)(const RankedKernel&);
};

const KernelReport& k(const RankedKernel& ranked) {
  return *ranked.kernel;
}

template <typename T>
std::string integer(T value) {
  return fmt::format("{}", value);
}

const TextColumn kColumns[] = {
    {"rank", [](const RankedKernel& r) { return integer(r.rank); }},
    {"selected", [](const RankedKernel& r) { return std::string(k(r).selected ? "true" : "false"); }},
    {"short_name", [](const RankedKernel& r) { return text_field(k(r).short_name); }},
    {"launches", [](const RankedKernel& r) { return integer(k(r).launches); }},
    {"graph_launches", [](const RankedKernel& r) { return integer(k(r).graph_launches); }},
    {"time_sum_ns", [](const RankedKernel& r) { return integer(k(r).time.sum_ns); }},
    {"time_mean_ns", [](const RankedKernel& r) { return number_field(k(r).time.mean_ns); }},
    {"time_median_ns", [](const RankedKernel& r) { return integer(k(r).time.median_ns); }},
    {"time_p95_ns", [](const RankedKernel& r) { return integer(k(r).time.p95_ns); }},
    {"time_min_ns", [](const RankedKernel& r) { return integer(k(r).time.min_ns); }},
    {"time_max_ns", [](const RankedKernel& r) { return integer(k(r).time.max_ns); }},
    {"time_stddev_ns",
     [](const RankedKernel& r) { return k(r).launches > 1 ? number_field(k(r).time.stddev_ns) : ""; }},
    {"share", [](const RankedKernel& r) { return number_field(k(r).share); }},
    {"running_share", [](const RankedKernel& r) { return number_field(k(r).running_share); }},
    {"grid_x", [](const RankedKernel& r) { return integer(k(r).key.grid.x); }},
    {"grid_y", [](const RankedKernel& r) { return integer(k(r).key.grid.y); }},
    {"grid_z", [](const RankedKernel& r) { return integer(k(r).key.grid.z); }},
    {"block_x", [](const RankedKernel& r) { return integer(k(r).key.block.x); }},
    {"block_y", [](const RankedKernel& r) { return integer(k(r).key.block.y); }},
    {"block_z", [](const RankedKernel& r) { return integer(k(r).key.block.z); }},
    {"dynamic_shared_bytes", [](const RankedKernel& r) { return integer(k(r).key.dynamic_shared_bytes); }},
    {"static_shared_bytes", [](const RankedKernel& r) { return integer(k(r).static_shared_bytes); }},
    {"registers_per_thread", [](const RankedKernel& r) { return integer(k(r).registers_per_thread); }},
    {"local_bytes_per_thread", [](const RankedKernel& r) { return integer(k(r).local_bytes_per_thread); }},
    {"demangled_name", [](const RankedKernel& r) { return text_field(k(r).demangled_name); }},
    {"mangled_name", [](const RankedKernel& r) { return text_field(k(r).key.mangled_name); }},
    {"selection_reason", [](const RankedKernel& r) { return text_field(k(r).selection_reason); }},
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
  std::string out;
  for (const TextColumn& column : kColumns) out += (out.empty() ? "" : ",") + std::string(column.title);
  for (const auto& [name, unit] : metrics) {
    out += "," + text_field(unit.empty() ? name : name + " [" + unit + "]") + "," + text_field(name + " n");
  }
  out += "\n";
  for (const RankedKernel& ranked : kernels) {
    std::string line;
    for (const TextColumn& column : kColumns) line += (line.empty() ? "" : ",") + column.cell(ranked);
    for (const auto& [name, unit] : metrics) {
      const CounterValue* value = measured(k(ranked), name);
      line += "," + (value ? number_field(*value->mean) : "") + "," + (value ? integer(value->n) : "");
    }
    out += line + "\n";
  }
  return out;
}

}  // namespace gpuprof::render
