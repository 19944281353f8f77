// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>
#include <cstring>

#include "base/text.hpp"
#include "base/units.hpp"
#include "render/sections.hpp"

namespace gpuprof::render {
namespace {

constexpr std::size_t kLabelWidth = 11;

std::string entry(const char* label, const std::string& text, const TextStyle& style) {
  const Paint paint(style.color);
  const std::string padded = "  " + pad_right(label, kLabelWidth);
  return paragraph(paint(Emphasis::dim, padded), text, 2 + kLabelWidth, style);
}

// The command as one would type it.
std::string command_line(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& argument : command) {
    if (!line.empty()) line += ' ';
    const std::string shown = printable(argument);
    const bool plain = !shown.empty() && shown.find_first_of(" '\"\\$`*?[](){}<>|&;#~!") == std::string::npos;
    if (plain) {
      line += shown;
      continue;
    }
    line += '\'';
    for (const char c : shown) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

std::string describe(const GpuInfo& gpu) {
  std::string text = printable(gpu.name);
  if (gpu.compute_major != 0) {
    text += ", compute " + std::to_string(gpu.compute_major) + "." + std::to_string(gpu.compute_minor);
  }
  if (gpu.sm_count != 0) text += ", " + std::to_string(gpu.sm_count) + " SMs";
  if (gpu.memory_bytes != 0) text += ", " + format_bytes(static_cast<double>(gpu.memory_bytes));
  if (gpu.peak_dram_bytes_per_second != 0) {
    text += " at " + format_byte_rate(static_cast<double>(gpu.peak_dram_bytes_per_second));
  }
  return text;
}

std::string gpu_entries(const Report& report, const TextStyle& style) {
  const auto& gpus = report.environment.gpus;
  if (gpus.empty()) return entry("GPU", "none seen", style);
  std::string out;
  for (std::size_t i = 0; i < gpus.size();) {
    const std::string text = describe(gpus[i]);
    std::size_t next = i + 1;
    while (next < gpus.size() && describe(gpus[next]) == text) ++next;
    out += entry(i == 0 ? "GPU" : "", next - i > 1 ? std::to_string(next - i) + " x " + text : text, style);
    i = next;
  }
  return out;
}

}  // namespace

std::string describe(const ProcessEnd& end) {
  switch (end.kind) {
    case EndKind::exited:
      return "exited with " + std::to_string(end.code);
    case EndKind::signalled: {
      const char* name = sigabbrev_np(end.code);
      return "killed by signal " + std::to_string(end.code) + (name ? " (SIG" + std::string(name) + ")" : "");
    }
    case EndKind::not_started:
      return "could not be started";
    case EndKind::vanished:
      return "_exit or killed";
    case EndKind::replaced:
      return "exec";
    case EndKind::running:
      break;
  }
  return "end not seen";
}

std::string paragraph(const std::string& first, const std::string& text, std::size_t indent, const TextStyle& style,
                      Emphasis emphasis) {
  const Paint paint(style.color);
  std::string out = first;
  bool is_first = true;
  for (const std::string& line : wrap(text, style.width > indent + 20 ? style.width - indent : 20)) {
    if (!is_first) out.append(indent, ' ');
    is_first = false;
    out += paint(emphasis, line) + "\n";
  }
  return out;
}

std::string header_section(const Report& report, const TextStyle& style) {
  const Paint paint(style.color);
  const Environment& environment = report.environment;
  std::string out = paint(Emphasis::heading, "gpuprof report") + "  " + printable(report.session) + "\n";
  out += entry("command", command_line(report.command), style);
  std::string recorded = printable(report.recorded_at);
  if (!environment.hostname.empty()) recorded += " on " + printable(environment.hostname);
  if (!environment.operating_system.empty()) recorded += ", " + printable(environment.operating_system);
  if (!recorded.empty()) out += entry("recorded", recorded, style);
  out += gpu_entries(report, style);
  std::string versions =
      "driver " + (environment.driver_version.empty() ? "unknown" : printable(environment.driver_version));
  versions += ", CUPTI " + (environment.cupti_version.empty() ? "unknown" : printable(environment.cupti_version));
  out += entry("versions", versions + ", gpuprof " + printable(report.generator_version), style);
  for (const StageReport& stage : report.stages) {
    std::string text = printable(stage.name) + ": " + describe(stage.end) + " after " +
                       format_duration(static_cast<double>(stage.wall_time_ns)) + ", " + format_count(stage.processes) +
                       (stage.processes == 1 ? " process" : " processes") + " profiled";
    out += entry(&stage == &report.stages.front() ? "stages" : "", text, style);
  }
  return out;
}

}  // namespace gpuprof::render
