// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "telemetry/summary.hpp"

#include <fstream>

#include "recorded_samples.hpp"
#include "support/catch2_compat.hpp"
#include "telemetry/values.hpp"

using namespace gpuprof;
using namespace gpuprof::telemetry;
using gpuprof::test::TraceFolder;

namespace {

constexpr std::uint64_t kStartNs = 1'700'000'000'000'000'000;
constexpr std::uint64_t kMs = 1'000'000;
constexpr SamplingRecord kFiveHz{5, {}};

// A telemetry.trace written by hand; times are milliseconds after the start.
class Samples {
 public:
  Samples() : path_(folder_.file("telemetry.trace")), writer_(trace::Writer::create(path_)) {}

  Samples& device(std::uint32_t index) {
    writer_->write(trace::TelemetryDevice{index, "NVIDIA H200", "GPU-" + std::to_string(index), 1980, 700000});
    return *this;
  }
  Samples& sample(std::uint64_t at_ms, trace::TelemetrySample sample) {
    sample.time_ns = kStartNs + at_ms * kMs;
    writer_->add(sample);
    return *this;
  }
  Samples& reasons(std::uint64_t at_ms, std::uint64_t bits) {
    trace::TelemetrySample sample;
    sample.throttle_reasons = bits;
    return this->sample(at_ms, sample);
  }
  Samples& xid(std::uint32_t device, std::uint64_t number) {
    writer_->write(trace::TelemetryXid{kStartNs, device, number});
    return *this;
  }
  Samples& note(trace::NoticeCode code, const std::string& detail) {
    writer_->write(trace::NoticeRecord{code, kStartNs, detail});
    return *this;
  }
  Samples& end(std::uint64_t at_ms) {
    writer_->write(trace::ProcessEndRecord{kStartNs + at_ms * kMs, 0});
    return *this;
  }
  Summary summary(const SamplingRecord& sampling = kFiveHz) {
    writer_->flush();
    return summarize(path_, sampling);
  }

 private:
  TraceFolder folder_;
  std::string path_;
  std::unique_ptr<trace::Writer> writer_;
};

trace::TelemetrySample clock(std::uint32_t mhz, std::uint32_t missing = 0) {
  trace::TelemetrySample sample;
  sample.sm_clock_mhz = mhz;
  sample.missing = missing;
  return sample;
}

trace::TelemetrySample ecc(std::uint64_t corrected, std::uint64_t uncorrected) {
  trace::TelemetrySample sample;
  sample.ecc_corrected = corrected;
  sample.ecc_uncorrected = uncorrected;
  return sample;
}

}  // namespace

TEST_CASE("ranges are over the samples of the run, medians the middle or the mean of two") {
  Samples samples;
  samples.device(0).sample(0, clock(1980)).sample(200, clock(1200)).sample(400, clock(1700));
  Summary summary = samples.summary();
  REQUIRE(summary.report.gpus.size() == 1);
  CHECK(summary.report.attempted);
  CHECK(summary.report.unavailable_reason.empty());
  const GpuTelemetry& odd = summary.report.gpus[0];
  CHECK(odd.samples == 3);
  CHECK(odd.name == "NVIDIA H200");
  CHECK(odd.uuid == "GPU-0");
  CHECK(odd.max_sm_clock_mhz == 1980);
  REQUIRE(odd.sm_clock_mhz);
  CHECK(odd.sm_clock_mhz->min == 1200);
  CHECK(odd.sm_clock_mhz->median == 1700);
  CHECK(odd.sm_clock_mhz->max == 1980);
  samples.sample(600, clock(1600)).end(700).sample(701, clock(300));
  summary = samples.summary();
  CHECK(summary.report.gpus[0].samples == 4);
  CHECK(summary.report.gpus[0].sm_clock_mhz->median == 1650);
  CHECK(summary.report.gpus[0].sm_clock_mhz->min == 1200);  // not the idle clock after the end
}

TEST_CASE("values keep their units and missing ones are no zeros") {
  trace::TelemetrySample sample;
  sample.power_mw = 689500;
  sample.memory_used_bytes = 80'000'000'000;
  sample.temperature_c = 70;
  sample.missing = sm_clock_value | pcie_tx_value;
  Samples samples;
  const GpuTelemetry gpu =
      samples.device(0).sample(0, sample).sample(200, clock(0, kAllValues)).summary().report.gpus[0];
  CHECK(gpu.samples == 2);
  CHECK_FALSE(gpu.sm_clock_mhz);
  CHECK_FALSE(gpu.pcie_tx_bytes_per_second);
  REQUIRE(gpu.power_w);
  CHECK(gpu.power_w->min == Approx(689.5));
  CHECK(gpu.memory_used_bytes->median == 80e9);
  CHECK(gpu.temperature_c->max == 70);
  CHECK(gpu.pcie_rx_bytes_per_second->max == 0);
}

