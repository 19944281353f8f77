// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/session_record.hpp"

#include "base/error.hpp"
#include "support/catch2_compat.hpp"

using namespace gpuprof;
using namespace gpuprof::workflow;

TEST_CASE("a session record survives the way through JSON") {
  SessionRecord record;
  record.generator_version = "1.2.3";
  record.recorded_at = "2026-01-31T12:00:00Z";
  record.command = {"./app", "", "[a,b]", "\"x\""};
  record.working_directory = "/w";
  record.environment.hostname = "node1";
  record.environment.operating_system = "Linux 6.1";
  record.environment.driver_version = "580.1";
  record.selection.kind = timeline::SelectionRule::Kind::top;
  record.selection.top = 5;
  record.tier = "quick";
  record.counters_requested = false;
  record.counters_skipped = "not requested";
  record.telemetry = {2.5, "NVML did not answer"};
  record.stages = {{"timeline", 42, {EndKind::signalled, 9}, 123}, {"counters", 43, {EndKind::exited, 3}, 456}};
  record.ends = {{"timeline/1-2.trace", {EndKind::vanished, 0}}, {"counters/3-4.trace", {EndKind::replaced, 0}}};
  record.members.resize(2);
  record.members[0].name = "a.gpuprof";
  record.members[0].host = "node1";
  record.members[0].command = {"./app"};
  record.members[0].end = {EndKind::signalled, 15};
  record.members[0].telemetry_trace = "telemetry-node1.trace";
  record.members[0].telemetry = {5, "crashed"};
  record.members[1].telemetry_trace = "../elsewhere";
  record.skipped = {"c.gpuprof"};

  const SessionRecord read = session_record_from_json(to_json(record), "session.json");
  CHECK(read.command == record.command);
  CHECK(read.recorded_at == record.recorded_at);
  CHECK(read.environment.driver_version == "580.1");
  CHECK(read.selection.kind == timeline::SelectionRule::Kind::top);
  CHECK(read.selection.top == 5);
  CHECK_FALSE(read.counters_requested);
  CHECK(read.counters_skipped == "not requested");
  CHECK(read.telemetry.hz == 2.5);
  CHECK(read.telemetry.failure == "NVML did not answer");
  REQUIRE(read.stages.size() == 2);
  CHECK(read.stages[0].end.kind == EndKind::signalled);
  CHECK(read.stages[0].end.code == 9);
  CHECK(read.stages[1].end.kind == EndKind::exited);
  CHECK(read.stages[1].wall_time_ns == 456);
  REQUIRE(read.ends.size() == 2);
  CHECK(read.ends[0].trace == "timeline/1-2.trace");
  CHECK(read.ends[0].end.kind == EndKind::vanished);
  CHECK(read.ends[1].end.kind == EndKind::replaced);
  REQUIRE(read.members.size() == 2);
  CHECK(read.members[0].host == "node1");
  CHECK(read.members[0].end.code == 15);
  CHECK(read.members[0].telemetry.failure == "crashed");
  CHECK(read.members[0].telemetry_trace == "telemetry-node1.trace");
  CHECK(read.members[1].telemetry_trace.empty());
  CHECK(read.skipped == record.skipped);
}

TEST_CASE("arguments that are not UTF-8 do not break the record") {
  SessionRecord record;
  record.command = {"\xff"};
  CHECK(session_record_from_json(to_json(record), "session.json").command[0] == "\xef\xbf\xbd");
}

TEST_CASE("a record that cannot be read names the file and the reason") {
  CHECK_THROWS_WITH(session_record_from_json("{", "x.json"),
                    ContainsSubstring("x.json is not a gpuprof session record"));
  CHECK_THROWS_WITH(session_record_from_json("{\"schema\": \"gpuprof.session/1\"}", "x.json"),
                    ContainsSubstring("generator_version"));
  CHECK_THROWS_WITH(session_record_from_json("{\"schema\": \"gpuprof.session/2\"}", "x.json"),
                    ContainsSubstring("gpuprof.session/2"));
}

TEST_CASE("the time is written in UTC") {
  const std::string now = utc_now();
  REQUIRE(now.size() == 20);
  CHECK(now[10] == 'T');
  CHECK(now.back() == 'Z');
}
