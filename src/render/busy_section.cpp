// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "base/text.hpp"
#include "base/units.hpp"
#include "render/idle_causes.hpp"
#include "render/lines.hpp"
#include "render/sections.hpp"

namespace gpuprof::render {
namespace {

constexpr std::size_t kMostDevices = 8;
constexpr std::size_t kMostCauses = 6;
constexpr std::size_t kLongestBar = 100;

// What a device's time is divided into for the reader: adds up to the wall time.
struct Part {
  const char* name;
  const char* cell;  // what fills the bar
  Emphasis emphasis;
  std::uint64_t (*time)(const DeviceTimeline&);
};

std::uint64_t not_recorded(const DeviceTimeline& device) {
  std::uint64_t time_ns = 0;
  for (const IdleTime& idle : device.idle) {
    if (idle.cause == IdleCause::not_captured) time_ns += idle.time_ns;
  }
  return std::min(time_ns, device.idle_ns);
}

std::uint64_t idle_of(const DeviceTimeline& device) {
  return device.idle_ns - not_recorded(device);
}

// The cells differ in shade, so that the bar reads without colour too.
constexpr Part kParts[] = {
    {"kernels", "█", Emphasis::none, [](const DeviceTimeline& d) { return d.compute_ns; }},
    {"kernels and copies", "▓", Emphasis::none, [](const DeviceTimeline& d) { return d.compute_and_copy_ns; }},
    {"kernels and communication", "▞", Emphasis::mark,
     [](const DeviceTimeline& d) { return d.compute_and_communication_ns; }},
    {"communication", "▒", Emphasis::warning,
     [](const DeviceTimeline& d) { return d.communication_ns + d.communication_and_copy_ns; }},
    {"copies", "░", Emphasis::warning, [](const DeviceTimeline& d) { return d.copy_ns; }},
    {"idle", "·", Emphasis::dim, idle_of},
    {"not recorded", "?", Emphasis::dim, not_recorded},
};
constexpr std::size_t kPartCount = std::size(kParts);
using Times = std::array<std::uint64_t, kPartCount>;

Times times_of(const DeviceTimeline& device) {
  Times times{};
  for (std::size_t i = 0; i < kPartCount; ++i) times[i] = kParts[i].time(device);
  return times;
}

std::uint64_t compute_of(const DeviceTimeline& d) {
  return d.compute_ns + d.compute_and_copy_ns + d.compute_and_communication_ns;
}

std::uint64_t communication_of(const DeviceTimeline& d) {
  return d.compute_and_communication_ns + d.communication_ns + d.communication_and_copy_ns;
}

// Cells for each part: in proportion, at least one for a part that exists, `width` in all.
std::array<std::size_t, kPartCount> bar_cells(const Times& times, std::size_t width) {
  std::array<std::size_t, kPartCount> cells{};
  const double whole = std::accumulate(times.begin(), times.end(), 0.0);
  if (whole <= 0) return cells;
  std::size_t used = 0;
  for (std::size_t i = 0; i < kPartCount; ++i) {
    if (times[i] == 0) continue;
    cells[i] = std::max<std::size_t>(1, static_cast<std::size_t>(number(times[i]) / whole * number(width) + 0.5));
    used += cells[i];
  }
  // Rounding is made good where it shows least: in the longest part.
  auto& longest = *std::max_element(cells.begin(), cells.end());
  longest = longest + width > used ? longest + width - used : 1;
  return cells;
}

std::string bar(const Times& times, const TextStyle& style) {
  const Paint paint(style.color);
  const auto cells = bar_cells(times, std::min(style.width - 4, kLongestBar));
  std::string out = "  ";
  for (std::size_t i = 0; i < kPartCount; ++i) {
    std::string piece;
    for (std::size_t n = 0; n < cells[i]; ++n) piece += kParts[i].cell;
    out += paint(kParts[i].emphasis, piece);
  }
  return out + "\n";
}

std::string legend(const Times& times, std::uint64_t wall_ns, const TextStyle& style) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < kPartCount; ++i) {
    if (times[i] == 0) continue;
    items.push_back(fmt::format("{} {} {}", kParts[i].cell, kParts[i].name, share_of(times[i], wall_ns)));
  }
  return item_lines("  ", items, ", ", 2, style);
}

