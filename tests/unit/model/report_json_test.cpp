// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "model/report_json.hpp"

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.hpp"
#include "base/file.hpp"
#include "support/catch2_compat.hpp"

using namespace gpuprof;
using model::report_from_json;
using model::report_to_json;

namespace {

std::string golden(const std::string& name) {
  return read_file(std::string(GPUPROF_SOURCE_DIR) + "/tests/golden/report/" + name + "/report.json");
}

nlohmann::json parsed(const Report& report) {
  return nlohmann::json::parse(report_to_json(report));
}

TEST_CASE("a report survives being written and read, in every field and in its order") {
  for (const std::string name : {"training", "empty", "odd_names", "one_gpu", "ranks", "share"}) {
    INFO(name);
    const std::string text = golden(name);
    const std::string written = report_to_json(report_from_json(text, name));
    CHECK(nlohmann::ordered_json::parse(written).dump(2) == nlohmann::ordered_json::parse(text).dump(2));
    CHECK(report_to_json(report_from_json(written, name)) == written);
  }
}

// `golden("losses")` is a file of gpuprof's first version, which knew only stages, kernels, copies and counters.
TEST_CASE("a report of the first version is read, and what it has is kept") {
  const std::string text = golden("losses");
  const Report report = report_from_json(text, "losses");
  CHECK(report.devices.empty());
  CHECK(report.job.ranks.empty());
  CHECK_FALSE(report.capture.partial);
  CHECK_FALSE(report.telemetry.attempted);
  CHECK(report.ledger.kernels.overwritten == 0);
  CHECK_FALSE(report.kernels.at(0).estimated_time_ns);
  REQUIRE(report.processes.size() == 4);
  CHECK(report.kernels.size() == 2);
  // Only CUDA loaded the collector then.
  for (const ProcessReport& process : report.processes) CHECK(process.used_cuda);
  const nlohmann::json old = nlohmann::json::parse(text);
  for (const auto& [name, value] : old.items()) {
    INFO(name);
    if (name == "processes" || name == "kernels") continue;  // arrays of objects that have gained fields
    nlohmann::json patched = parsed(report).at(name);
    patched.merge_patch(value);
    CHECK(patched == parsed(report).at(name));
  }
}

TEST_CASE("what does not exist is null, what is added is there in every file") {
  Report report;
  report.kernels.emplace_back();
  report.processes.emplace_back();
  report.devices.emplace_back();
  report.job.ranks.emplace_back();
  report.telemetry.gpus.emplace_back();
  const nlohmann::json json = parsed(report);
  for (const char* field : {"estimated_launches", "estimated_time_ns", "estimated_time_error_ns"}) {
    CHECK(json.at("kernels").at(0).at(field).is_null());
  }
  CHECK(json.at("processes").at(0).at("rank").is_null());
  CHECK(json.at("devices").at(0).at("rank").is_null());
  CHECK(json.at("job").at("slowest_rank").is_null());
  CHECK(json.at("job").at("ranks").at(0).at("median_step_ns").is_null());
  CHECK(json.at("telemetry").at("gpus").at(0).at("power_w").is_null());
  const Report read = report_from_json(report_to_json(report), "report.json");
  CHECK_FALSE(read.processes.at(0).rank);
  CHECK_FALSE(read.processes.at(0).used_cuda);
  CHECK_FALSE(read.telemetry.gpus.at(0).power_w);
  CHECK(report_to_json(read) == report_to_json(report));
}

TEST_CASE("optional values survive") {
  Report report;
  KernelReport kernel;
  kernel.estimated_launches = 12;
  kernel.estimated_time_ns = 0.0;
  report.kernels.push_back(kernel);
  report.job.slowest_rank = 0;
  report.job.missing = {1, 3};
  DeviceTimeline device;
  device.rank = 4294967295U;
  device.wall_ns = 10;
  device.idle_ns = 4;
  device.idle.push_back({IdleCause::synchronization, "cudaDeviceSynchronize", 4, 1});
  report.devices.push_back(device);
  GpuTelemetry gpu;
  gpu.power_w = ValueRange{1.5, std::nan(""), 3};
  gpu.xids = {79, 48};
  report.telemetry.gpus.push_back(gpu);
  CHECK(parsed(report).at("devices").at(0).at("busy_ns") == 6);
  const Report read = report_from_json(report_to_json(report), "report.json");
  CHECK(read.kernels.at(0).estimated_launches == 12U);
  CHECK(read.kernels.at(0).estimated_time_ns == 0.0);
  CHECK(read.job.slowest_rank == 0U);
  CHECK(read.job.missing == std::vector<std::uint32_t>{1, 3});
  CHECK(read.devices.at(0).rank == 4294967295U);
  CHECK(read.devices.at(0).idle.at(0).cause == IdleCause::synchronization);
  CHECK(read.devices.at(0).idle.at(0).detail == "cudaDeviceSynchronize");
  REQUIRE(read.telemetry.gpus.at(0).power_w);
  CHECK(read.telemetry.gpus.at(0).power_w->min == 1.5);
  CHECK(std::isnan(read.telemetry.gpus.at(0).power_w->median));
  CHECK(read.telemetry.gpus.at(0).xids == std::vector<std::uint64_t>{79, 48});
}

TEST_CASE("the largest numbers survive") {
  Report report;
  report.totals.kernel_time_ns = std::numeric_limits<std::uint64_t>::max();
  report.ledger.kernels.unaccounted = std::numeric_limits<std::int64_t>::min();
  KernelReport kernel;
  kernel.key.grid = {4294967295U, 1, 1};
  kernel.time.mean_ns = 0.1 + 0.2;
  report.kernels.push_back(kernel);
  const Report read = report_from_json(report_to_json(report), "report.json");
  CHECK(read.totals.kernel_time_ns == report.totals.kernel_time_ns);
  CHECK(read.ledger.kernels.unaccounted == report.ledger.kernels.unaccounted);
  CHECK(read.kernels.at(0).key.grid.x == 4294967295U);
  CHECK(read.kernels.at(0).time.mean_ns == kernel.time.mean_ns);
}

TEST_CASE("what is unknown is null in the file, never 0") {
  Report report;
  report.environment.gpus.emplace_back();
  report.processes.emplace_back();
  KernelReport kernel;
  kernel.launches = 1;
  report.kernels.push_back(kernel);
  const nlohmann::json json = parsed(report);
  CHECK(json.at("environment").at("driver_version").is_null());
  for (const char* field : {"uuid", "compute_major", "compute_minor", "sm_count", "memory_bytes", "l2_bytes",
                            "peak_dram_bytes_per_second", "max_sm_clock_khz"}) {
    CHECK(json.at("environment").at("gpus").at(0).at(field).is_null());
  }
  CHECK(json.at("processes").at(0).at("end").at("code").is_null());
  CHECK(json.at("kernels").at(0).at("time_ns").at("stddev").is_null());
}

TEST_CASE("values that are not finite are not measured") {
  Report report;
  KernelReport kernel;
  kernel.share = std::nan("");
  kernel.counters["a"] = {std::nan(""), 1.0, 3, "%", ValueState::measured, ""};
  kernel.counters["b"] = {2.0, HUGE_VAL, 3, "%", ValueState::measured, ""};
  report.kernels.push_back(kernel);
  const nlohmann::json json = parsed(report).at("kernels").at(0);
  CHECK(json.at("share").is_null());
  CHECK(json.at("counters").at("a").at("mean").is_null());
  CHECK(json.at("counters").at("a").at("stddev").is_null());
  CHECK(json.at("counters").at("a").at("state") == "not_measured");
  CHECK_FALSE(json.at("counters").at("a").at("reason").get<std::string>().empty());
  CHECK(json.at("counters").at("b").at("mean") == 2.0);
  CHECK(json.at("counters").at("b").at("stddev").is_null());
  CHECK(std::isnan(report_from_json(report_to_json(report), "r").kernels.at(0).share));
}

TEST_CASE("names that are not UTF-8 or hold control characters stay valid JSON") {
  Report report;
  KernelReport kernel;
  kernel.key.mangled_name = "bad\xFF\xFE\x1b\n\"quoted\"";
  report.kernels.push_back(kernel);
  report.command = {std::string("nul\0byte", 8)};
  const Report read = report_from_json(report_to_json(report), "report.json");
  CHECK(read.kernels.at(0).key.mangled_name == "bad\uFFFD\uFFFD\x1b\n\"quoted\"");
  CHECK(read.command.at(0) == std::string("nul\0byte", 8));
}

TEST_CASE("the invalid records are summed for the reader") {
  Report report;
  report.ledger.kernels.untimed = 2;
  report.ledger.kernels.negative = 3;
  CHECK(parsed(report).at("ledger").at("kernels").at("invalid") == 5);
}

TEST_CASE("unknown fields are ignored") {
  nlohmann::json json = nlohmann::json::parse(golden("training"));
  json["a_later_field"] = {{"x", 1}};
  json["kernels"][0]["occupancy"] = 0.5;
  CHECK(report_from_json(json.dump(), "report.json").kernels.size() == 8);
}

}  // namespace
