// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The environment variables that gpuprof itself heeds. This is the only place below the command line that reads them;
// the collector reads its own.

#include <optional>
#include <string>

namespace gpuprof::workflow {

// Empty strings for variables that are not set.
struct Settings {
  std::string collector;       // GPUPROF_COLLECTOR: the collector library to use
  std::string cupti_library;   // GPUPROF_CUPTI_LIB: a libcupti to try first
  std::string nvml_library;    // GPUPROF_NVML_LIB: the NVML to use instead of the driver's
  std::string cuda_injection;  // CUDA_INJECTION64_PATH: a tool that is already loaded into CUDA programs
  std::string library_path;    // LD_LIBRARY_PATH
  std::string mps_directory;   // CUDA_MPS_PIPE_DIRECTORY
  std::string program_path;    // PATH
  // Set for what another gpuprof runs:
  std::string stage;            // GPUPROF_STAGE
  std::string trace_directory;  // GPUPROF_TRACE_DIR
};

Settings read_settings();

// A variable that the user named; empty when it is not set.
std::optional<std::string> environment_variable(const std::string& name);

}  // namespace gpuprof::workflow
