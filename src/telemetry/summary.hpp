// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// From the samples in telemetry.trace to what the report says about the GPUs' state.

#include <string>
#include <vector>

#include "gpuprof/report.hpp"

namespace gpuprof::telemetry {

struct Summary {
  TelemetryReport report;
  std::vector<Notice> notices;  // GPUs that were lost, samples that ended early
};

// What the launcher knows about the sampling.
struct SamplingRecord {
  double hz = 0;        // as requested; 0: there was none, and the summary is empty
  std::string failure;  // as SamplingProcess::stop() returned it
};

// Ranges are over the samples taken while the program ran, medians of an even number the mean of the middle two. Each
// sample stands for the time to the next one of its GPU, or to the program's end, but for two periods at most: what was
// between samples that are far apart is not known. XID and ECC errors count from the first sample on, those that came
// in just after the program's end included. Never throws for a file that is missing or damaged: the report says so.
Summary summarize(const std::string& path, const SamplingRecord& sampling);

}  // namespace gpuprof::telemetry
