// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The second run of the command, with hardware counters armed.

#include <csignal>
#include <string>

#include "target/standard_input.hpp"
#include "workflow/counter_plan.hpp"
#include "workflow/progress.hpp"
#include "workflow/session.hpp"
#include "workflow/session_record.hpp"

namespace gpuprof::workflow {

// Why a second run makes no sense here, as a sentence for the report; empty when it does. `stop_signal` is what reached
// gpuprof during the timeline stage.
std::string reason_to_skip_counters(const Report& report, const target::StandardInput& input, int stop_signal);

struct CounterStage {
  const SessionPaths& session;
  const std::string& collector;
  const target::StandardInput& input;
  sigset_t signal_mask;
};

// Writes the plan, runs the command again and adds the stage to the record. The program's standard output is discarded
// and its standard error shown, at its end, only if this run fails where the first did not. Throws Error.
void run_counter_stage(const CounterStage& stage, const CounterRequest& request, const Report& report,
                       SessionRecord& record, Progress& progress);

}  // namespace gpuprof::workflow
