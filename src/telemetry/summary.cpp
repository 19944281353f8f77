// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "telemetry/summary.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "telemetry/throttle_reasons.hpp"
#include "telemetry/values.hpp"
#include "trace/reader.hpp"

namespace gpuprof::telemetry {
namespace {

// How often each value came. Clocks, temperatures and even milliwatts repeat, so memory stays bounded in runs of days.
class Distribution {
 public:
  void add(std::uint64_t value) {
    ++counts_[value];
    ++total_;
  }

  // Scaled by `unit`; empty without values.
  std::optional<ValueRange> range(double unit) const {
    if (total_ == 0) return std::nullopt;
    const double middle = (static_cast<double>(at((total_ - 1) / 2)) + static_cast<double>(at(total_ / 2))) / 2;
    return ValueRange{static_cast<double>(counts_.begin()->first) * unit, middle * unit,
                      static_cast<double>(counts_.rbegin()->first) * unit};
  }

 private:
  // The value at this place of the sorted list.
  std::uint64_t at(std::uint64_t place) const {
    std::uint64_t before = 0;
    for (const auto& [value, count] : counts_) {
      before += count;
      if (place < before) return value;
    }
    return 0;
  }

  std::map<std::uint64_t, std::uint64_t> counts_;
  std::uint64_t total_ = 0;
};

// The growth of a counter that may be set back to 0, as by a reset of the GPU.
class Growth {
 public:
  void add(std::uint64_t value) {
    if (last_) total_ += value >= *last_ ? value - *last_ : value;
    last_ = value;
  }
  std::uint64_t total() const { return total_; }

 private:
  std::optional<std::uint64_t> last_;
  std::uint64_t total_ = 0;
};

struct RangedValue {
  Value value;
  std::uint64_t (*of)(const trace::TelemetrySample&);
  std::optional<ValueRange> GpuTelemetry::*range;
  double unit;
};

constexpr RangedValue kRangedValues[] = {
    {sm_clock_value, [](const trace::TelemetrySample& s) -> std::uint64_t { return s.sm_clock_mhz; },
     &GpuTelemetry::sm_clock_mhz, 1},
    {memory_clock_value, [](const trace::TelemetrySample& s) -> std::uint64_t { return s.memory_clock_mhz; },
     &GpuTelemetry::memory_clock_mhz, 1},
    {power_value, [](const trace::TelemetrySample& s) -> std::uint64_t { return s.power_mw; }, &GpuTelemetry::power_w,
     0.001},
    {temperature_value, [](const trace::TelemetrySample& s) -> std::uint64_t { return s.temperature_c; },
     &GpuTelemetry::temperature_c, 1},
    {gpu_utilization_value, [](const trace::TelemetrySample& s) -> std::uint64_t { return s.gpu_utilization_pct; },
     &GpuTelemetry::gpu_utilization_pct, 1},
    {memory_used_value, [](const trace::TelemetrySample& s) -> std::uint64_t { return s.memory_used_bytes; },
     &GpuTelemetry::memory_used_bytes, 1},
    {pcie_tx_value, [](const trace::TelemetrySample& s) -> std::uint64_t { return s.pcie_tx_bytes_per_second; },
     &GpuTelemetry::pcie_tx_bytes_per_second, 1},
    {pcie_rx_value, [](const trace::TelemetrySample& s) -> std::uint64_t { return s.pcie_rx_bytes_per_second; },
     &GpuTelemetry::pcie_rx_bytes_per_second, 1},
};
constexpr std::size_t kRangedCount = sizeof kRangedValues / sizeof kRangedValues[0];

bool has(const trace::TelemetrySample& sample, std::uint32_t value) {
  return (sample.missing & value) == 0;
}

struct GpuSums {
  trace::TelemetryDevice device;
  std::uint64_t samples = 0;
  std::array<Distribution, kRangedCount> values;
  std::array<std::uint64_t, kThrottleReasonCount> throttled_ns{};
  // The reasons of the sample before, which hold until the next one.
  std::uint64_t reasons = 0;
  std::uint64_t reasons_since_ns = 0;
  std::vector<std::uint64_t> xids;
  Growth ecc_corrected;
  Growth ecc_uncorrected;
};

class Sums : public trace::Visitor {
 public:
  explicit Sums(std::uint64_t longest_interval_ns) : longest_interval_ns_(longest_interval_ns) {}

  void on(const trace::TelemetryDevice& device) override {
    GpuSums& gpu = gpus_[device.index];
    gpu.device = device;
  }

  void on(std::span<const trace::TelemetrySample> samples) override {
    for (const trace::TelemetrySample& sample : samples) add(sample);
  }

  void on(const trace::TelemetryXid& error) override { gpus_[error.device].xids.push_back(error.xid); }

  void on(const trace::NoticeRecord& record) override {
    if (record.code == trace::NoticeCode::telemetry_unavailable) unavailable_reason_ = record.detail;
    if (record.code == trace::NoticeCode::telemetry_gpu_lost) lost_.push_back(record.detail);
    if (record.code == trace::NoticeCode::write_failed) write_failure_ = record.detail;
  }

  void on(const trace::ProcessEndRecord& end) override {
    for (auto& [index, gpu] : gpus_) count_reasons(gpu, end.time_ns);
    end_ns_ = end.time_ns;
  }

