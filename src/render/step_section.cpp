// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "base/units.hpp"
#include "render/lines.hpp"
#include "render/sections.hpp"

namespace gpuprof::render {
namespace {

constexpr std::size_t kMostSteps = 8;
constexpr std::size_t kMostRanges = 10;

std::string idle_share(const StepReport& step) {
  return step.time.mean_ns > 0 ? format_percent(step.mean_idle_ns / step.time.mean_ns) : "-";
}

std::string step_name(const StepReport& step, std::size_t width) {
  const bool kernels = step.source == "kernel_sequence";
  if (kernels) return "repeating kernels from " + distinguishing_kernel_name(step.name, width);
  return "NVTX range " + shorten_middle(printable(step.name), width);
}

std::string spread(const DurationStats& time) {
  return fmt::format("median {}, p95 {}, {}", format_duration(number(time.median_ns)),
                     format_duration(number(time.p95_ns)), duration_range(number(time.min_ns), number(time.max_ns)));
}

std::string one_step(const StepReport& step, const TextStyle& style) {
  return paragraph(Paint(style.color)(Emphasis::heading, "Steps") + "     ",
                   fmt::format("{} ({}): {}; {} idle in a step ({}), {} kernels", plural(step.count, "step"),
                               step_name(step, 40), spread(step.time), format_duration(step.mean_idle_ns),
                               idle_share(step), format_number(step.mean_kernels)),
                   10, style);
}

// Processes that repeat the same step, as the ranks of a job do: their medians as a range.
std::string several_steps(const std::vector<StepReport>& steps, const TextStyle& style) {
  const auto by_median = [](const StepReport& a, const StepReport& b) { return a.time.median_ns < b.time.median_ns; };
  const auto [fastest, slowest] = std::minmax_element(steps.begin(), steps.end(), by_median);
  std::uint64_t count = 0;
  std::uint64_t p95_ns = 0;
  double idle_ns = 0;
  double mean_ns = 0;
  bool same_name = true;
  for (const StepReport& step : steps) {
    count += step.count;
    p95_ns = std::max(p95_ns, step.time.p95_ns);
    idle_ns += step.mean_idle_ns;
    mean_ns += step.time.mean_ns;
    same_name &= step.name == slowest->name && step.source == slowest->source;
  }
  const std::string who =
      slowest->rank ? "rank " + std::to_string(*slowest->rank) : "process " + std::to_string(slowest->pid);
  std::vector<std::string> items = {plural(count, "step") + " of " + format_count(steps.size()) + " processes" +
                                    (same_name ? " (" + step_name(*slowest, 40) + ")" : "")};
  items.push_back("median " + duration_range(number(fastest->time.median_ns), number(slowest->time.median_ns)) +
                  ", slowest in " + who);
  items.push_back("p95 at most " + format_duration(number(p95_ns)));
  if (mean_ns > 0) items.push_back(format_percent(idle_ns / mean_ns) + " idle");
  return item_lines(Paint(style.color)(Emphasis::heading, "Steps") + "     ", items, "; ", 10, style);
}

std::string step_table(const std::vector<StepReport>& steps, const TextStyle& style) {
  std::vector<const StepReport*> order;
  for (const StepReport& step : steps) order.push_back(&step);
  std::stable_sort(order.begin(), order.end(),
                   [](const StepReport* a, const StepReport* b) { return a->time.median_ns > b->time.median_ns; });
  Table table({{"pid"},
               {"steps"},
               {"median"},
               {"p95"},
               {"min - max", Column::Align::right, true},
               {"idle"},
               {"idle%"},
               {"kernels", Column::Align::right, true}});
  for (const StepReport* step : order) {
    if (table.rows() == kMostSteps) break;
    table.add({std::to_string(step->pid), format_count(step->count), format_duration(number(step->time.median_ns)),
               format_duration(number(step->time.p95_ns)),
               duration_range(number(step->time.min_ns), number(step->time.max_ns)),
               format_duration(step->mean_idle_ns), percent_cell(step->mean_idle_ns / step->time.mean_ns),
               format_number(step->mean_kernels)});
  }
  return table_lines(table, style) + and_more(order.size(), table.rows(), style);
}

std::string range_name(const RangeReport& range) {
  const std::string name = range.name.empty() ? "(unnamed)" : printable(range.name);
  return range.domain.empty() ? name : printable(range.domain) + ": " + name;
}

// The name comes last and takes the room that the numbers leave.
std::string range_table(const Report& report, const TextStyle& style) {
  constexpr std::size_t kNarrowestName = 20;
  const Paint paint(style.color);
  Table table({{"wall"},
               {"count"},
               {"mean"},
               {"kernels", Column::Align::right, true},
               {"kernel time"},
               {"idle", Column::Align::right, true}});
  for (const RangeReport& range : report.ranges) {
    if (table.rows() == kMostRanges) break;
    table.add({format_duration(number(range.time.sum_ns)), format_count(range.count),
               format_duration(range.time.mean_ns), format_count(range.kernels),
               format_duration(number(range.kernel_time_ns)), format_duration(number(range.idle_ns))});
  }
  table.fit(style.width - 4 - kNarrowestName);
  const std::size_t room = style.width - std::min(style.width, table.width() + 4);
  std::string out = paint(Emphasis::dim, "  " + table.header(true) + "  range") + "\n";
  for (std::size_t i = 0; i < table.rows(); ++i) {
    out += "  " + table.line(i, true) + "  " + shorten_middle(range_name(report.ranges[i]), room) + "\n";
  }
  out += and_more(report.ranges.size(), table.rows(), style);
  return out +
         paragraph("  ",
                   "kernel time: of the kernels launched inside; idle: no device was busy. Nested ranges count in "
                   "each other.",
                   2, style, Emphasis::dim);
}

std::string nvtx_remarks(const NvtxReport& nvtx) {
  const std::pair<std::uint64_t, const char*> remarks[] = {
      {nvtx.open_ranges, "never closed: counted up to the end of their process"},
      {nvtx.cross_thread_ranges, "ended on another thread than they began on"},
      {nvtx.unmatched_pops, "pops without a push"},
      {nvtx.unmatched_ends, "ends without a start"},
      {nvtx.dropped, "calls not recorded"},
  };
  std::string text;
  for (const auto& [count, what] : remarks) {
    if (count > 0) text += (text.empty() ? "" : "; ") + format_count(count) + " " + what;
  }
  return text;
}

}  // namespace

std::string step_section(const Report& report, const TextStyle& style) {
  if (report.steps.empty()) return {};
  if (report.steps.size() == 1) return one_step(report.steps.front(), style);
  const std::string out = several_steps(report.steps, style);
  // The table of ranks says the rest.
  return report.job.ranks.size() > 1 ? out : out + step_table(report.steps, style);
}

std::string range_section(const Report& report, const TextStyle& style) {
  const NvtxReport& nvtx = report.nvtx;
  const std::string remarks = nvtx_remarks(nvtx);
  if (report.ranges.empty() && nvtx.events == 0 && remarks.empty()) return {};
  std::string out = Paint(style.color)(Emphasis::heading, "NVTX ranges") + "  ";
  out += report.ranges.empty() ? "none" : plural(report.ranges.size(), "name");
  if (nvtx.marks > 0) out += ", " + plural(nvtx.marks, "mark");
  out += "\n";
  if (!report.ranges.empty()) out += range_table(report, style);
  if (!remarks.empty()) out += paragraph("  ", remarks, 2, style, Emphasis::warning);
  return out;
}

}  // namespace gpuprof::render
