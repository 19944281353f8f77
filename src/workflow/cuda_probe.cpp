// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/cuda_probe.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "workflow/isolated_call.hpp"

namespace gpuprof::workflow {
namespace {

using Json = nlohmann::json;

// The driver API's plain C functions; CUresult and CUdevice are int.
using Init = int (*)(unsigned);
using DriverGetVersion = int (*)(int*);
using DeviceGetCount = int (*)(int*);
using DeviceGet = int (*)(int*, int);
using DeviceGetName = int (*)(char*, int, int);
using DeviceGetAttribute = int (*)(int*, int, int);
using GetErrorString = int (*)(int, const char**);

constexpr int kComputeMajor = 75;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
constexpr int kComputeMinor = 76;
constexpr int kStubLibrary = 34;  // CUDA_ERROR_STUB_LIBRARY

// The first cuInit after a boot loads kernel modules and can take many seconds on a machine with eight GPUs.
constexpr std::chrono::seconds kLimit{60};

template <typename Function>
Function symbol(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

std::string error_text(void* library, const char* call, int code) {
  const char* text = nullptr;
  if (const auto get = symbol<GetErrorString>(library, "cuGetErrorString")) get(code, &text);
  std::string message = std::string(call) + " failed with error " + std::to_string(code);
  if (text != nullptr) message += std::string(" (") + text + ")";
  if (code == kStubLibrary) message += ": this libcuda is the toolkit's stub, not the driver's";
  return message;
}

Json describe_devices(void* library) {
  Json devices = Json::array();
  const auto get_count = symbol<DeviceGetCount>(library, "cuDeviceGetCount");
  const auto get = symbol<DeviceGet>(library, "cuDeviceGet");
  const auto get_name = symbol<DeviceGetName>(library, "cuDeviceGetName");
  const auto get_attribute = symbol<DeviceGetAttribute>(library, "cuDeviceGetAttribute");
  int count = 0;
  if (!get_count || !get || !get_name || !get_attribute || get_count(&count) != 0) return devices;
  for (int index = 0; index < count; ++index) {
    int device = 0;
    int major = 0;
    int minor = 0;
    char name[256] = "";
    if (get(&device, index) != 0) continue;
    get_name(name, static_cast<int>(sizeof name), device);
    get_attribute(&major, kComputeMajor, device);
    get_attribute(&minor, kComputeMinor, device);
    devices.push_back({{"name", name}, {"major", major}, {"minor", minor}});
  }
  return devices;
}

std::string ask_driver() {
  // Initialising CUDA would load the tool that is named there into this process.
  unsetenv("CUDA_INJECTION64_PATH");
  Json answer{{"library", ""}, {"failure", ""}, {"version", 0}, {"devices", Json::array()}};
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    answer["failure"] = reason != nullptr ? reason : "libcuda.so.1 cannot be opened";
    return answer.dump();
  }
  const auto init = symbol<Init>(library, "cuInit");
  Dl_info file{};
  if (init != nullptr && dladdr(reinterpret_cast<void*>(init), &file) != 0) answer["library"] = file.dli_fname;
  if (init == nullptr) {
    answer["failure"] = "libcuda.so.1 has no cuInit";
  } else if (const int code = init(0); code != 0) {
    answer["failure"] = error_text(library, "cuInit", code);
  } else {
    int version = 0;
    if (const auto get_version = symbol<DriverGetVersion>(library, "cuDriverGetVersion")) get_version(&version);
    answer["version"] = version;
    answer["devices"] = describe_devices(library);
  }
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

CudaProbe probe_cuda() {
  CudaProbe probe;
  const IsolatedAnswer answer = ask_in_child(ask_driver, kLimit);
  if (!answer.answered) {
    probe.failure = "asking the CUDA driver: " + answer.failure;
    return probe;
  }
  const Json json = Json::parse(answer.text);
  probe.library = json.at("library").get<std::string>();
  probe.failure = json.at("failure").get<std::string>();
  probe.cuda_version = json.at("version").get<int>();
  for (const Json& device : json.at("devices")) {
    probe.devices.push_back(
        {device.at("name").get<std::string>(), device.at("major").get<int>(), device.at("minor").get<int>()});
  }
  return probe;
}

std::string cuda_version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace gpuprof::workflow