// All devices as one: sums of times, causes joined. Spreads cannot be summed and stay empty.
DeviceTimeline sum_of(const std::vector<DeviceTimeline>& devices) {
  DeviceTimeline sum;
  for (const DeviceTimeline& device : devices) {
    sum.wall_ns += device.wall_ns;
    sum.compute_ns += device.compute_ns;
    sum.compute_and_copy_ns += device.compute_and_copy_ns;
    sum.compute_and_communication_ns += device.compute_and_communication_ns;
    sum.communication_ns += device.communication_ns;
    sum.communication_and_copy_ns += device.communication_and_copy_ns;
    sum.copy_ns += device.copy_ns;
    sum.idle_ns += device.idle_ns;
    for (const IdleTime& idle : device.idle) {
      auto same = std::find_if(sum.idle.begin(), sum.idle.end(),
                               [&](const IdleTime& i) { return i.cause == idle.cause && i.detail == idle.detail; });
      if (same == sum.idle.end()) same = sum.idle.insert(same, {idle.cause, idle.detail, 0, 0});
      same->time_ns += idle.time_ns;
      same->gaps += idle.gaps;
    }
  }
  std::stable_sort(sum.idle.begin(), sum.idle.end(),
                   [](const IdleTime& a, const IdleTime& b) { return a.time_ns > b.time_ns; });
  return sum;
}

std::string cause_table(const DeviceTimeline& device, const TextStyle& style) {
  const auto causes = static_cast<std::size_t>(
      std::count_if(device.idle.begin(), device.idle.end(), [](const IdleTime& i) { return i.time_ns > 0; }));
  if (causes == 0) return {};
  std::uint64_t shown_ns = 0;
  std::uint64_t all_ns = 0;
  Table table({{"nothing is computed because of", Column::Align::left},
               {"time"},
               {"of wall"},
               {"gaps", Column::Align::right, true},
               {"mean gap", Column::Align::right, true}});
  for (const IdleTime& idle : device.idle) {
    all_ns += idle.time_ns;
    if (idle.time_ns == 0 || table.rows() == kMostCauses) continue;
    shown_ns += idle.time_ns;
    table.add({idle_phrase(idle, style.width - 44), format_duration(number(idle.time_ns)),
               share_of(idle.time_ns, device.wall_ns), format_count(idle.gaps),
               idle.gaps == 0 ? "-" : format_duration(number(idle.time_ns) / number(idle.gaps))});
  }
  std::string out = table_lines(table, style);
  if (causes > table.rows()) {
    out += Paint(style.color)(Emphasis::dim,
                              fmt::format("  and {}, {} of wall", plural(causes - table.rows(), "other cause"),
                                          share_of(all_ns - shown_ns, device.wall_ns))) +
           "\n";
  }
  return out;
}

// How late launches were and how much the host ran ahead. Of several devices: the range of their medians.
std::vector<std::string> launch_facts(const std::vector<DeviceTimeline>& devices) {
  const DeviceTimeline* least = nullptr;
  const DeviceTimeline* most = nullptr;
  std::uint64_t p95 = 0;
  double operations = 0;
  double depth = 0;
  std::uint64_t deepest = 0;
  for (const DeviceTimeline& device : devices) {
    operations += number(device.operations);
    depth += device.mean_queue_depth * number(device.operations);
    deepest = std::max(deepest, device.max_queue_depth);
    if (device.launches_timed == 0) continue;
    const auto median = [](const DeviceTimeline* d) { return d->launch_latency.median_ns; };
    if (least == nullptr || median(&device) < median(least)) least = &device;
    if (most == nullptr || median(&device) > median(most)) most = &device;
    p95 = std::max(p95, device.launch_latency.p95_ns);
  }
  std::vector<std::string> facts;
  if (least == nullptr) return facts;
  facts.push_back(
      fmt::format("launch to start: median {}, p95 {}{}",
                  duration_range(number(least->launch_latency.median_ns), number(most->launch_latency.median_ns)),
                  devices.size() > 1 ? "at most " : "", format_duration(number(p95))));
  if (operations > 0 && deepest > 0) {
    facts.push_back(fmt::format("queue: {} operations on average, {} at most", format_number(depth / operations),
                                format_count(deepest)));
  }
  return facts;
}

std::string overlap_fact(const DeviceTimeline& device) {
  const std::uint64_t communication = communication_of(device);
  if (communication > 0) {
    return fmt::format("communication: {}, {} of it overlapped by compute", format_duration(number(communication)),
                       share_of(device.compute_and_communication_ns, communication));
  }
  // Copies beside kernels and communication are counted with the communication: then the share is not known.
  const std::uint64_t copies = device.compute_and_copy_ns + device.copy_ns;
  if (copies == 0) return {};
  return fmt::format("copies: {}, {} of it overlapped by kernels", format_duration(number(copies)),
                     share_of(device.compute_and_copy_ns, copies));
}

