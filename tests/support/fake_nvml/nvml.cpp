// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
//
// NVML's functions as far as gpuprof calls them, declared here once more: a mistake in src/telemetry/nvml_api.hpp is
// not to be shared.

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>

#include "script.hpp"

using gpuprof::fake_nvml::kSuccess;

namespace {

gpuprof::fake_nvml::Script script;
bool initialised = false;

struct FakeDevice {
  unsigned index;
};
constexpr unsigned kMostGpus = 16;
std::array<FakeDevice, kMostGpus> devices;

int event_set_tag = 0;
unsigned long long registered_gpus = 0;

constexpr int kUninitialized = 1;
constexpr int kInvalidArgument = 2;

template <typename Integer>
int next(const std::string& name, const void* device, std::uint64_t otherwise, Integer* value) {
  if (!initialised) return kUninitialized;
  std::uint64_t number = 0;
  const int result = script.next(name, static_cast<const FakeDevice*>(device)->index, otherwise, number);
  if (result == kSuccess) *value = static_cast<Integer>(number);
  return result;
}

int copy_text(const std::string& text, char* buffer, unsigned size) {
  std::snprintf(buffer, size, "%s", text.c_str());
  return kSuccess;
}

struct EventDataV1 {
  void* device;
  unsigned long long type;
  unsigned long long data;
};

int wait_for_event(void* set, EventDataV1* event) {
  if (set != &event_set_tag) return kInvalidArgument;
  unsigned gpu = 0;
  std::uint64_t xid = 0;
  const int result = script.next_error(gpu, xid);
  if (result != kSuccess || (registered_gpus >> gpu & 1) == 0) return gpuprof::fake_nvml::kTimeout;
  *event = {&devices.at(gpu), 8, xid};
  return kSuccess;
}

int clock_reasons(void* device, unsigned long long* reasons) {
  return next("reasons", device, 0, reasons);
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int nvmlInit_v2() {
  script.read();
  registered_gpus = 0;
  for (unsigned i = 0; i < kMostGpus; ++i) devices[i].index = i;
  std::this_thread::sleep_for(std::chrono::milliseconds(script.number("init_ms", 0)));
  const int result = static_cast<int>(script.number("init", 0));
  initialised = result == kSuccess;
  return result;
}

__attribute__((visibility("default"))) int nvmlShutdown() {
  script.write_calls();
  initialised = false;
  return kSuccess;
}

__attribute__((visibility("default"))) const char* nvmlErrorString(int result) {
  switch (result) {
    case 3:
      return "Not Supported";
    case 4:
      return "Insufficient Permissions";
    case 9:
      return "Driver Not Loaded";
    case 15:
      return "GPU is lost";
    case 18:
      return "Driver/library version mismatch";
    default:
      return "Unknown Error";
  }
}

__attribute__((visibility("default"))) int nvmlSystemGetDriverVersion(char* version, unsigned length) {
  return copy_text("580.0.0-fake", version, length);
}

__attribute__((visibility("default"))) int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(script.number("gpus", 1));
  return kSuccess;
}

__attribute__((visibility("default"))) int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  if (index >= script.number("gpus", 1)) return kInvalidArgument;
  if (index == script.number("refused", kMostGpus)) return gpuprof::fake_nvml::kNoPermission;
  *device = &devices.at(index);
  return kSuccess;
}

__attribute__((visibility("default"))) int nvmlDeviceGetIndex(void* device, unsigned* index) {
  *index = static_cast<FakeDevice*>(device)->index;
  return kSuccess;
}

__attribute__((visibility("default"))) int nvmlDeviceGetName(void*, char* name, unsigned length) {
  return copy_text("NVIDIA Fake H200", name, length);
}

__attribute__((visibility("default"))) int nvmlDeviceGetUUID(void* device, char* uuid, unsigned length) {
  return copy_text("GPU-0000000" + std::to_string(static_cast<FakeDevice*>(device)->index), uuid, length);
}

