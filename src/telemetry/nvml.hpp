// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// NVML, opened and initialised.

#include <memory>
#include <string>

#include "telemetry/nvml_api.hpp"

namespace gpuprof::telemetry {

class Nvml {
 public:
  // Opens `library` (empty: libnvidia-ml.so.1) and initialises it. Null on failure; `reason` then says why, in a
  // sentence without a full stop. Without a persistence daemon initialising may take seconds per GPU.
  static std::unique_ptr<Nvml> open(const std::string& library, std::string& reason);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  const nvml::Api& api() const { return api_; }
  const std::string& path() const { return path_; }  // of the file that was opened
  std::string driver_version() const;                // empty when unknown
  unsigned device_count() const;                     // 0 also when NVML does not tell
  std::string error_text(int result) const;

 private:
  Nvml() = default;

  void* library_ = nullptr;  // stays mapped: the driver's libraries keep threads and handlers of their own
  std::string path_;
  nvml::Api api_;
};

// What `gpuprof doctor` says about NVML. Loads the driver's library: to be asked in a process of its own.
struct NvmlState {
  bool usable = false;
  std::string text;  // "driver 580.95, 8 GPUs (/usr/lib/...)", or why it cannot be used
};
NvmlState examine_nvml(const std::string& library);

}  // namespace gpuprof::telemetry
