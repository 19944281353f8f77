// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs the command once with the collector armed.

#include <csignal>
#include <string>
#include <vector>

#include "workflow/capture_settings.hpp"
#include "workflow/progress.hpp"
#include "workflow/session_record.hpp"

namespace gpuprof::workflow {

struct StageOptions {
  std::string name;  // "timeline" or "counters"
  std::vector<std::string> command;
  std::string collector;
  std::string trace_directory;
  std::string plan;         // counter stage: the file with the plan
  CaptureSettings capture;  // timeline stage
  int stdin_fd = -1;  // -1: ours
  int stdout_fd = -1;
  int stderr_fd = -1;
  sigset_t signal_mask{};  // the program's
};

struct StageOutcome {
  StageRun run;
  int stop_signal = 0;  // a request to stop that reached gpuprof meanwhile; 0: none
};

// Waits for the command while showing progress, and leaves one line about the stage.
StageOutcome run_stage(const StageOptions& options, Progress& progress);

// Number and total size of the trace files in a directory.
struct TraceFiles {
  std::size_t count = 0;
  std::uint64_t bytes = 0;
};
TraceFiles trace_files(const std::string& directory);

}  // namespace gpuprof::workflow
