// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "telemetry/values.hpp"

#include <algorithm>

namespace gpuprof::telemetry {
namespace {

using nvml::Api;
using nvml::Device;
using trace::TelemetrySample;

// NVML's KB/s of PCIe throughput.
constexpr std::uint64_t kPcieUnitBytes = 1000;

constexpr std::chrono::seconds kSlowPeriod{1};
constexpr int kMostShare = 10;  // one tenth of the time

template <typename Function, typename... Arguments>
int call(Function* function, Arguments... arguments) {
  return function != nullptr ? function(arguments...) : nvml::kFunctionNotFound;
}

int pcie(const Api& api, Device device, int direction, std::uint64_t& bytes_per_second) {
  unsigned units = 0;
  const int result = call(api.pcie_throughput, device, direction, &units);
  bytes_per_second = units * kPcieUnitBytes;
  return result;
}

int ecc(const Api& api, Device device, int type, std::uint64_t& errors) {
  unsigned long long count = 0;
  const int result = call(api.total_ecc_errors, device, type, nvml::kVolatile, &count);
  errors = count;
  return result;
}

int utilization(const Api& api, Device device, TelemetrySample& sample) {
  nvml::Utilization rates;
  const int result = call(api.utilization, device, &rates);
  sample.gpu_utilization_pct = rates.gpu;
  sample.memory_utilization_pct = rates.memory;
  return result;
}

int memory_used(const Api& api, Device device, TelemetrySample& sample) {
  nvml::Memory memory;
  const int result = call(api.memory_info, device, &memory);
  sample.memory_used_bytes = memory.used;
  return result;
}

int throttle_reasons(const Api& api, Device device, TelemetrySample& sample) {
  unsigned long long reasons = 0;
  const int result = call(api.clock_reasons, device, &reasons);
  sample.throttle_reasons = reasons;
  return result;
}

// PCIe comes last, so that its time does not lie between the others.
constexpr std::array<Question, kQuestions> kTable{{
    {sm_clock_value,
     [](const Api& api, Device device, TelemetrySample& sample) {
       return call(api.clock, device, nvml::kSmClock, &sample.sm_clock_mhz);
     }},
    {memory_clock_value,
     [](const Api& api, Device device, TelemetrySample& sample) {
       return call(api.clock, device, nvml::kMemoryClock, &sample.memory_clock_mhz);
     }},
    {power_value, [](const Api& api, Device device,
                     TelemetrySample& sample) { return call(api.power_usage, device, &sample.power_mw); }},
    {temperature_value,
     [](const Api& api, Device device, TelemetrySample& sample) {
       return call(api.temperature, device, nvml::kGpuSensor, &sample.temperature_c);
     }},
    {gpu_utilization_value | memory_utilization_value, utilization},
    {memory_used_value, memory_used},
    {throttle_reasons_value, throttle_reasons},
    {ecc_corrected_value,
     [](const Api& api, Device device, TelemetrySample& sample) {
       return ecc(api, device, nvml::kCorrected, sample.ecc_corrected);
     }},
    {ecc_uncorrected_value,
     [](const Api& api, Device device, TelemetrySample& sample) {
       return ecc(api, device, nvml::kUncorrected, sample.ecc_uncorrected);
     }},
    {pcie_tx_value,
     [](const Api& api, Device device, TelemetrySample& sample) {
       return pcie(api, device, nvml::kPcieTx, sample.pcie_tx_bytes_per_second);
     }},
    {pcie_rx_value,
     [](const Api& api, Device device, TelemetrySample& sample) {
       return pcie(api, device, nvml::kPcieRx, sample.pcie_rx_bytes_per_second);
     }},
}};

}  // namespace

std::span<const Question, kQuestions> questions() {
  return kTable;
}

bool is_final(int result) {
  return result == nvml::kInvalidArgument || result == nvml::kNotSupported || result == nvml::kNoPermission ||
         result == nvml::kFunctionNotFound;
}

void Schedule::asked(Clock::time_point now, Clock::duration cost, unsigned gpu, unsigned gpus) {
  cost_ = cost;
  if (!slow()) return;
  const Clock::duration interval = std::max<Clock::duration>(kSlowPeriod, cost * gpus * kMostShare);
  next_ = now + interval;
  if (!spread_) next_ += interval * gpu / gpus;
  spread_ = true;
}

}  // namespace gpuprof::telemetry
