// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/session_record.hpp"

#include <ctime>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.hpp"
#include "model/enum_names.hpp"

namespace gpuprof::workflow {
namespace {

using Json = nlohmann::ordered_json;
using Kind = timeline::SelectionRule::Kind;

Json end_to_json(const ProcessEnd& end) {
  return {{"kind", to_string(end.kind)}, {"code", end.code}};
}

ProcessEnd end_from_json(const Json& json) {
  ProcessEnd end;
  const std::string text = json.at("kind").get<std::string>();
  for (const auto& [kind, name] : model::enum_names(end.kind)) {
    if (text == name) end.kind = kind;
  }
  end.code = json.at("code").get<int>();
  return end;
}

Json stage_to_json(const StageRun& stage) {
  return {
      {"name", stage.name}, {"pid", stage.pid}, {"end", end_to_json(stage.end)}, {"wall_time_ns", stage.wall_time_ns}};
}

Json sampling_to_json(const telemetry::SamplingRecord& sampling) {
  return {{"hz", sampling.hz}, {"failure", sampling.failure}};
}

telemetry::SamplingRecord sampling_from_json(const Json& json) {
  return {json.at("hz").get<double>(), json.at("failure").get<std::string>()};
}

Json member_to_json(const SessionMember& member) {
  return {{"name", member.name},
          {"host", member.host},
          {"command", member.command},
          {"recorded_at", member.recorded_at},
          {"generator_version", member.generator_version},
          {"driver_version", member.driver_version},
          {"end", end_to_json(member.end)},
          {"wall_time_ns", member.wall_time_ns},
          {"traces", member.traces},
          {"duplicates", member.duplicates},
          {"telemetry_trace", member.telemetry_trace},
          {"telemetry", sampling_to_json(member.telemetry)}};
}

SessionMember member_from_json(const Json& json) {
  SessionMember member;
  member.name = json.at("name").get<std::string>();
  member.host = json.at("host").get<std::string>();
  member.command = json.at("command").get<std::vector<std::string>>();
  member.recorded_at = json.at("recorded_at").get<std::string>();
  member.generator_version = json.at("generator_version").get<std::string>();
  member.driver_version = json.at("driver_version").get<std::string>();
  member.end = end_from_json(json.at("end"));
  member.wall_time_ns = json.at("wall_time_ns").get<std::uint64_t>();
  member.traces = json.at("traces").get<std::uint64_t>();
  member.duplicates = json.at("duplicates").get<std::uint64_t>();
  // A name that leads out of the session is none of ours.
  const std::string telemetry_trace = json.at("telemetry_trace").get<std::string>();
  if (telemetry_trace.find('/') == std::string::npos) member.telemetry_trace = telemetry_trace;
  member.telemetry = sampling_from_json(json.at("telemetry"));
  return member;
}

// What was added later; sessions of earlier versions have none of it.
void read_additions(const Json& json, SessionRecord& record) {
  if (const auto telemetry = json.find("telemetry"); telemetry != json.end()) {
    record.telemetry = sampling_from_json(*telemetry);
  }
  if (const auto ends = json.find("ends"); ends != json.end()) {
    for (const Json& end : *ends) {
      record.ends.push_back({end.at("trace").get<std::string>(), end_from_json(end.at("end"))});
    }
  }
  if (const auto members = json.find("members"); members != json.end()) {
    for (const Json& member : *members) record.members.push_back(member_from_json(member));
  }
  if (const auto skipped = json.find("skipped"); skipped != json.end()) {
    record.skipped = skipped->get<std::vector<std::string>>();
  }
}

StageRun stage_from_json(const Json& json) {
  StageRun stage;
  stage.name = json.at("name").get<std::string>();
  stage.pid = json.at("pid").get<std::uint32_t>();
  stage.end = end_from_json(json.at("end"));
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
  read_additions(json, record);
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
            {"counters_skipped", record.counters_skipped},
            {"telemetry", sampling_to_json(record.telemetry)}};
  json["stages"] = Json::array();
  for (const StageRun& stage : record.stages) json["stages"].push_back(stage_to_json(stage));
  json["ends"] = Json::array();
  for (const TraceEnd& end : record.ends) json["ends"].push_back({{"trace", end.trace}, {"end", end_to_json(end.end)}});
  if (!record.members.empty()) json["members"] = Json::array();
  for (const SessionMember& member : record.members) json["members"].push_back(member_to_json(member));
  if (!record.skipped.empty()) json["skipped"] = record.skipped;
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
