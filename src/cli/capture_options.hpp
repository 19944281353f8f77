// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The options of `gpuprof run` about what is recorded, and when.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "workflow/capture_settings.hpp"

namespace gpuprof::cli {

struct CaptureOptions {
  std::string trace;
  std::string graphs = "nodes";
  double delay_s = 0;
  double duration_s = 0;
  double keep_last_s = 0;
  std::string range;
  std::uint64_t max_bytes = 0;
  std::string share;
};

void add_capture_options(CLI::App& app, CaptureOptions& options);

// Throws UsageError for what the parser cannot judge.
workflow::CaptureSettings to_capture_settings(const CaptureOptions& options);

}  // namespace gpuprof::cli
