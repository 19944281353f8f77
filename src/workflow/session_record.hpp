// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// session.json: what was run and how it ended. Written before the program starts and again after every stage, so that a
// report can be made from the traces even when gpuprof itself was killed.

#include <cstdint>
#include <string>
#include <vector>

#include "gpuprof/report.hpp"
#include "telemetry/summary.hpp"
#include "timeline/select.hpp"

namespace gpuprof::workflow {

inline constexpr const char* kSessionSchema = "gpuprof.session/1";

// One execution of the command by the launcher.
struct StageRun {
  std::string name;  // "timeline" or "counters"
  std::uint32_t pid = 0;
  ProcessEnd end;
  std::uint64_t wall_time_ns = 0;
};

// How the process of one trace ended, where others know more than the trace itself.
struct TraceEnd {
  std::string trace;  // its path in the session directory: "timeline/4711-1.trace"
  ProcessEnd end;
};

// One of the sessions that `gpuprof merge` joined.
struct SessionMember {
  std::string name;  // of its directory
  std::string host;
  std::vector<std::string> command;
  std::string recorded_at;
  std::string generator_version;
  std::string driver_version;
  ProcessEnd end;  // of the command in the timeline stage; running: gpuprof did not see its end
  std::uint64_t wall_time_ns = 0;
  std::uint64_t traces = 0;
  std::uint64_t duplicates = 0;         // traces left out because another member has them too
  std::string telemetry_trace;          // file name in the merged session; empty: none
  telemetry::SamplingRecord telemetry;  // how it was sampled
};

struct SessionRecord {
  std::string generator_version;
  std::string recorded_at;  // ISO 8601 UTC
  std::vector<std::string> command;
  std::string working_directory;
  Environment environment;  // hostname, operating_system and driver_version only
  timeline::SelectionRule selection;
  std::string tier;
  bool counters_requested = true;
  std::string counters_skipped;  // why the counter stage was left out; empty when it ran or is still to come
  telemetry::SamplingRecord telemetry;
  std::vector<StageRun> stages;  // those that have ended
  std::vector<TraceEnd> ends;
  std::vector<SessionMember> members;  // of a merged session; a stage's wall time is then the longest member's
  std::vector<std::string> skipped;    // directories among the members that were no sessions
};

std::string to_json(const SessionRecord& record);

// Throws Error when the text is not a session record or one of a newer version; `name` is used in messages.
SessionRecord session_record_from_json(const std::string& text, const std::string& name);

// The time now as "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace gpuprof::workflow
