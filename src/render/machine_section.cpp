// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/text.hpp"
#include "base/units.hpp"
#include "render/lines.hpp"
#include "render/sections.hpp"

namespace gpuprof::render {
namespace {

constexpr std::size_t kMostGroups = 8;
constexpr std::size_t kMostXids = 5;
constexpr std::size_t kIndent = 10;
// Clocks move in steps of 15 MHz; one step is no change worth telling.
constexpr double kClockStepMhz = 15;

// "310-640 W", "45 °C".
std::string whole_range(const ValueRange& range, const char* unit) {
  const std::string min = fmt::format("{:.0f}", range.min);
  const std::string max = fmt::format("{:.0f}", range.max);
  return min == max ? max + " " + unit : min + "-" + max + " " + unit;
}

std::string clocks(const GpuTelemetry& gpu) {
  if (!gpu.sm_clock_mhz) return {};
  const ValueRange& clock = *gpu.sm_clock_mhz;
  const bool steady = clock.max - clock.min <= kClockStepMhz;
  std::string text = steady ? fmt::format("SM clock {:.0f} MHz throughout", clock.median)
                            : fmt::format("SM clock {}, {:.0f} in the median", whole_range(clock, "MHz"), clock.median);
  if (gpu.max_sm_clock_mhz > 0 && clock.max + kClockStepMhz < gpu.max_sm_clock_mhz) {
    text += fmt::format(" of {} possible", gpu.max_sm_clock_mhz);
  }
  return text;
}

// What slowed the GPU down or went wrong.
std::vector<std::string> troubles(const GpuTelemetry& gpu) {
  std::vector<std::string> out;
  for (const ThrottleTime& throttle : gpu.throttled) {
    if (throttle.time_ns == 0) continue;
    const char* before = out.empty() ? "slowed down by " : "";
    out.push_back(before + shorten_middle(printable(throttle.reason), 40) + " for " +
                  format_duration(number(throttle.time_ns)));
  }
  std::string xids;
  for (std::size_t i = 0; i < gpu.xids.size() && i < kMostXids; ++i) {
    xids += (i == 0 ? "XID " : ", ") + std::to_string(gpu.xids[i]);
  }
  if (gpu.xids.size() > kMostXids) xids += " and " + format_count(gpu.xids.size() - kMostXids) + " more";
  if (!xids.empty()) out.push_back(xids + " reported");
  if (gpu.ecc_uncorrected > 0) out.push_back(plural(gpu.ecc_uncorrected, "uncorrected memory error"));
  if (gpu.ecc_corrected > 0) out.push_back(plural(gpu.ecc_corrected, "corrected memory error"));
  return out;
}

std::vector<std::string> observations(const GpuTelemetry& gpu) {
  std::vector<std::string> out;
  if (std::string text = clocks(gpu); !text.empty()) out.push_back(std::move(text));
  if (gpu.power_w) out.push_back(whole_range(*gpu.power_w, "W"));
  if (gpu.temperature_c) out.push_back(whole_range(*gpu.temperature_c, "°C"));
  if (gpu.gpu_utilization_pct) out.push_back("utilisation " + whole_range(*gpu.gpu_utilization_pct, "%"));
  if (gpu.memory_used_bytes) out.push_back("up to " + format_bytes(gpu.memory_used_bytes->max) + " of memory in use");
  if (gpu.pcie_rx_bytes_per_second && gpu.pcie_tx_bytes_per_second) {
    out.push_back(fmt::format("PCIe up to {} in, {} out", format_byte_rate(gpu.pcie_rx_bytes_per_second->max),
                              format_byte_rate(gpu.pcie_tx_bytes_per_second->max)));
  }
  return out;
}

void widen(std::optional<ValueRange>& range, const std::optional<ValueRange>& other) {
  if (!range) {
    range = other;
  } else if (other) {
    range->min = std::min(range->min, other->min);
    range->max = std::max(range->max, other->max);
  }
}

// GPUs that are described together: those whose clocks behaved alike and that had no trouble.
struct Group {
  GpuTelemetry all;  // ranges over all of them; the utilisation is the range of their medians
  std::vector<std::uint64_t> indices;
};

std::vector<Group> grouped(const std::vector<GpuTelemetry>& gpus) {
  std::vector<Group> groups;
  for (GpuTelemetry gpu : gpus) {
    if (gpu.gpu_utilization_pct) {
      gpu.gpu_utilization_pct->min = gpu.gpu_utilization_pct->max = gpu.gpu_utilization_pct->median;
    }
    const bool alone = gpu.samples == 0 || !troubles(gpu).empty();
    const auto like = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return !alone && group.all.samples > 0 && troubles(group.all).empty() && clocks(group.all) == clocks(gpu);
    });
    if (like == groups.end()) {
      groups.push_back({gpu, {gpu.index}});
      continue;
    }
    like->indices.push_back(gpu.index);
    for (const auto value : {&GpuTelemetry::power_w, &GpuTelemetry::temperature_c, &GpuTelemetry::gpu_utilization_pct,
                             &GpuTelemetry::memory_used_bytes, &GpuTelemetry::pcie_tx_bytes_per_second,
                             &GpuTelemetry::pcie_rx_bytes_per_second}) {
      widen(like->all.*value, gpu.*value);
    }
  }
  return groups;
}

std::string group_lines(const Group& group, const std::string& first, const TextStyle& style) {
  std::vector<std::string> items = observations(group.all);
  if (group.all.samples == 0) items = {"no samples"};
  if (items.empty()) items = {"nothing that NVML tells"};
  items.front().insert(0, "GPU " + number_list(group.indices) + ": ");
  const std::string margin(kIndent, ' ');
  return item_lines(first, items, ", ", kIndent, style) +
         item_lines(margin, troubles(group.all), ", ", kIndent, style, Emphasis::warning);
}

}  // namespace

std::string machine_section(const Report& report, const TextStyle& style) {
  const TelemetryReport& telemetry = report.telemetry;
  const std::string label = Paint(style.color)(Emphasis::heading, "Machine") + "   ";
  if (telemetry.gpus.empty()) {
    if (!telemetry.attempted && telemetry.unavailable_reason.empty()) return {};
    const std::string reason =
        telemetry.unavailable_reason.empty() ? "there are no samples" : printable(telemetry.unavailable_reason);
    return paragraph(label, "clocks, power and temperature were not observed: " + reason, kIndent, style);
  }
  std::string out;
  std::size_t shown = 0;
  std::size_t left_out = 0;
  for (const Group& group : grouped(telemetry.gpus)) {
    // GPUs with trouble are shown however many there are.
    if (shown >= kMostGroups && troubles(group.all).empty()) {
      left_out += group.indices.size();
      continue;
    }
    out += group_lines(group, shown == 0 ? label : std::string(kIndent, ' '), style);
    ++shown;
  }
  return left_out == 0 ? out : out + std::string(kIndent, ' ') + "and " + plural(left_out, "more GPU") + "\n";
}

std::string memory_section(const Report& report, const TextStyle& style) {
  if (report.memory.empty()) return {};
  Table table({{"kind", Column::Align::left}, {"peak"}, {"allocated"}, {"allocations"}, {"releases"}});
  for (const MemoryReport& memory : report.memory) {
    table.add({shorten_middle(printable(memory.kind), 16), format_bytes(number(memory.peak_bytes)),
               format_bytes(number(memory.allocated_bytes)), format_count(memory.allocations),
               format_count(memory.releases)});
  }
  return Paint(style.color)(Emphasis::heading, "Memory allocated") + "\n" + table_lines(table, style);
}

}  // namespace gpuprof::render