TEST_CASE("throttling lasts until the next sample, two periods at most") {
  Samples samples;
  samples.device(0)
      .reasons(0, 0x4)                     // 200 ms of power cap
      .reasons(200, 0x4 | 0x20)            // 200 ms of both
      .reasons(400, 0)                     //
      .reasons(600, 0x4)                   // the next is 10 s away: 400 ms
      .reasons(10'600, 0x1 | 0x2 | 0x100)  // idle and settings: somebody's choice
      .reasons(10'800, 0x20)               // until the end: 50 ms
      .end(10'850)
      .reasons(10'851, 0x40);
  const GpuTelemetry gpu = samples.summary().report.gpus[0];
  REQUIRE(gpu.throttled.size() == 2);
  CHECK(gpu.throttled[0].reason == "power cap");
  CHECK(gpu.throttled[0].time_ns == 800 * kMs);
  CHECK(gpu.throttled[1].reason == "software thermal slowdown");
  CHECK(gpu.throttled[1].time_ns == 250 * kMs);
}

TEST_CASE("the hardware's slowdown is named by its cause where that is known") {
  Samples samples;
  samples.device(0).reasons(0, 0x8 | 0x40).reasons(100, 0x8 | 0x80).reasons(210, 0x8).reasons(330, 0x10).end(460);
  const GpuTelemetry gpu = samples.summary().report.gpus[0];
  std::vector<std::string> names;
  for (const ThrottleTime& time : gpu.throttled) names.push_back(time.reason);
  CHECK(names ==
        std::vector<std::string>{"sync boost", "hardware slowdown", "power brake", "hardware thermal slowdown"});
  CHECK(gpu.throttled[0].time_ns == 130 * kMs);
}

TEST_CASE("reasons that could not be asked for, and a clock set back, count as nothing") {
  Samples samples;
  trace::TelemetrySample unknown;
  unknown.throttle_reasons = 0x4;
  unknown.missing = throttle_reasons_value;
  samples.device(0).sample(0, unknown).reasons(200, 0x4).reasons(100, 0).reasons(300, 0);
  CHECK(samples.summary().report.gpus[0].throttled.empty());
}

TEST_CASE("ECC errors are those that are new, the ones seen after the end included") {
  Samples samples;
  samples.device(0).sample(0, ecc(100, 2)).sample(200, ecc(103, 2)).end(300).sample(301, ecc(104, 3));
  GpuTelemetry gpu = samples.summary().report.gpus[0];
  CHECK(gpu.ecc_corrected == 4);
  CHECK(gpu.ecc_uncorrected == 1);
  Samples reset;
  reset.device(0).sample(0, ecc(100, 0)).sample(200, ecc(5, 0)).sample(400, ecc(6, 0));
  CHECK(reset.summary().report.gpus[0].ecc_corrected == 6);
}

TEST_CASE("GPUs are told apart and come by their number") {
  Samples samples;
  samples.device(0).device(3);
  trace::TelemetrySample sample = clock(1500);
  sample.device = 3;
  samples.sample(0, clock(1000)).sample(1, sample).xid(3, 79).xid(3, 31).end(200);
  const TelemetryReport report = samples.summary().report;
  REQUIRE(report.gpus.size() == 2);
  CHECK(report.gpus[1].index == 3);
  CHECK(report.gpus[1].sm_clock_mhz->max == 1500);
  CHECK(report.gpus[0].xids.empty());
  CHECK(report.gpus[1].xids == std::vector<std::uint64_t>{79, 31});
}

TEST_CASE("a lost GPU and a sampling that ended early are notices") {
  Samples samples;
  samples.device(0).sample(0, clock(1000)).note(trace::NoticeCode::telemetry_gpu_lost, "GPU 1: GPU is lost");
  const Summary summary = samples.summary({5, "NVML did not answer any more"});
  REQUIRE(summary.notices.size() == 2);
  CHECK(summary.notices[0].code == "telemetry.gpu_lost");
  CHECK_THAT(summary.notices[0].text, ContainsSubstring("GPU 1: GPU is lost"));
  CHECK(summary.notices[1].code == "telemetry.incomplete");
  CHECK_THAT(summary.notices[1].text, ContainsSubstring("NVML did not answer any more"));
  for (const Notice& notice : summary.notices) CHECK_FALSE(notice.hint.empty());
}

TEST_CASE("without samples the report says why, and no more") {
  {
    Samples samples;
    const Summary summary = samples.note(trace::NoticeCode::telemetry_unavailable, "no NVML").summary({5, "and later"});
    CHECK(summary.report.attempted);
    CHECK(summary.report.unavailable_reason == "no NVML");
    CHECK(summary.notices.empty());
  }
  Samples empty;
  CHECK(empty.summary({5, "it crashed"}).report.unavailable_reason == "it crashed");
  CHECK_THAT(empty.summary().report.unavailable_reason, ContainsSubstring("before the program ended"));
  CHECK_FALSE(empty.summary({0, {}}).report.attempted);

  const TraceFolder folder;
  CHECK_FALSE(summarize(folder.file("telemetry.trace"), kFiveHz).report.unavailable_reason.empty());
  std::ofstream(folder.file("telemetry.trace")) << "not a trace at all";
  CHECK_THAT(summarize(folder.file("telemetry.trace"), kFiveHz).report.unavailable_reason,
             ContainsSubstring("telemetry.trace"));
}
