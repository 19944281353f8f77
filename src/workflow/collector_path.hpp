// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the collector library is, and the environment that makes the CUDA driver load it.

#include <string>
#include <utility>
#include <vector>

#include "workflow/capture_settings.hpp"

namespace gpuprof::workflow {

// Absolute path of libgpuprof_collector.so: $GPUPROF_COLLECTOR if set, else beside this program as installed or built.
// Throws Error when there is none, with the places that were looked at.
std::string find_collector();

// The value of CUDA_INJECTION64_PATH in our own environment when it names a tool other than `collector`; empty when the
// variable is unset, empty or "none".
std::string foreign_injection(const std::string& collector);

struct Injection {
  std::string collector;
  std::string stage;
  std::string trace_directory;
  std::string plan;         // counter stage
  CaptureSettings capture;  // timeline stage
};

// Variables that make the driver and NVTX load the collector, and tell it what to do and where to write.
std::vector<std::pair<std::string, std::string>> injection_environment(const Injection& injection);

}  // namespace gpuprof::workflow