  const std::string& unavailable_reason() const { return unavailable_reason_; }
  const std::string& write_failure() const { return write_failure_; }
  const std::vector<std::string>& lost() const { return lost_; }
  const std::map<std::uint32_t, GpuSums>& gpus() const { return gpus_; }

 private:
  void add(const trace::TelemetrySample& sample) {
    GpuSums& gpu = gpus_[sample.device];
    gpu.device.index = sample.device;
    if (has(sample, ecc_corrected_value)) gpu.ecc_corrected.add(sample.ecc_corrected);
    if (has(sample, ecc_uncorrected_value)) gpu.ecc_uncorrected.add(sample.ecc_uncorrected);
    if (sample.time_ns > end_ns_) return;
    ++gpu.samples;
    for (std::size_t i = 0; i < kRangedCount; ++i) {
      if (has(sample, kRangedValues[i].value)) gpu.values[i].add(kRangedValues[i].of(sample));
    }
    count_reasons(gpu, sample.time_ns);
    gpu.reasons = has(sample, throttle_reasons_value) ? sample.throttle_reasons : 0;
    gpu.reasons_since_ns = sample.time_ns;
  }

  void count_reasons(GpuSums& gpu, std::uint64_t until_ns) const {
    // A clock that was set back makes an interval that cannot be known.
    if (until_ns <= gpu.reasons_since_ns) return;
    const std::uint64_t interval_ns = std::min(until_ns - gpu.reasons_since_ns, longest_interval_ns_);
    for (std::size_t i = 0; i < kThrottleReasonCount; ++i) {
      if (applies(kThrottleReasons[i], gpu.reasons)) gpu.throttled_ns[i] += interval_ns;
    }
  }

  std::uint64_t longest_interval_ns_;
  std::uint64_t end_ns_ = std::numeric_limits<std::uint64_t>::max();
  std::map<std::uint32_t, GpuSums> gpus_;
  std::string unavailable_reason_;
  std::string write_failure_;
  std::vector<std::string> lost_;
};

GpuTelemetry to_report(std::uint32_t index, const GpuSums& sums) {
  GpuTelemetry gpu;
  gpu.index = index;
  gpu.name = sums.device.name;
  gpu.uuid = sums.device.uuid;
  gpu.samples = sums.samples;
  gpu.max_sm_clock_mhz = sums.device.max_sm_clock_mhz;
  for (std::size_t i = 0; i < kRangedCount; ++i) {
    gpu.*kRangedValues[i].range = sums.values[i].range(kRangedValues[i].unit);
  }
  for (std::size_t i = 0; i < kThrottleReasonCount; ++i) {
    if (sums.throttled_ns[i] > 0) gpu.throttled.push_back({kThrottleReasons[i].name, sums.throttled_ns[i]});
  }
  std::stable_sort(gpu.throttled.begin(), gpu.throttled.end(),
                   [](const ThrottleTime& a, const ThrottleTime& b) { return a.time_ns > b.time_ns; });
  gpu.xids = sums.xids;
  gpu.ecc_corrected = sums.ecc_corrected.total();
  gpu.ecc_uncorrected = sums.ecc_uncorrected.total();
  return gpu;
}

// Why there are no samples: the first that is known.
std::string reason_for_none(const Sums& sums, const std::string& failure, const std::string& reading) {
  for (const std::string& reason : {sums.unavailable_reason(), reading, failure}) {
    if (!reason.empty()) return reason;
  }
  if (!sums.lost().empty()) return sums.lost().front();
  return "no sample was taken before the program ended";
}

void add_notices(const Sums& sums, const std::string& failure, std::vector<Notice>& notices) {
  for (const std::string& gpu : sums.lost()) {
    notices.push_back(
        {Severity::warning, "telemetry.gpu_lost", gpu + "; its state was not recorded from then on",
         "Check `nvidia-smi` and `dmesg` for Xid messages; a GPU that is lost needs a reset or a restart."});
  }
  const std::string& cut = !sums.write_failure().empty() ? sums.write_failure() : failure;
  if (!cut.empty()) {
    notices.push_back({Severity::info, "telemetry.incomplete",
                       "the state of the GPUs may not have been recorded to the program's end: " + cut,
                       "Read clocks and power as those of the part that was sampled; kernel times do not depend on "
                       "them."});
  }
}

}  // namespace

Summary summarize(const std::string& path, const SamplingRecord& sampling) {
  Summary summary;
  if (!(sampling.hz > 0)) return summary;
  summary.report.attempted = true;
  // The rate comes from a file.
  Sums sums(static_cast<std::uint64_t>(std::min(2e9 / sampling.hz, 1e18)));
  std::string reading;
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    try {
      trace::Dictionaries dictionaries;
      trace::read_file(path, dictionaries, sums);
    } catch (const Error& error) {
      reading = error.what();
    }
  }
  std::uint64_t samples = 0;
  for (const auto& [index, gpu] : sums.gpus()) samples += gpu.samples;
  if (samples == 0) {
    summary.report.unavailable_reason = reason_for_none(sums, sampling.failure, reading);
    return summary;
  }
  for (const auto& [index, gpu] : sums.gpus()) summary.report.gpus.push_back(to_report(index, gpu));
  add_notices(sums, sampling.failure, summary.notices);
  return summary;
}

}  // namespace gpuprof::telemetry
