// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the counter stage is asked to measure.

#include <string>
#include <vector>

#include "gpuprof/report.hpp"

namespace gpuprof::workflow {

// Metric names, one list per group that fits in a single pass.
using CounterGroupNames = std::vector<std::vector<std::string>>;

struct CounterRequest {
  CounterGroupNames groups;
  std::uint32_t samples = 10;          // launches wanted per kernel and group
  std::uint32_t window_launches = 64;  // largest number of launches in a window
};

// Writes the plan file (a trace file with one CounterPlan) for the selected kernels of the report. Throws Error.
void write_counter_plan(const std::string& path, const CounterRequest& request,
                        const std::vector<KernelReport>& kernels);

}  // namespace gpuprof::workflow
