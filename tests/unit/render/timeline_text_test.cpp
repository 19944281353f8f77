// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "base/text.hpp"
#include "model/report_json.hpp"
#include "render/render.hpp"
#include "support/catch2_compat.hpp"

using namespace gpuprof;

namespace {

constexpr std::uint64_t kMs = 1'000'000;

Report golden(const std::string& name) {
  const std::string path = std::string(GPUPROF_SOURCE_DIR) + "/tests/golden/report/" + name + "/report.json";
  return model::report_from_json(read_file(path), path);
}

DeviceTimeline device_of_one_second() {
  DeviceTimeline device;
  device.pid = 7;
  device.wall_ns = 1000 * kMs;
  device.compute_ns = 600 * kMs;
  device.copy_ns = 100 * kMs;
  device.idle_ns = 300 * kMs;
  device.idle = {{IdleCause::synchronization, "cudaStreamSynchronize", 250 * kMs, 10},
                 {IdleCause::copy_not_overlapped, "", 100 * kMs, 5},
                 {IdleCause::launch_bound, "", 50 * kMs, 1000}};
  return device;
}

Report report_of(const DeviceTimeline& device) {
  Report report;
  report.stages.push_back({"timeline", {EndKind::exited, 0}, 1000 * kMs, 1});
  report.devices.push_back(device);
  return report;
}

std::string shown(const Report& report, std::size_t width = 100) {
  return render::text(report, {width, false});
}

std::string line_with(const std::string& text, const std::string& part) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(part) != std::string::npos) return line;
  }
  return "no line with " + part;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

TEST_CASE("the bar and its legend show every part of the wall time in proportion") {
  const std::string text = shown(report_of(device_of_one_second()), 104);
  CHECK_THAT(text, ContainsSubstring("Busy and idle  GPU 0 over 1.000 s\n"));
  CHECK_THAT(text, ContainsSubstring("█ kernels 60.0 %, ░ copies 10.0 %, · idle 30.0 %\n"));
  std::string bar = "  ";
  for (int i = 0; i < 60; ++i) bar += "█";
  for (int i = 0; i < 10; ++i) bar += "░";
  for (int i = 0; i < 30; ++i) bar += "·";
  CHECK_THAT(text, ContainsSubstring("\n" + bar + "\n"));
}

TEST_CASE("a part too small for a cell still gets one") {
  DeviceTimeline device;
  device.wall_ns = 1'000'000;
  device.compute_ns = 1;
  device.idle_ns = 999'999;
  const std::string line = line_with(shown(report_of(device), 80), "█·");
  CHECK(count(line, "█") == 1);
  CHECK(display_width(line) == 2 + 76);
}

TEST_CASE("idle time is told by cause, the function named, the longest first") {
  const std::string text = shown(report_of(device_of_one_second()));
  const auto sync = text.find("in cudaStreamSynchronize");
  const auto copies = text.find("copies alone");
  const auto launches = text.find("launch-bound");
  REQUIRE(launches != std::string::npos);
  CHECK(sync < copies);
  CHECK(copies < launches);
  CHECK_THAT(line_with(text, "in cudaStreamSynchronize"), ContainsSubstring("250.0 ms   25.0 %     10  25.00 ms"));
}

TEST_CASE("causes of many names do not fill the screen") {
  DeviceTimeline device = device_of_one_second();
  for (int i = 0; i < 40; ++i)
    device.idle.push_back({IdleCause::input_pipeline, "loader " + std::to_string(i), kMs, 1});
  const std::string text = shown(report_of(device));
  CHECK_THAT(text, ContainsSubstring("and 37 other causes, 3.7 % of wall"));
  CHECK(count(text, "input pipeline: ") == 3);
}

TEST_CASE("several devices are summed, and listed by idle time") {
  Report report = report_of(device_of_one_second());
  for (std::uint32_t rank = 0; rank < 20; ++rank) {
    DeviceTimeline device = device_of_one_second();
    device.rank = rank;
    device.pid = 100 + rank;
    device.compute_ns -= rank * kMs;
    device.idle_ns += rank * kMs;
    report.devices.push_back(device);
  }
  const std::string text = shown(report);
  CHECK_THAT(text, ContainsSubstring("21 devices, 21.00 s of device time"));
  CHECK_THAT(line_with(text, "in cudaStreamSynchronize"), ContainsSubstring("5.250 s   25.0 %     210"));
  CHECK_THAT(text, ContainsSubstring("and 13 more"));
  CHECK_THAT(line_with(text, " 119 "), ContainsSubstring("31.9"));
  CHECK(line_with(text, " 101 ").starts_with("no line"));
}

TEST_CASE("what was not recorded is not called idle") {
  DeviceTimeline device = device_of_one_second();
  device.idle = {{IdleCause::not_captured, "", 200 * kMs, 3}, {IdleCause::launch_bound, "", 200 * kMs, 3}};
  CHECK_THAT(shown(report_of(device)), ContainsSubstring("· idle 10.0 %, ? not recorded 20.0 %"));
}

