// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How processes ended whose traces do not say: still there, gone without their exit handlers, or gone on as another
// program.

#include <string>
#include <vector>

#include "gpuprof/report.hpp"
#include "workflow/session.hpp"
#include "workflow/session_record.hpp"

namespace gpuprof::workflow {

// One entry for each trace of the stage ("timeline" or "counters") about whose process something can be seen now:
// processes of this host by /proc, and chains of exec by traces of one and the same process. To be called before the
// traces are read: a process that is gone by then has written all it will ever write.
std::vector<TraceEnd> observe_ends(const SessionPaths& session, const std::string& stage);

// Adds what is observed to what is known. A process that was still running is looked at anew, everything else is final.
void add_observations(const std::vector<TraceEnd>& observed, std::vector<TraceEnd>& known);

// Those of the observations that say more than the processes' own traces. `processes` are those of one stage.
std::vector<TraceEnd> needed_ends(const std::vector<TraceEnd>& observed, const SessionPaths& session,
                                  const std::string& stage, const std::vector<ProcessReport>& processes);

// Fills in the ends that the processes' traces do not tell. Returns the pids of those that were seen running.
std::vector<std::uint32_t> apply_ends(const std::vector<TraceEnd>& ends, const SessionPaths& session,
                                      const std::string& stage, std::vector<ProcessReport>& processes);

// The notice "processes.running" about these processes, of which there is at least one.
Notice running_notice(const std::vector<std::uint32_t>& pids);

}  // namespace gpuprof::workflow
