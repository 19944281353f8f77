// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "base/units.hpp"
#include "render/lines.hpp"
#include "render/metric_columns.hpp"
#include "render/sections.hpp"
#include "render/table.hpp"

namespace gpuprof::render {
namespace {

// "3 untimed, 1 negative": the classes of invalid records that occur. `Books` is KernelLedger or RecordClasses.
template <typename Books>
std::string invalid_classes(const Books& books) {
  const std::pair<std::uint64_t, const char*> classes[] = {{books.untimed, "untimed"},
                                                           {books.unfinished, "unfinished"},
                                                           {books.negative, "ending before they start"},
                                                           {books.wrong_clock, "outside the process's lifetime"}};
  std::string out;
  for (const auto& [count, name] : classes) {
    if (count > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", format_count(count), name);
  }
  return out;
}

// Records of other kinds that are not in the sums.
std::string other_classes(const Ledger& ledger, const TextStyle& style) {
  std::string out;
  for (const RecordClasses& records : ledger.records) {
    const std::string invalid = invalid_classes(records);
    if (records.kind == "kernels" || invalid.empty()) continue;
    std::string kind = printable(records.kind);
    std::replace(kind.begin(), kind.end(), '_', ' ');
    out += paragraph(std::string(10, ' '),
                     fmt::format("{}: {} stored, not counted: {}", kind, format_count(records.stored), invalid), 10,
                     style, Emphasis::warning);
  }
  return out;
}

std::string clock_jumps(const Ledger& ledger, const TextStyle& style) {
  constexpr std::size_t kMostProcesses = 4;
  std::string out;
  std::size_t jumped = 0;
  for (const ClockReport& clock : ledger.clocks) {
    if (clock.jumps == 0 || ++jumped > kMostProcesses) continue;
    out += paragraph(
        std::string(10, ' '),
        fmt::format("the host clock of process {} jumped {}, the farthest by {}: times across a jump are wrong",
                    clock.pid, clock.jumps == 1 ? "once" : format_count(clock.jumps) + " times",
                    format_duration(static_cast<double>(clock.largest_jump_ns))),
        10, style, Emphasis::warning);
  }
  if (jumped > kMostProcesses) {
    out += std::string(10, ' ') + "and of " + format_count(jumped - kMostProcesses) + " more processes\n";
  }
  return out;
}

}  // namespace

bool anything_profiled(const Report& report) {
  std::uint64_t processes = report.processes.size();
  for (const StageReport& stage : report.stages) processes += stage.processes;
  return processes > 0;
}

std::string counter_section(const Report& report, const TextStyle& style) {
  const Paint paint(style.color);
  const CountersReport& counters = report.counters;
  const std::string label = paint(Emphasis::heading, "Counters") + "  ";
  if (!counters.unavailable_reason.empty()) {
    return paragraph(label, "not measured: " + printable(counters.unavailable_reason), 10, style);
  }
  if (!counters.attempted) return paragraph(label, "not measured: the counters stage was not run", 10, style);
  std::string text = fmt::format("tier {} on {}; {} in {}", printable(counters.tier),
                                 counters.chip.empty() ? "an unknown chip" : printable(counters.chip),
                                 plural(counters.groups.size(), "group"), plural(counters.windows, "window"));
  if (counters.windows_discarded > 0) text += ", of which " + format_count(counters.windows_discarded) + " discarded";
  text +=
      fmt::format("; {} measured; windows open for {}",
                  counters.launches_measured == 1 ? "1 launch" : format_count(counters.launches_measured) + " launches",
                  format_duration(number(counters.window_time_ns)));
  return paragraph(label, text, 10, style);
}

std::string graph_section(const Report& report, const TextStyle& style) {
  if (report.graphs.empty()) return {};
  const Paint paint(style.color);
  std::vector<Column> columns = {{"graph"}, {"launches"}, {"kernels"}};
  for (const MetricColumn& metric : metric_columns()) columns.push_back({metric.title, Column::Align::right, true});
  Table table(columns);
  for (const GraphReport& graph : report.graphs) {
    std::vector<std::string> row = {std::to_string(graph.graph_id), format_count(graph.launches),
                                    graph.kernel_nodes == 0 ? "-" : format_count(graph.kernel_nodes)};
    for (const MetricColumn& metric : metric_columns()) {
      const auto found = graph.counters.find(metric.metric);
      const bool has_value = found != graph.counters.end() && found->second.mean;
      row.push_back(has_value ? fmt::format("{:.{}f}", *found->second.mean, metric.decimals) : "-");
    }
    table.add(std::move(row));
  }
  table.fit(style.width - 2);
  std::string out = paint(Emphasis::heading, "CUDA graphs, measured as a whole") + "\n";
  out += paint(Emphasis::dim, "  " + table.header()) + "\n";
  for (std::size_t i = 0; i < table.rows(); ++i) out += "  " + table.line(i) + "\n";
  std::set<std::string> reasons;
  for (const GraphReport& graph : report.graphs) {
    for (const auto& [name, value] : graph.counters) {
      if (!value.mean && !value.reason.empty()) reasons.insert(printable(value.reason));
    }
  }
  for (const std::string& reason : reasons)
    out += paragraph("  ", "- not measured: " + reason, 4, style, Emphasis::dim);
  return out;
}

std::string ledger_section(const Report& report, const TextStyle& style) {
  const Paint paint(style.color);
  const KernelLedger& ledger = report.ledger.kernels;
  const std::string label = paint(Emphasis::heading, "Records") + "   ";
  if (!anything_profiled(report)) return paragraph(label, "none: no process was profiled", 10, style);
  std::string text = fmt::format("launched {} = stored {} + dropped {}", format_count(ledger.launched),
                                 format_count(ledger.stored), format_count(ledger.dropped));
  if (ledger.overwritten > 0) text += " + overwritten " + format_count(ledger.overwritten);
  text += " + invalid " + format_count(ledger.invalid());
  if (ledger.invalid() > 0) text += " (" + invalid_classes(ledger) + ")";
  if (ledger.unaccounted > 0) {
    text += " + " + format_count(static_cast<std::uint64_t>(ledger.unaccounted)) + " missing without an explanation";
  } else if (ledger.unaccounted < 0) {
    text += " - " + format_count(0 - static_cast<std::uint64_t>(ledger.unaccounted)) + " recorded without a launch";
  }
  const bool whole = ledger.dropped == 0 && ledger.invalid() == 0 && ledger.unaccounted == 0;
  std::string out = paragraph(label, text, 10, style, whole ? Emphasis::none : Emphasis::warning);
  out += other_classes(report.ledger, style) + clock_jumps(report.ledger, style);
  if (report.ledger.trace_bytes == 0) return out;
  std::string trace = "trace of " + format_bytes(number(report.ledger.trace_bytes));
  if (ledger.stored > 0) {
    trace += fmt::format(", {:.1f} bytes a kernel", number(report.ledger.trace_bytes) / number(ledger.stored));
  }
  if (report.ledger.records_dropped_by_cupti > 0) {
    trace += "; CUPTI dropped " + plural(report.ledger.records_dropped_by_cupti, "record") + " of any kind";
  }
  return out + paragraph(std::string(10, ' '), trace, 10, style, Emphasis::dim);
}

std::string notice_section(const Report& report, const TextStyle& style) {
  const Paint paint(style.color);
  std::string out;
  for (const Notice& notice : report.notices) {
    const Emphasis emphasis = notice.severity == Severity::error     ? Emphasis::error
                              : notice.severity == Severity::warning ? Emphasis::warning
                                                                     : Emphasis::none;
    const std::string label = std::string(to_string(notice.severity)) + ": ";
    std::string text = printable(notice.text);
    if (!notice.code.empty()) text += " [" + printable(notice.code) + "]";
    out += paragraph(paint(emphasis, label), text, label.size(), style);
    if (!notice.hint.empty()) out += paragraph("  hint: ", printable(notice.hint), 8, style);
  }
  return out;
}

}  // namespace gpuprof::render