TEST_CASE("overlap of communication and of copies is told") {
  DeviceTimeline device = device_of_one_second();
  device.compute_and_copy_ns = 300 * kMs;
  device.compute_ns -= 300 * kMs;
  CHECK_THAT(shown(report_of(device)), ContainsSubstring("copies: 400.0 ms, 75.0 % of it overlapped by kernels"));
  device.compute_and_communication_ns = 60 * kMs;
  device.compute_ns -= 60 * kMs;
  device.communication_ns = 20 * kMs;
  device.idle_ns -= 20 * kMs;
  CHECK_THAT(shown(report_of(device)),
             ContainsSubstring("communication: 80.00 ms, 75.0 % of it overlapped by compute"));
}

TEST_CASE("a process without CUDA is said to be one") {
  Report report;
  report.stages.push_back({"timeline", {EndKind::exited, 0}, 1000 * kMs, 1});
  report.processes.emplace_back();
  report.processes.back().stage = "timeline";
  const std::string text = shown(report);
  CHECK_THAT(text, ContainsSubstring("the collector was loaded, but no process used CUDA"));
  CHECK_THAT(text, ContainsSubstring("used no CUDA"));
  CHECK(count(shown(golden("ranks"), 80), "exited with 0, used no CUDA") == 2);
}

TEST_CASE("estimates are marked, and everything recorded is not") {
  const std::string partial = shown(golden("share"), 160);
  CHECK_THAT(partial, ContainsSubstring("10.2 % of the run in 31 stretches"));
  CHECK_THAT(partial, ContainsSubstring("~38.79 s"));
  CHECK_THAT(partial, ContainsSubstring("~: estimated for the whole run"));
  const std::string whole = shown(golden("one_gpu"), 160);
  CHECK(whole.find('~') == std::string::npos);
  CHECK(whole.find("Recorded ") == std::string::npos);
}

TEST_CASE("missing ranks are listed, the slowest is named") {
  const std::string text = shown(golden("ranks"), 160);
  CHECK_THAT(text, ContainsSubstring("12 of 16 ranks on 2 hosts (node17, "));
  CHECK_THAT(text, ContainsSubstring("rank 3 is the slowest"));
  CHECK_THAT(text, ContainsSubstring("missing, without a trace: 5, 12-14\n"));
}

TEST_CASE("the machine's state is told in sentences") {
  const std::string text = shown(golden("ranks"), 160);
  CHECK_THAT(text, ContainsSubstring("GPU 0-2, 4, 6-7: SM clock 1980 MHz throughout, 118-647 W, 40-67 °C"));
  CHECK_THAT(text, ContainsSubstring("slowed down by power cap for 12.04 s"));
  CHECK_THAT(text, ContainsSubstring("XID 79 reported, 1 uncorrected memory error"));
  CHECK_THAT(shown(golden("share"), 160), ContainsSubstring("were not observed: libnvidia-ml.so.1 was not found"));
}

TEST_CASE("the first forty lines say where the time went, why it was idle, and how long a step takes") {
  for (const std::string name : {"one_gpu", "ranks"}) {
    std::istringstream lines(shown(golden(name), 80));
    std::string first;
    std::string line;
    for (int i = 0; i < 40 && std::getline(lines, line); ++i) first += line + "\n";
    INFO(name);
    CHECK_THAT(first, ContainsSubstring("Where the time went") && ContainsSubstring("Busy and idle") &&
                          ContainsSubstring("in cudaStreamSynchronize") && ContainsSubstring("Steps"));
  }
}

TEST_CASE("records that are not counted are told by kind") {
  const std::string text = shown(golden("one_gpu"), 160);
  CHECK_THAT(text, ContainsSubstring("api calls: 70,211 stored, not counted: 2 unfinished, 1 outside"));
  CHECK_THAT(text, ContainsSubstring("the host clock of process 4711 jumped once"));
  CHECK(text.find("copies: 802 stored") == std::string::npos);
  CHECK_THAT(shown(golden("share"), 160), ContainsSubstring("+ overwritten 40 + invalid 0"));
}

TEST_CASE("a report whose times contradict each other is still shown") {
  Report report = golden("ranks");
  for (DeviceTimeline& device : report.devices) {
    device.wall_ns = 0;
    device.idle_ns = std::numeric_limits<std::uint64_t>::max();
    device.communication_ns = std::numeric_limits<std::uint64_t>::max();
    device.idle.push_back({IdleCause::not_captured, "\x1b]0;x\x07", std::numeric_limits<std::uint64_t>::max(), 0});
  }
  for (StepReport& step : report.steps) step.time.mean_ns = 0;
  report.steps.front().name = std::string(3000, '\x1b');
  const std::string text = shown(report, 80);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("nan") == std::string::npos);
}

}  // namespace
