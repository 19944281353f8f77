// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "model/report_json.hpp"
#include "support/catch2_compat.hpp"

using namespace gpuprof;
using Json = nlohmann::json;

namespace {

// "message | hint" of the Error that reading `text` throws.
std::string error_of(const std::string& text) {
  try {
    model::report_from_json(text, "report.json");
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "no error";
}

Json training() {
  return Json::parse(read_file(std::string(GPUPROF_SOURCE_DIR) + "/tests/golden/report/training/report.json"));
}

// A report of a distributed job, with every part that training() leaves empty but ranges and memory.
Json ranks() {
  return Json::parse(read_file(std::string(GPUPROF_SOURCE_DIR) + "/tests/golden/report/ranks/report.json"));
}

std::string error_with(const std::string& pointer, const Json& value) {
  Json json = training();
  json[Json::json_pointer(pointer)] = value;
  return error_of(json.dump());
}

TEST_CASE("text that is not JSON is refused with the place") {
  CHECK_THAT(error_of(""), ContainsSubstring("report.json is empty"));
  CHECK_THAT(error_of("{\"schema\": "), ContainsSubstring("ends in the middle"));
  CHECK_THAT(error_of("{\"schema\": nope}"), ContainsSubstring("not JSON: unexpected text at byte 13"));
  CHECK_THAT(error_of("{\"schema\": NaN}"), ContainsSubstring("not JSON"));
  CHECK_THAT(error_of("\"\xFF\""), ContainsSubstring("not JSON"));
  CHECK_THAT(error_of("{\"x\": 1e999}"), ContainsSubstring("a number that is too large"));
  CHECK_THAT(error_of("{} {}"), ContainsSubstring("not JSON"));
}

TEST_CASE("nesting and repeated fields that no report has are refused") {
  CHECK_THAT(error_of(std::string(100'000, '[')), ContainsSubstring("nest deeper than 64"));
  std::string objects;
  for (int i = 0; i < 5000; ++i) objects += "{\"a\":";
  CHECK_THAT(error_of(objects), ContainsSubstring("nest deeper than 64"));
  CHECK_THAT(error_of(R"({"schema": "gpuprof.report/1", "schema": "gpuprof.report/1"})"),
             ContainsSubstring("the field \"schema\" twice"));
  CHECK_THAT(error_of(R"({"a": {"x": 1}, "b": {"x": 1}})"), ContainsSubstring("no \"schema\" field"));
}

TEST_CASE("other documents and newer versions are told apart") {
  CHECK_THAT(error_of("[]"), ContainsSubstring("not a gpuprof report"));
  CHECK_THAT(error_of("{}"), ContainsSubstring("no \"schema\" field") && ContainsSubstring("| Name a session"));
  CHECK_THAT(error_of(R"({"schema": 1})"), ContainsSubstring("no \"schema\" field"));
  CHECK_THAT(error_of(R"({"schema": "gpuprof.kernels/1"})"), ContainsSubstring("its schema is \"gpuprof.kernels/1\""));
  CHECK_THAT(error_of(R"({"schema": "gpuprof.report/1x"})"), ContainsSubstring("not a gpuprof report"));
  CHECK_THAT(error_of(R"({"schema": "gpuprof.report/2"})"),
             ContainsSubstring("newer gpuprof") && ContainsSubstring("| Update gpuprof."));
  CHECK_THAT(error_of(R"({"schema": "gpuprof.report/99999999999999999999"})"), ContainsSubstring("newer gpuprof"));
}

TEST_CASE("a field of the wrong type is named by its path") {
  const std::pair<std::pair<std::string, Json>, std::string> cases[] = {
      {{"/kernels/3/launches", "many"}, "kernels[3].launches must be a non-negative integer, not string \"many\""},
      {{"/kernels/0/launches", -1}, "kernels[0].launches must be a non-negative integer, not number -1"},
      {{"/kernels/0/launches", 1.5}, "kernels[0].launches must be a non-negative integer, not number 1.5"},
      {{"/kernels/0/registers_per_thread", 4294967296}, "must be a non-negative integer of 32 bits"},
      {{"/kernels/0/key/grid", Json::array({1, 2})}, "kernels[0].key.grid must be an array of three integers"},
      {{"/kernels/0/key/grid/1", -1}, "kernels[0].key.grid[1] must be a non-negative integer"},
      {{"/kernels/0/share", "half"}, "kernels[0].share must be a number"},
      {{"/kernels/0/selected", 1}, "kernels[0].selected must be true or false"},
      {{"/kernels/0/counters", Json::array()}, "kernels[0].counters must be an object"},
      {{"/kernels/0/counters/dram__bytes.sum/state", "guessed"}, "counters.dram__bytes.sum.state must be one of"},
      {{"/kernels", Json::object()}, "kernels must be an array"},
      {{"/kernels/0", 1}, "kernels[0] must be an object"},
      {{"/session", 7}, "session must be a string, not number 7"},
      {{"/notices", nullptr}, "notices must be an array, not null"},
      {{"/stages/0/end/kind", "evaporated"}, "stages[0].end.kind must be one of \"exited\""},
      {{"/ledger/kernels/unaccounted", 18446744073709551615ULL}, "must be an integer of 64 bits"},
  };
  for (const auto& [change, message] : cases)
    CHECK_THAT(error_with(change.first, change.second), ContainsSubstring(message));
}

TEST_CASE("a timeline field of the wrong type is named by its path") {
  const std::pair<std::pair<std::string, Json>, std::string> cases[] = {
      {{"/devices/0/idle/0/cause", "boredom"}, "devices[0].idle[0].cause must be one of \"not_captured\""},
      {{"/devices/0/idle/0/cause", 3}, "devices[0].idle[0].cause must be one of"},
      {{"/devices/0/rank", -1}, "devices[0].rank must be a non-negative integer"},
      {{"/devices/0/rank", 4294967296}, "devices[0].rank must be a non-negative integer of 32 bits"},
      {{"/devices/0/wall_ns", nullptr}, "devices[0].wall_ns must be a non-negative integer"},
      {{"/devices/0/launch_latency_ns", nullptr}, "devices[0].launch_latency_ns must be an object"},
      {{"/devices", nullptr}, "devices must be an array"},
      {{"/steps/1/time_ns/p95", "x"}, "steps[1].time_ns.p95 must be a non-negative integer"},
      {{"/nvtx", Json::array()}, "nvtx must be an object"},
      {{"/capture/partial", 1}, "capture.partial must be true or false"},
      {{"/job/missing/1", 1.5}, "job.missing[1] must be a non-negative integer"},
      {{"/job/ranks/0/median_step_ns", "fast"}, "job.ranks[0].median_step_ns must be a number"},
      {{"/job/slowest_rank", "3"}, "job.slowest_rank must be a non-negative integer"},
      {{"/processes/0/used_cuda", nullptr}, "processes[0].used_cuda must be true or false"},
      {{"/processes/0/labels/0", 1}, "processes[0].labels[0] must be a string"},
      {{"/telemetry/gpus/3/power_w", 400}, "telemetry.gpus[3].power_w must be an object"},
      {{"/telemetry/gpus/3/power_w", Json::object()}, "telemetry.gpus[3].power_w.min is missing"},
      {{"/telemetry/gpus/5/xids", {-79}}, "telemetry.gpus[5].xids[0] must be a non-negative integer"},
      {{"/kernels/0/estimated_launches", 0.5}, "kernels[0].estimated_launches must be a non-negative integer"},
  };
  for (const auto& [change, message] : cases) {
    Json json = ranks();
    json[Json::json_pointer(change.first)] = change.second;
    CHECK_THAT(error_of(json.dump()), ContainsSubstring(message));
  }
}

TEST_CASE("a missing field is named by its path") {
  Json json = training();
  json["kernels"][1]["time_ns"].erase("p95");
  CHECK_THAT(error_of(json.dump()), ContainsSubstring("report.json is not a valid report: kernels[1].time_ns.p95 is "
                                                      "missing"));
  json = training();
  json.erase("totals");
  CHECK_THAT(error_of(json.dump()), ContainsSubstring("totals is missing"));
  json = ranks();
  json["devices"][2].erase("idle_ns");
  CHECK_THAT(error_of(json.dump()), ContainsSubstring("devices[2].idle_ns is missing"));
}

TEST_CASE("messages about hostile files are safe on a terminal and short") {
  Json json = training();
  json["kernels"][0]["counters"]["\x1b[31m" + std::string(5000, 'x')] = 1;
  const std::string message = error_of(json.dump());
  CHECK(message.find('\x1b') == std::string::npos);
  CHECK(message.size() < 600);
}

TEST_CASE("every cut of a report is refused, none crashes") {
  const std::string text = training().dump();
  for (std::size_t size = 0; size < text.size(); size += 97) {
    CHECK(error_of(text.substr(0, size)) != "no error");
  }
}

}  // namespace
