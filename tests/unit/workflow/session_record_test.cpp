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
