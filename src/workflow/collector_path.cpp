// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/collector_path.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "workflow/settings.hpp"

namespace gpuprof::workflow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileName = "libgpuprof_collector.so";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

}  // namespace

std::string find_collector() {
  if (const std::string named = read_settings().collector; !named.empty()) {
    if (!is_file(named)) {
      throw Error("GPUPROF_COLLECTOR names " + named + ", which is not a file",
                  "Point it at libgpuprof_collector.so, or unset it.");
    }
    // The driver opens the file in the program, which may run in another directory.
    return fs::absolute(named).lexically_normal().string();
  }
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  std::string tried;
  if (!error) {
    for (const char* relative : {GPUPROF_COLLECTOR_RELATIVE_DIR, "../lib/gpuprof"}) {
      const fs::path candidate = (self.parent_path() / relative / kFileName).lexically_normal();
      if (is_file(candidate)) return candidate.string();
      if (tried.find(candidate.string()) == std::string::npos)
        tried += (tried.empty() ? "" : ", ") + candidate.string();
    }
  }
  throw Error("the collector (" + std::string(kFileName) + ") was not found; looked at " + tried,
              "Build gpuprof where the CUDA Toolkit 12.9 or later is installed, or set GPUPROF_COLLECTOR to the file.");
}

std::string foreign_injection(const std::string& collector) {
  std::string value = read_settings().cuda_injection;
  if (value == "none") return {};
  std::error_code ignored;
  if (!value.empty() && fs::equivalent(value, collector, ignored)) return {};
  return value;
}

std::vector<std::pair<std::string, std::string>> injection_environment(const Injection& injection) {
  std::vector<std::pair<std::string, std::string>> environment{{"CUDA_INJECTION64_PATH", injection.collector},
                                                               {"GPUPROF_STAGE", injection.stage},
                                                               {"GPUPROF_TRACE_DIR", injection.trace_directory}};
  if (!injection.plan.empty()) {
    environment.emplace_back("GPUPROF_COUNTER_PLAN", injection.plan);
    return environment;
  }
  if (injection.capture.nvtx) environment.emplace_back("NVTX_INJECTION64_PATH", injection.collector);
  for (auto& variable : capture_environment(injection.capture)) environment.push_back(std::move(variable));
  return environment;
}

}  // namespace gpuprof::workflow
