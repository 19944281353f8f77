// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "base/units.hpp"
#include "render/lines.hpp"
#include "render/sections.hpp"

namespace gpuprof::render {
namespace {

// "pageable -> device", or the one side a memset has.
std::string direction(const CopyReport& copy) {
  const std::string source = printable(copy.source_memory);
  const std::string destination = printable(copy.destination_memory);
  if (source.empty() || destination.empty()) return source + destination;
  return source + " -> " + destination;
}

}  // namespace

std::string time_section(const Report& report, const TextStyle& style) {
  if (!anything_profiled(report)) return {};
  const Paint paint(style.color);
  const Totals& totals = report.totals;
  Table table({{"", Column::Align::left}, {"time"}, {"of wall"}, {"", Column::Align::left, true}});
  const auto add = [&](const char* what, std::uint64_t time_ns, const std::string& detail) {
    table.add({what, format_duration(number(time_ns)), share_of(time_ns, totals.wall_time_ns), detail});
  };
  table.add({"wall time", format_duration(number(totals.wall_time_ns)), "", "of the timeline stage"});
  add(report.capture.partial ? "GPU kernels recorded" : "GPU kernels", totals.kernel_time_ns,
      format_count(totals.kernel_launches) + (totals.kernel_launches == 1 ? " launch of " : " launches of ") +
          format_count(totals.distinct_kernels) + (totals.distinct_kernels == 1 ? " kernel" : " kernels"));
  if (report.capture.estimated) {
    const double time_ns = estimated_kernel_time(report).time_ns;
    table.add({"GPU kernels, estimated", "~" + format_duration(time_ns),
               totals.wall_time_ns == 0 ? "-" : "~" + format_percent(time_ns / number(totals.wall_time_ns)),
               "for the whole run"});
  }
  add("GPU copies and sets", totals.copy_time_ns, format_bytes(number(totals.copy_bytes)));
  add("host in launch calls", totals.launch_api_time_ns, "");
  add("host waiting for the GPU", totals.synchronization_time_ns, "in synchronising calls");
  table.fit(style.width - 2);
  std::string out = paint(Emphasis::heading, "Where the time went") + "\n";
  out += "  " + paint(Emphasis::dim, table.header()) + "\n";
  for (std::size_t i = 0; i < table.rows(); ++i) out += "  " + table.line(i) + "\n";
  out += paragraph("  ", "GPU times are sums over streams and GPUs; these overlap and do not add up to the wall time.",
                   2, style, Emphasis::dim);
  return out;
}

std::string copy_section(const Report& report, const TextStyle& style) {
  constexpr std::size_t kMostRows = 8;
  if (report.copies.empty()) return {};
  const Paint paint(style.color);
  Table table({{"kind", Column::Align::left},
               {"memory", Column::Align::left},
               {"time"},
               {"count"},
               {"mean"},
               {"size"},
               {"rate", Column::Align::right, true}});
  for (const CopyReport& copy : report.copies) {
    if (table.rows() == kMostRows) break;
    const double rate = number(copy.bytes) / number(copy.time.sum_ns) * 1e9;
    table.add({shorten_middle(printable(copy.kind), 12), shorten_middle(direction(copy), 24),
               format_duration(number(copy.time.sum_ns)), format_count(copy.count), format_duration(copy.time.mean_ns),
               format_bytes(number(copy.bytes)), copy.time.sum_ns == 0 ? "-" : format_byte_rate(rate)});
  }
  table.fit(style.width - 2);
  std::string out = paint(Emphasis::heading, "Copies and sets") + "\n";
  out += "  " + paint(Emphasis::dim, table.header()) + "\n";
  for (std::size_t i = 0; i < table.rows(); ++i) out += "  " + table.line(i) + "\n";
  if (report.copies.size() > table.rows()) {
    out += paint(Emphasis::dim, "  and " + format_count(report.copies.size() - table.rows()) + " more kinds") + "\n";
  }
  return out;
}

}  // namespace gpuprof::render
