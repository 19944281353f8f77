// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/settings.hpp"

#include <cstdlib>

namespace gpuprof::workflow {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

Settings read_settings() {
  return {variable("GPUPROF_COLLECTOR"),
          variable("GPUPROF_CUPTI_LIB"),
          variable("GPUPROF_NVML_LIB"),
          variable("CUDA_INJECTION64_PATH"),
          variable("LD_LIBRARY_PATH"),
          variable("CUDA_MPS_PIPE_DIRECTORY"),
          variable("PATH"),
          variable("GPUPROF_STAGE"),
          variable("GPUPROF_TRACE_DIR")};
}

std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return value;
}

}  // namespace gpuprof::workflow
