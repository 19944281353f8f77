// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Merges what the launcher knows with what the traces say.

#include <string>

#include "counters/results.hpp"
#include "gpuprof/report.hpp"
#include "timeline/summary.hpp"
#include "workflow/counter_plan.hpp"
#include "workflow/session.hpp"
#include "workflow/session_record.hpp"

namespace gpuprof::workflow {

// The report of the timeline stage with the hot kernels selected. Says how the program ended, and why nothing was
// recorded if that is so. Counters: not attempted.
Report timeline_report(const SessionRecord& record, const SessionPaths& session, timeline::Summary summary);

// Adds a counter stage that ran: its values, its processes, and where it differed from the timeline stage.
void add_counters(const SessionRecord& record, const SessionPaths& session, counters::Results results,
                  const CounterGroupNames& groups, Report& report);

// Says for every selected kernel and metric of the plan why it was not measured.
void skip_counters(const std::string& reason, const std::string& tier, const CounterGroupNames& groups, Report& report);

// The report made again from a session's record and traces, for a session whose report was never written.
Report rebuild_report(const SessionPaths& session);

}  // namespace gpuprof::workflow