std::string device_name(const DeviceTimeline& device, bool with_process) {
  std::string name = "GPU " + std::to_string(device.device);
  if (device.rank) return name + " of rank " + std::to_string(*device.rank);
  return with_process ? name + " of process " + std::to_string(device.pid) : name;
}

}  // namespace

std::string busy_section(const Report& report, const TextStyle& style) {
  const std::vector<DeviceTimeline>& devices = report.devices;
  if (devices.empty()) return {};
  const DeviceTimeline sum = devices.size() == 1 ? devices.front() : sum_of(devices);
  const auto processes = std::count_if(report.processes.begin(), report.processes.end(),
                                       [](const ProcessReport& process) { return process.stage == "timeline"; });
  const std::string wall = format_duration(number(sum.wall_ns));
  std::string out = Paint(style.color)(Emphasis::heading, "Busy and idle") + "  ";
  out += devices.size() == 1 ? device_name(sum, processes > 1) + " over " + wall + "\n"
                             : format_count(devices.size()) + " devices, " + wall + " of device time\n";
  const Times times = times_of(sum);
  out += bar(times, style) + legend(times, sum.wall_ns, style) + cause_table(sum, style);
  std::vector<std::string> facts = launch_facts(devices);
  if (std::string overlap = overlap_fact(sum); !overlap.empty()) facts.insert(facts.begin(), std::move(overlap));
  return out + item_lines("  ", facts, "; ", 2, style);
}

std::string device_section(const Report& report, const TextStyle& style) {
  const std::vector<DeviceTimeline>& devices = report.devices;
  if (devices.size() < 2) return {};
  std::vector<const DeviceTimeline*> order;
  for (const DeviceTimeline& device : devices) order.push_back(&device);
  std::stable_sort(order.begin(), order.end(),
                   [](const DeviceTimeline* a, const DeviceTimeline* b) { return idle_of(*a) > idle_of(*b); });
  const bool ranked = std::any_of(order.begin(), order.end(), [](const auto* d) { return d->rank.has_value(); });
  const bool partial = std::any_of(order.begin(), order.end(), [](const auto* d) { return not_recorded(*d) > 0; });
  std::vector<Column> columns;
  if (ranked) columns.push_back({"rank"});
  const bool with_pid = !ranked || style.width >= 100;
  if (with_pid) columns.push_back({"pid"});
  columns.insert(columns.end(), {{"GPU"}, {"wall"}, {"kernels%"}, {"comm.%"}, {"copies%"}, {"idle%"}});
  if (partial) columns.push_back({"unrec.%"});
  columns.push_back({"most without compute", Column::Align::left, true});
  Table table(columns);
  for (const DeviceTimeline* device : order) {
    if (table.rows() == kMostDevices) break;
    const double wall = number(device->wall_ns);
    std::vector<std::string> row;
    if (ranked) row.push_back(device->rank ? std::to_string(*device->rank) : "-");
    if (with_pid) row.push_back(std::to_string(device->pid));
    row.push_back(std::to_string(device->device));
    row.push_back(format_duration(wall));
    for (const std::uint64_t time : {compute_of(*device), device->communication_ns + device->communication_and_copy_ns,
                                     device->copy_ns, idle_of(*device)}) {
      row.push_back(percent_cell(number(time) / wall));
    }
    if (partial) row.push_back(percent_cell(number(not_recorded(*device)) / wall));
    const auto first = std::find_if(device->idle.begin(), device->idle.end(),
                                    [](const IdleTime& idle) { return idle.cause != IdleCause::not_captured; });
    row.push_back(first == device->idle.end() ? "-"
                                              : percent_cell(number(first->time_ns) / wall) + "% " +
                                                    idle_phrase(*first, style.width >= 100 ? 40 : 24));
    table.add(std::move(row));
  }
  return Paint(style.color)(Emphasis::heading, "Devices") + "\n" + table_lines(table, style) +
         and_more(devices.size(), table.rows(), style) +
         paragraph("  ", "By idle time. kernels%: alone or beside copies and communication.", 2, style, Emphasis::dim);
}

}  // namespace gpuprof::render
