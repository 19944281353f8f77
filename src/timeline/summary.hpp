// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads the timeline traces of a session and sums them up: kernels by key, copies, processes, the ledger.

#include <string>
#include <vector>

#include "gpuprof/report.hpp"
#include "gpuprof/trace.hpp"

namespace gpuprof::timeline {

// What all timeline traces of one session say together.
struct Summary {
  std::vector<KernelReport> kernels;  // by descending total time, ties by key; shares filled in, nothing selected yet
  std::vector<GraphReport> graphs;    // id and number of kernel nodes of every graph launched, of all processes
  std::vector<CopyReport> copies;     // copies and memsets, by descending total time
  std::vector<ProcessReport> processes;
  Ledger ledger;
  Totals totals;            // all but wall_time_ns, which the launcher measures
  Environment environment;  // gpus, hostname, cupti path and version; the rest is the launcher's
  std::vector<DeviceTimeline> devices;
  std::vector<StepReport> steps;
  std::vector<RangeReport> ranges;
  NvtxReport nvtx;
  CaptureSummary capture;
  JobReport job;
  std::vector<MemoryReport> memory;
  std::vector<Notice> notices;
  std::string chip;  // of the first device; empty when unknown
};

// Reads every `*.trace` file in `directory`, in name order. A file that is not a gpuprof trace or is newer becomes a
// notice; a torn one is read as far as it goes and marked. An empty or missing directory gives an empty summary.
Summary summarize(const std::string& directory);

}  // namespace gpuprof::timeline
