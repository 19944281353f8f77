// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "telemetry/nvml.hpp"

#include <dlfcn.h>

#include <initializer_list>

namespace gpuprof::telemetry {
namespace {

constexpr const char* kLibrary = "libnvidia-ml.so.1";

// The first of the names that the library has: newer names come first.
template <typename Function>
void find(void* library, Function*& function, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
    if (function != nullptr) return;
  }
}

nvml::Api find_functions(void* library) {
  nvml::Api api;
  find(library, api.init, {"nvmlInit_v2", "nvmlInit"});
  find(library, api.shutdown, {"nvmlShutdown"});
  find(library, api.error_string, {"nvmlErrorString"});
  find(library, api.driver_version, {"nvmlSystemGetDriverVersion"});
  find(library, api.device_count, {"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"});
  find(library, api.device_by_index, {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"});
  find(library, api.device_index, {"nvmlDeviceGetIndex"});
  find(library, api.device_name, {"nvmlDeviceGetName"});
  find(library, api.device_uuid, {"nvmlDeviceGetUUID"});
  find(library, api.max_clock, {"nvmlDeviceGetMaxClockInfo"});
  find(library, api.power_limit, {"nvmlDeviceGetEnforcedPowerLimit", "nvmlDeviceGetPowerManagementLimit"});
  find(library, api.clock, {"nvmlDeviceGetClockInfo"});
  find(library, api.power_usage, {"nvmlDeviceGetPowerUsage"});
  find(library, api.temperature, {"nvmlDeviceGetTemperature"});
  find(library, api.utilization, {"nvmlDeviceGetUtilizationRates"});
  find(library, api.memory_info, {"nvmlDeviceGetMemoryInfo"});
  find(library, api.pcie_throughput, {"nvmlDeviceGetPcieThroughput"});
  find(library, api.clock_reasons,
       {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  find(library, api.total_ecc_errors, {"nvmlDeviceGetTotalEccErrors"});
  find(library, api.event_set_create, {"nvmlEventSetCreate"});
  find(library, api.event_set_free, {"nvmlEventSetFree"});
  find(library, api.register_events, {"nvmlDeviceRegisterEvents"});
  find(library, api.event_set_wait, {"nvmlEventSetWait_v2", "nvmlEventSetWait"});
  return api;
}

std::string path_of(const void* symbol, const std::string& otherwise) {
  Dl_info info{};
  return dladdr(symbol, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : otherwise;
}

}  // namespace

std::unique_ptr<Nvml> Nvml::open(const std::string& library, std::string& reason) {
  const std::string name = library.empty() ? kLibrary : library;
  std::unique_ptr<Nvml> nvml(new Nvml());
  nvml->library_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (nvml->library_ == nullptr) {
    const char* error = dlerror();
    reason = "NVML cannot be loaded: " + std::string(error != nullptr ? error : name);
    return nullptr;
  }
  nvml->api_ = find_functions(nvml->library_);
  const nvml::Api& api = nvml->api_;
  if (api.init == nullptr || api.device_count == nullptr || api.device_by_index == nullptr) {
    nvml->api_.shutdown = nullptr;
    reason = name + " is not NVML: it lacks nvmlInit_v2 or nvmlDeviceGetHandleByIndex_v2";
    return nullptr;
  }
  nvml->path_ = path_of(reinterpret_cast<const void*>(api.init), name);
  if (const int result = api.init(); result != nvml::kSuccess) {
    nvml->api_.shutdown = nullptr;
    reason = "NVML cannot be initialised: " + nvml->error_text(result);
    return nullptr;
  }
  return nvml;
}

Nvml::~Nvml() {
  if (api_.shutdown != nullptr) api_.shutdown();
}

std::string Nvml::driver_version() const {
  char text[nvml::kTextBytes] = {};
  if (api_.driver_version == nullptr || api_.driver_version(text, sizeof text) != nvml::kSuccess) return {};
  return text;
}

unsigned Nvml::device_count() const {
  unsigned count = 0;
  return api_.device_count(&count) == nvml::kSuccess ? count : 0;
}

std::string Nvml::error_text(int result) const {
  const char* text = api_.error_string != nullptr ? api_.error_string(result) : nullptr;
  return text != nullptr ? text : "error " + std::to_string(result);
}

NvmlState examine_nvml(const std::string& library) {
  std::string reason;
  const std::unique_ptr<Nvml> nvml = Nvml::open(library, reason);
  if (!nvml) return {false, reason};
  const unsigned count = nvml->device_count();
  if (count == 0) return {false, "NVML offers no GPU (" + nvml->path() + ")"};
  const std::string version = nvml->driver_version();
  return {true, (version.empty() ? "" : "driver " + version + ", ") + std::to_string(count) +
                    (count == 1 ? " GPU (" : " GPUs (") + nvml->path() + ")"};
}

}  // namespace gpuprof::telemetry
