// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/text.hpp"
#include "base/units.hpp"
#include "render/kernel_order.hpp"
#include "render/lines.hpp"
#include "render/metric_columns.hpp"
#include "render/sections.hpp"

namespace gpuprof::render {
namespace {

// A name column narrower than this tells kernels apart too badly: the name then gets a line of its own.
constexpr std::size_t kNarrowestName = 32;
constexpr std::size_t kNarrowestNameBesideShape = 48;
constexpr std::size_t kStackedIndent = 5;

std::string dimensions(const Dim3& d) {
  if (d.z != 1) return fmt::format("{},{},{}", d.x, d.y, d.z);
  if (d.y != 1) return fmt::format("{},{}", d.x, d.y);
  return fmt::format("{}", d.x);
}

std::string shape(const KernelReport& kernel) {
  return dimensions(kernel.key.grid) + " x " + dimensions(kernel.key.block);
}

std::string kernel_name(const KernelReport& kernel, std::size_t width) {
  const std::string& name = kernel.demangled_name.empty() ? kernel.key.mangled_name : kernel.demangled_name;
  return name.empty() ? "(unnamed)" : distinguishing_kernel_name(name, width);
}

// A reason for missing values, and the ranks of the kernels it applies to.
struct MissingReason {
  std::string reason;
  std::vector<std::uint64_t> ranks;
};

void add_rank(std::vector<MissingReason>& reasons, const std::string& reason, std::size_t rank) {
  auto entry = std::find_if(reasons.begin(), reasons.end(), [&](const MissingReason& r) { return r.reason == reason; });
  if (entry == reasons.end()) entry = reasons.insert(entry, {reason, {}});
  if (entry->ranks.empty() || entry->ranks.back() != rank) entry->ranks.push_back(rank);
}

std::vector<MetricColumn> shown_metrics(const std::vector<RankedKernel>& kernels) {
  std::vector<MetricColumn> shown;
  for (const MetricColumn& column : metric_columns()) {
    for (const RankedKernel& ranked : kernels) {
      if (!measured(*ranked.kernel, column.metric)) continue;
      shown.push_back(column);
      break;
    }
  }
  return shown;
}

Table number_table(const std::vector<RankedKernel>& kernels, const std::vector<MetricColumn>& metrics, bool by_time) {
  std::vector<Column> columns = {{"#"}, {"share%"}};
  if (by_time) columns.push_back({"cum.%"});
  columns.insert(columns.end(), {{"time"}, {"launches"}, {"mean"}});
  for (const MetricColumn& metric : metrics) columns.push_back({metric.title, Column::Align::right, true});
  Table table(columns);
  for (const auto& [kernel, rank] : kernels) {
    std::vector<std::string> row = {(kernel->selected ? "*" : "") + std::to_string(rank), percent_cell(kernel->share)};
    if (by_time) row.push_back(percent_cell(kernel->running_share));
    row.push_back(kernel->estimated_time_ns ? "~" + format_duration(*kernel->estimated_time_ns)
                                            : format_duration(number(kernel->time.sum_ns)));
    row.push_back(kernel->estimated_launches ? format_count(*kernel->estimated_launches)
                                             : format_count(kernel->launches));
    row.push_back(format_duration(kernel->time.mean_ns));
    for (const MetricColumn& metric : metrics) {
      const CounterValue* value = measured(*kernel, metric.metric);
      row.push_back(value ? fmt::format("{:.{}f}", *value->mean, metric.decimals) : "-");
    }
    table.add(std::move(row));
  }
  return table;
}

std::string selection_line(const Report& report) {
  const SelectionReport& selection = report.selection;
  if (selection.selected == 0) return "no kernel was selected for counters";
  std::string line =
      fmt::format("{} of {} selected (*), covering {} of the kernel time", format_count(selection.selected),
                  format_count(report.kernels.size()), format_percent(selection.coverage_reached));
  if (selection.rule == "top") return line + "; asked for: the first " + format_count(selection.top);
  line += "; asked for: " + format_percent(selection.coverage_target);
  if (selection.selected >= selection.cap && selection.coverage_reached < selection.coverage_target) {
    line += ", stopped at the limit of " + format_count(selection.cap) + " kernels";
  }
  return line;
}

// How the times with a "~" came about.
std::string estimate_note(const Report& report, const std::vector<RankedKernel>& kernels) {
  const bool any = std::any_of(kernels.begin(), kernels.end(),
                               [](const RankedKernel& ranked) { return ranked.kernel->estimated_time_ns.has_value(); });
  if (!any) return {};
  const Estimate estimate = estimated_kernel_time(report);
  std::string note = "~: estimated for the whole run, as the mean of the recorded launches times all launches";
  if (estimate.time_ns > 0) note += "; the sum is good to ± " + format_percent(estimate.error_ns / estimate.time_ns);
  return note + ". Shares are of the recorded part.";
}

std::string footnotes(const Report& report, const std::vector<RankedKernel>& kernels,
                      const std::vector<MetricColumn>& metrics, const TextStyle& style) {
  std::string out;
  std::string legend;
  for (const MetricColumn& metric : metrics) {
    legend += fmt::format("{}{}: {}", legend.empty() ? "" : "; ", metric.title, metric.meaning);
  }
  if (!legend.empty()) out += paragraph("  ", legend, 2, style, Emphasis::dim);
  // When no column has a value the reasons are still worth telling, but not for every kernel that was never chosen.
  const bool none_measured = metrics.empty() && report.counters.attempted && report.counters.unavailable_reason.empty();
  const std::span<const MetricColumn> wanted =
      none_measured ? metric_columns() : std::span<const MetricColumn>(metrics);
  std::vector<MissingReason> reasons;
  for (const auto& [kernel, rank] : kernels) {
    if (none_measured && !kernel->selected) continue;
    for (const MetricColumn& metric : wanted) {
      if (!measured(*kernel, metric.metric)) add_rank(reasons, missing_reason(report, *kernel, metric.metric), rank);
    }
  }
  std::string estimates = estimate_note(report, kernels);
  if (!estimates.empty()) out += paragraph("  ", estimates, 2, style, Emphasis::dim);
  for (const MissingReason& missing : reasons) {
    const std::string what = none_measured ? "no counters (kernel " : "- not measured (kernel ";
    out += paragraph("  ", what + number_list(missing.ranks) + "): " + missing.reason, 4, style, Emphasis::dim);
  }
  return out;
}

std::string no_kernels(const Report& report, const TextStyle& style) {
  const KernelLedger& ledger = report.ledger.kernels;
  std::string why;
  const auto& processes = report.processes;
  const bool no_cuda = !processes.empty() && std::none_of(processes.begin(), processes.end(),
                                                          [](const ProcessReport& p) { return p.used_cuda; });
  if (no_cuda) {
    why = "No kernels were recorded: the collector was loaded, but no process used CUDA.";
  } else if (!anything_profiled(report)) {
    why = "No kernels were recorded: no process of the program initialised CUDA with the collector loaded.";
  } else if (ledger.launched == 0) {
    why = "No kernels were recorded: the program launched none.";
  } else {
    why = "No kernels were recorded, although " + format_count(ledger.launched) +
          " were launched: the report's records say where they went.";
  }
  if (!report.notices.empty()) why += " See the notices below.";
  return paragraph("  ", why, 2, style);
}

std::string row_lines(const Table& table, std::size_t row, const KernelReport& kernel, bool stacked,
                      std::size_t shape_width, const TextStyle& style) {
  const Paint paint(style.color);
  if (!stacked) {
    std::string line = "  " + table.line(row, true) + "  ";
    if (shape_width > 0) line += pad_left(shape(kernel), shape_width) + "  ";
    return line + kernel_name(kernel, style.width - display_width(line)) + "\n";
  }
  const std::string tail = "  " + shape(kernel);
  const std::size_t width = style.width - kStackedIndent;
  const std::string name = kernel_name(kernel, width - std::min(width, display_width(tail)));
  return "  " + table.line(row) + "\n" + std::string(kStackedIndent, ' ') + name + paint(Emphasis::dim, tail) + "\n";
}

}  // namespace

std::string kernel_section(const Report& report, const KernelTable& options, const TextStyle& style) {
  const Paint paint(style.color);
  std::string out = paint(Emphasis::heading, "Hot kernels") + "\n";
  if (report.kernels.empty()) return out + no_kernels(report, style);
  const std::vector<RankedKernel> kernels = ranked_kernels(report, options);
  std::vector<MetricColumn> metrics = shown_metrics(kernels);
  Table table = number_table(kernels, metrics, options.order == KernelOrder::time);

  const std::size_t beside_name = 4 + table.width();
  const bool stacked = style.width < beside_name + kNarrowestName;
  std::size_t shape_width = std::string_view("grid x block").size();
  for (const RankedKernel& ranked : kernels) shape_width = std::max(shape_width, display_width(shape(*ranked.kernel)));
  if (stacked || style.width < beside_name + shape_width + 2 + kNarrowestNameBesideShape) shape_width = 0;
  const std::vector<std::string> dropped = stacked ? table.fit(style.width - 2) : std::vector<std::string>();
  metrics.resize(metrics.size() - dropped.size());

  out += paragraph("  ", selection_line(report), 2, style);
  std::string header = "  " + table.header(true);
  if (shape_width > 0) header += "  " + pad_left("grid x block", shape_width);
  header += stacked ? "" : "  kernel";
  out += paint(Emphasis::dim, header) + "\n";
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    out += row_lines(table, i, *kernels[i].kernel, stacked, shape_width, style);
  }
  if (kernels.size() < report.kernels.size()) {
    out += paint(Emphasis::dim,
                 "  and " + format_count(report.kernels.size() - kernels.size()) + " more: gpuprof kernels --top 0") +
           "\n";
  }
  out += footnotes(report, kernels, metrics, style);
  if (!dropped.empty()) {
    std::string names;
    for (auto name = dropped.rbegin(); name != dropped.rend(); ++name) names += (names.empty() ? "" : ", ") + *name;
    out += paragraph("  ", "Left out at this width: " + names + ".", 2, style, Emphasis::dim);
  }
  return out;
}

}  // namespace gpuprof::render
