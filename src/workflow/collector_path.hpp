// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the collector library is, and the environment that makes the CUDA driver load it.

#include <string>
#include <utility>
#include <vector>

namespace gpuprof::workflow {

// Absolute path of libgpuprof_collector.so: $GPUPROF_COLLECTOR if set, else beside this program as installed or built.
// Throws Error when there is none, with the places that were looked at.
std::string find_collector();

// The value of CUDA_INJECTION64_PATH in our own environment when it names a tool other than `collector`; empty when the
// variable is unset, empty or "none".
std::string foreign_injection(const std::string& collector);

// Variables that make the driver load `collector` and tell it where to write. `plan` may be empty.
std::vector<std::pair<std::string, std::string>> injection_environment(const std::string& collector,
                                                                       const std::string& stage,
                                                                       const std::string& trace_directory,
                                                                       const std::string& plan);

}  // namespace gpuprof::workflow
