// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The part of NVML's binary interface that gpuprof uses. NVML comes with the driver and is found at run time, so its
// header is not needed to build; the numbers and layouts below are those of its stable interface.

#include <cstdint>

namespace gpuprof::telemetry::nvml {

using Device = struct DeviceHandle*;
using EventSet = struct EventSetHandle*;

// nvmlReturn_t
inline constexpr int kSuccess = 0;
inline constexpr int kInvalidArgument = 2;
inline constexpr int kNotSupported = 3;
inline constexpr int kNoPermission = 4;
inline constexpr int kDriverNotLoaded = 9;
inline constexpr int kFunctionNotFound = 13;
inline constexpr int kGpuIsLost = 15;
inline constexpr int kLibraryVersionMismatch = 18;

// nvmlClockType_t
inline constexpr int kSmClock = 1;
inline constexpr int kMemoryClock = 2;
// nvmlTemperatureSensors_t
inline constexpr int kGpuSensor = 0;
// nvmlPcieUtilCounter_t
inline constexpr int kPcieTx = 0;
inline constexpr int kPcieRx = 1;
// nvmlMemoryErrorType_t
inline constexpr int kCorrected = 0;
inline constexpr int kUncorrected = 1;
// nvmlEccCounterType_t: since the driver was loaded
inline constexpr int kVolatile = 0;
// nvmlEventType
inline constexpr unsigned long long kXidEvent = 0x8;

// Room for names, UUIDs and versions; NVML's own limits are below it.
inline constexpr unsigned kTextBytes = 96;

struct Utilization {
  unsigned gpu = 0;  // percent
  unsigned memory = 0;
};

struct Memory {
  unsigned long long total = 0;  // bytes
  unsigned long long free = 0;
  unsigned long long used = 0;
};

// As nvmlEventSetWait_v2 fills it. The older nvmlEventSetWait writes the first three fields only.
struct EventData {
  Device device = nullptr;
  unsigned long long type = 0;
  unsigned long long data = 0;  // of an XID event: its number
  unsigned gpu_instance = 0;
  unsigned compute_instance = 0;
};

// Null for a function that the library does not have. All but error_string return an nvmlReturn_t.
struct Api {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  const char* (*error_string)(int) = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;
  int (*device_count)(unsigned*) = nullptr;
  int (*device_by_index)(unsigned, Device*) = nullptr;
  int (*device_index)(Device, unsigned*) = nullptr;
  int (*device_name)(Device, char*, unsigned) = nullptr;
  int (*device_uuid)(Device, char*, unsigned) = nullptr;
  int (*max_clock)(Device, int, unsigned*) = nullptr;
  int (*power_limit)(Device, unsigned*) = nullptr;  // mW
  int (*clock)(Device, int, unsigned*) = nullptr;   // MHz
  int (*power_usage)(Device, unsigned*) = nullptr;  // mW
  int (*temperature)(Device, int, unsigned*) = nullptr;
  int (*utilization)(Device, Utilization*) = nullptr;
  int (*memory_info)(Device, Memory*) = nullptr;
  int (*pcie_throughput)(Device, int, unsigned*) = nullptr;  // KB/s, over the 20 ms that the call takes
  int (*clock_reasons)(Device, unsigned long long*) = nullptr;
  int (*total_ecc_errors)(Device, int, int, unsigned long long*) = nullptr;
  int (*event_set_create)(EventSet*) = nullptr;
  int (*event_set_free)(EventSet) = nullptr;
  int (*register_events)(Device, unsigned long long, EventSet) = nullptr;
  int (*event_set_wait)(EventSet, EventData*, unsigned) = nullptr;
};

}  // namespace gpuprof::telemetry::nvml
