// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The environment variables that gpuprof itself heeds. This is the only place below the command line that reads them;
// the collector reads its own.

#include <string>

namespace gpuprof::workflow {

// Empty strings for variables that are not set.
struct Settings {
  std::string collector;       // GPUPROF_COLLECTOR: the collector library to use
  std::string cupti_library;   // GPUPROF_CUPTI_LIB: a libcupti to try first
  std::string cuda_injection;  // CUDA_INJECTION64_PATH: a tool that is already loaded into CUDA programs
  std::string library_path;    // LD_LIBRARY_PATH
  std::string mps_directory;   // CUDA_MPS_PIPE_DIRECTORY
  std::string program_path;    // PATH
};

Settings read_settings();

}  // namespace gpuprof::workflow
