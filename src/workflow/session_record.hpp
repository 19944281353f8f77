// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// session.json: what was run and how it ended. Written before the program starts and again after every stage, so that a
// report can be made from the traces even when gpuprof itself was killed.

#include <cstdint>
#include <string>
#include <vector>

#include "gpuprof/report.hpp"
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
  std::vector<StageRun> stages;  // those that have ended
};

std::string to_json(const SessionRecord& record);

// Throws Error when the text is not a session record or one of a newer version; `name` is used in messages.
SessionRecord session_record_from_json(const std::string& text, const std::string& name);

// The time now as "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace gpuprof::workflow
