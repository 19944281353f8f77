// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The values of a TelemetrySample: how each is asked of NVML, and how often.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gpuprof/trace.hpp"
#include "telemetry/nvml_api.hpp"

namespace gpuprof::telemetry {

// Bits of TelemetrySample::missing, in the order of its fields.
enum Value : std::uint32_t {
  sm_clock_value = 1 << 0,
  memory_clock_value = 1 << 1,
  power_value = 1 << 2,
  temperature_value = 1 << 3,
  gpu_utilization_value = 1 << 4,
  memory_utilization_value = 1 << 5,
  memory_used_value = 1 << 6,
  pcie_tx_value = 1 << 7,
  pcie_rx_value = 1 << 8,
  throttle_reasons_value = 1 << 9,
  ecc_corrected_value = 1 << 10,
  ecc_uncorrected_value = 1 << 11,
};
inline constexpr std::uint32_t kAllValues = (1 << 12) - 1;

// One call to NVML.
struct Question {
  std::uint32_t values;  // bits of the values that it answers
  // Fills in the sample and returns NVML's result; kFunctionNotFound when the library lacks the function.
  int (*ask)(const nvml::Api&, nvml::Device, trace::TelemetrySample&);
};

inline constexpr std::size_t kQuestions = 11;
std::span<const Question, kQuestions> questions();

// True for results that will not change while the program runs: the question is not asked again.
bool is_final(int result);

// When a question is to be asked of a GPU again. One that took longer than kSlow is asked at most once a second, and so
// seldom that all GPUs together spend at most a tenth of the time on it. Measured on an H200 (driver 580): a PCIe
// throughput takes 21 ms at every call, because the driver counts for 20 ms; every other value takes microseconds, and
// up to 5 ms when it is asked for the first time.
class Schedule {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kSlow{10};

  bool due(Clock::time_point now) const { return !never_ && now >= next_; }
  bool slow() const { return cost_ > kSlow; }
  void asked(Clock::time_point now, Clock::duration cost, unsigned gpu, unsigned gpus);
  void never_again() { never_ = true; }

 private:
  Clock::duration cost_{};
  Clock::time_point next_{};
  bool spread_ = false;  // GPUs take turns: set once this one has been given its turn
  bool never_ = false;
};

}  // namespace gpuprof::telemetry
