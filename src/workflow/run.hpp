// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// gpuprof run: timeline, selection, counters, report.

#include <cstdint>
#include <string>
#include <vector>

#include "render/render.hpp"
#include "timeline/select.hpp"
#include "workflow/capture_settings.hpp"
#include "workflow/session.hpp"

namespace gpuprof::workflow {

struct RunOptions {
  std::vector<std::string> command;
  std::string directory;  // of the session; empty: named after the program
  Overwrite overwrite = Overwrite::no;
  timeline::SelectionRule selection;
  bool counters = true;
  std::string tier = "quick";
  std::uint32_t samples = 10;          // launches wanted per kernel and counter group
  std::uint32_t window_launches = 64;  // largest number of launches in a counter window
  double telemetry_hz = 5;             // samples of the GPUs' state per second; 0: none
  CaptureSettings capture;
  bool force_injection = false;        // replace another tool's CUDA_INJECTION64_PATH
  bool quiet = false;
  render::TextStyle style;  // of the closing summary on stderr
};

// Profiles the command and returns the exit status for the caller: the program's own of the timeline stage, 128 + N
// when signal N killed it, 126 or 127 when it could not be executed. Once the program has been started, nothing that
// goes wrong with profiling changes the status or is thrown: it is told on stderr. Throws Error (UsageError for bad
// options) before that.
int run(const RunOptions& options);

}  // namespace gpuprof::workflow
