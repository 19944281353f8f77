// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/session_record.hpp"

#include <ctime>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.hpp"

namespace gpuprof::workflow {
namespace {

using Json = nlohmann::ordered_json;
using Kind = timeline::SelectionRule::Kind;

constexpr EndKind kEndKinds[] = {EndKind::exited, EndKind::signalled, EndKind::not_started, EndKind::running};

EndKind end_kind(const std::string& text) {
  for (EndKind kind : kEndKinds) {
    if (text == to_string(kind)) return kind;
  }
  return EndKind::running;
}

Json stage_to_json(const StageRun& stage) {
  return {{"name", stage.name},
          {"pid", stage.pid},
          {"end", {{"kind", to_string(stage.end.kind)}, {"code", stage.end.code}}},
          {"wall_time_ns", stage.wall_time_ns}};
}

StageRun stage_from_json(const Json& json) {
  StageRun stage;
  stage.name = json.at("name").get<std::string>();
  stage.pid = json.at("pid").get<std::uint32_t>();
  stage.end.kind = end_kind(json.at("end").at("kind").get<std::string>());
  stage.end.code = json.at("end").at("code").get<int>();
  stage.wall_time_ns = json.at("wall_time_ns").get<std::uint64_t>();
  return stage;
}

void read_selection(const Json& json, timeline::SelectionRule& rule) {
  rule.kind = json.at("rule").get<std::string>() == "top" ? Kind::top : Kind::coverage;
  rule.coverage = json.at("coverage").get<double>();
  rule.top = json.at("top").get<std::uint64_t>();
  rule.cap = json.at("cap").get<std::uint64_t>();
}

SessionRecord read_record(const Json& json) {
  SessionRecord record;
  record.generator_version = json.at("generator_version").get<std::string>();
  record.recorded_at = json.at("recorded_at").get<std::string>();
  record.command = json.at("command").get<std::vector<std::string>>();
  record.working_directory = json.at("working_directory").get<std::string>();
  const Json& environment = json.at("environment");
  record.environment.hostname = environment.at("hostname").get<std::string>();
  record.environment.operating_system = environment.at("operating_system").get<std::string>();
  record.environment.driver_version = environment.at("driver_version").get<std::string>();
  read_selection(json.at("selection"), record.selection);
  record.tier = json.at("tier").get<std::string>();
  record.counters_requested = json.at("counters_requested").get<bool>();
  record.counters_skipped = json.at("counters_skipped").get<std::string>();
  for (const Json& stage : json.at("stages")) record.stages.push_back(stage_from_json(stage));
  return record;
}

}  // namespace

std::string to_json(const SessionRecord& record) {
  Json json{{"schema", kSessionSchema},
            {"generator_version", record.generator_version},
            {"recorded_at", record.recorded_at},
            {"command", record.command},
            {"working_directory", record.working_directory},
            {"environment",
             {{"hostname", record.environment.hostname},
              {"operating_system", record.environment.operating_system},
              {"driver_version", record.environment.driver_version}}},
            {"selection",
             {{"rule", record.selection.kind == Kind::top ? "top" : "coverage"},
              {"coverage", record.selection.coverage},
              {"top", record.selection.top},
              {"cap", record.selection.cap}}},
            {"tier", record.tier},
            {"counters_requested", record.counters_requested},
            {"counters_skipped", record.counters_skipped}};
  json["stages"] = Json::array();
  for (const StageRun& stage : record.stages) json["stages"].push_back(stage_to_json(stage));
  // Arguments and paths are bytes; JSON is UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

SessionRecord session_record_from_json(const std::string& text, const std::string& name) {
  try {
    const Json json = Json::parse(text);
    const std::string schema = json.at("schema").get<std::string>();
    if (schema != kSessionSchema) {
      throw Error(name + " has schema \"" + schema + "\", this gpuprof reads \"" + kSessionSchema + "\"",
                  "Read it with the gpuprof version that wrote it.");
    }
    return read_record(json);
  } catch (const nlohmann::json::exception& error) {
    throw Error(name + " is not a gpuprof session record: " + error.what(), "Name a session written by gpuprof run.");
  }
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

}  // namespace gpuprof::workflow
