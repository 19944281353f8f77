// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// NVML's reasons for clocks below their maximum, as far as something slows the GPU down. Left out are the reasons that
// are somebody's choice or no work: idle, application clocks, display clock.

#include <cstddef>
#include <cstdint>

namespace gpuprof::telemetry {

struct ThrottleReason {
  std::uint64_t bit;  // of nvmlClocksEventReasons
  const char* name;
  // Bits beside which this one says nothing of its own.
  std::uint64_t explained_by;
};

inline constexpr std::uint64_t kHardwareThermalSlowdown = 0x40;
inline constexpr std::uint64_t kPowerBrake = 0x80;

inline constexpr ThrottleReason kThrottleReasons[] = {
    {0x04, "power cap", 0},
    {kHardwareThermalSlowdown, "hardware thermal slowdown", 0},
    {0x20, "software thermal slowdown", 0},
    {kPowerBrake, "power brake", 0},
    // The hardware's slowdown for whatever cause; the two causes that NVML tells apart have bits of their own.
    {0x08, "hardware slowdown", kHardwareThermalSlowdown | kPowerBrake},
    {0x10, "sync boost", 0},
};
inline constexpr std::size_t kThrottleReasonCount = sizeof kThrottleReasons / sizeof kThrottleReasons[0];

inline bool applies(const ThrottleReason& reason, std::uint64_t bits) {
  return (bits & reason.bit) != 0 && (bits & reason.explained_by) == 0;
}

}  // namespace gpuprof::telemetry