__attribute__((visibility("default"))) int nvmlDeviceGetMaxClockInfo(void*, int type, unsigned* mhz) {
  *mhz = type == 1 ? 1980 : 3201;
  return kSuccess;
}

__attribute__((visibility("default"))) int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* mw) {
  *mw = 700000;
  return kSuccess;
}

__attribute__((visibility("default"))) int nvmlDeviceGetClockInfo(void* device, int type, unsigned* mhz) {
  return type == 1 ? next("sm_clock", device, 1980, mhz) : next("memory_clock", device, 3201, mhz);
}

__attribute__((visibility("default"))) int nvmlDeviceGetPowerUsage(void* device, unsigned* mw) {
  return next("power", device, 100000, mw);
}

__attribute__((visibility("default"))) int nvmlDeviceGetTemperature(void* device, int sensor, unsigned* celsius) {
  return sensor == 0 ? next("temperature", device, 40, celsius) : kInvalidArgument;
}

__attribute__((visibility("default"))) int nvmlDeviceGetUtilizationRates(void* device, unsigned* rates) {
  const int result = next("utilization", device, 50, &rates[0]);
  return result == kSuccess ? next("memory_utilization", device, 20, &rates[1]) : result;
}

__attribute__((visibility("default"))) int nvmlDeviceGetMemoryInfo(void* device, unsigned long long* memory) {
  memory[0] = 150'000'000'000;
  const int result = next("memory_used", device, 1'000'000'000, &memory[2]);
  memory[1] = memory[0] - memory[2];
  return result;
}

__attribute__((visibility("default"))) int nvmlDeviceGetPcieThroughput(void* device, int counter, unsigned* kb) {
  return counter == 0 ? next("pcie_tx", device, 500, kb) : next("pcie_rx", device, 700, kb);
}

#ifndef FAKE_NVML_OLD
__attribute__((visibility("default"))) int nvmlDeviceGetCurrentClocksEventReasons(void* device,
                                                                                  unsigned long long* reasons) {
  return clock_reasons(device, reasons);
}

__attribute__((visibility("default"))) int nvmlEventSetWait_v2(void* set, void* event, unsigned timeout_ms) {
  if (timeout_ms != 0) return kInvalidArgument;
  struct EventDataV2 {
    EventDataV1 first;
    unsigned gpu_instance;
    unsigned compute_instance;
  };
  EventDataV2 data{};
  const int result = wait_for_event(set, &data.first);
  if (result == kSuccess) *static_cast<EventDataV2*>(event) = data;
  return result;
}
#else
__attribute__((visibility("default"))) int nvmlDeviceGetCurrentClocksThrottleReasons(void* device,
                                                                                     unsigned long long* reasons) {
  return clock_reasons(device, reasons);
}

__attribute__((visibility("default"))) int nvmlEventSetWait(void* set, void* event, unsigned timeout_ms) {
  return timeout_ms == 0 ? wait_for_event(set, static_cast<EventDataV1*>(event)) : kInvalidArgument;
}
#endif

__attribute__((visibility("default"))) int nvmlDeviceGetTotalEccErrors(void* device, int type, int counter,
                                                                       unsigned long long* count) {
  if (counter != 0) return kInvalidArgument;
  return type == 0 ? next("ecc_corrected", device, 0, count) : next("ecc_uncorrected", device, 0, count);
}

__attribute__((visibility("default"))) int nvmlEventSetCreate(void** set) {
  *set = &event_set_tag;
  return kSuccess;
}

__attribute__((visibility("default"))) int nvmlEventSetFree(void* set) {
  return set == &event_set_tag ? kSuccess : kInvalidArgument;
}

__attribute__((visibility("default"))) int nvmlDeviceRegisterEvents(void* device, unsigned long long types, void* set) {
  if (set != &event_set_tag || types != 8) return kInvalidArgument;
  registered_gpus |= 1ULL << static_cast<FakeDevice*>(device)->index;
  return kSuccess;
}

}  // extern "C"
