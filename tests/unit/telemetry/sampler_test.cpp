// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "telemetry/sampler.hpp"

#include <fstream>
#include <map>

#include "recorded_samples.hpp"
#include "support/catch2_compat.hpp"
#include "telemetry/nvml.hpp"
#include "telemetry/values.hpp"

using namespace gpuprof;
using namespace gpuprof::telemetry;
using gpuprof::test::FakeScript;
using gpuprof::test::Recorded;
using gpuprof::test::TraceFolder;

namespace {

// The file after `samples` samples and the end.
Recorded record(const std::string& script, int samples, const char* library = FAKE_NVML) {
  const FakeScript variable(script);
  const TraceFolder folder;
  const std::string path = folder.file("telemetry.trace");
  {
    const auto sampler = Sampler::start(path, library);
    for (int i = 0; i < samples; ++i) sampler->sample();
    sampler->finish();
    CHECK(sampler->writing());
  }
  return Recorded(path);
}

}  // namespace

TEST_CASE("every value of a sample is NVML's") {
  const Recorded file = record(
      "sm_clock=1755;memory_clock=2619;power=689123;temperature=71;utilization=99;memory_utilization=60;"
      "memory_used=80000000000;pcie_tx=1500;pcie_rx=25000;reasons=0x24;ecc_corrected=3;ecc_uncorrected=1",
      1);
  CHECK(file.result.state == trace::FileState::whole);
  CHECK(file.process.stage == "telemetry");
  REQUIRE(file.devices.size() == 1);
  CHECK(file.devices[0].index == 0);
  CHECK(file.devices[0].name == "NVIDIA Fake H200");
  CHECK(file.devices[0].uuid == "GPU-00000000");
  CHECK(file.devices[0].max_sm_clock_mhz == 1980);
  CHECK(file.devices[0].power_limit_mw == 700000);
  REQUIRE(file.samples.size() == 2);  // the second one after the end
  const trace::TelemetrySample& sample = file.samples[0];
  CHECK(sample.missing == 0);
  CHECK(sample.sm_clock_mhz == 1755);
  CHECK(sample.memory_clock_mhz == 2619);
  CHECK(sample.power_mw == 689123);
  CHECK(sample.temperature_c == 71);
  CHECK(sample.gpu_utilization_pct == 99);
  CHECK(sample.memory_utilization_pct == 60);
  CHECK(sample.memory_used_bytes == 80'000'000'000);
  CHECK(sample.pcie_tx_bytes_per_second == 1'500'000);
  CHECK(sample.pcie_rx_bytes_per_second == 25'000'000);
  CHECK(sample.throttle_reasons == 0x24);
  CHECK(sample.ecc_corrected == 3);
  CHECK(sample.ecc_uncorrected == 1);
  REQUIRE(file.ends.size() == 1);
  CHECK(file.ends[0].time_ns >= sample.time_ns);
  CHECK(file.samples[1].time_ns >= file.ends[0].time_ns);
}

TEST_CASE("a value that is not supported is marked and not asked for again") {
  const TraceFolder folder;
  const std::string calls = folder.file("calls");
  const Recorded file = record("utilization=x;power=!4;temperature=!999,!999,33;calls=" + calls, 3);
  REQUIRE(file.samples.size() == 4);
  const std::uint32_t never = gpu_utilization_value | memory_utilization_value | power_value;
  CHECK(file.samples[0].missing == (never | temperature_value));
  CHECK(file.samples[1].missing == (never | temperature_value));
  CHECK(file.samples[2].missing == never);  // an error of the moment: asked again
  CHECK(file.samples[2].temperature_c == 33);
  std::ifstream counts(calls);
  std::map<std::string, int> asked;
  std::string name;
  for (int count = 0; counts >> name >> count;) asked[name] = count;
  CHECK(asked["utilization@0"] == 1);
  CHECK(asked["power@0"] == 1);
  CHECK(asked["temperature@0"] == 4);
}

TEST_CASE("a slow value is taken less often, and not after the end") {
  const Recorded file = record("gpus=2;pcie_tx_ms=25;pcie_rx=x", 4);
  for (const std::uint32_t device : {0U, 1U}) {
    const auto samples = file.of(device);
    REQUIRE(samples.size() == 5);
    CHECK(samples[0].missing == pcie_rx_value);
    for (std::size_t i = 1; i < 5; ++i) CHECK(samples[i].missing == (pcie_rx_value | pcie_tx_value));
  }
}

TEST_CASE("the schedule of a slow value spreads the GPUs and bounds the time spent on it") {
  using namespace std::chrono_literals;
  const Schedule::Clock::time_point start{100s};
  Schedule fast;
  CHECK(fast.due(start));
  fast.asked(start, 5ms, 0, 8);
  CHECK(fast.due(start));
  CHECK_FALSE(fast.slow());
  // Eight GPUs of 21 ms each: 168 ms, a tenth of 1.68 s.
  Schedule first;
  Schedule last;
  first.asked(start, 21ms, 0, 8);
  last.asked(start, 21ms, 7, 8);
  CHECK(first.slow());
  CHECK_FALSE(first.due(start + 1679ms));
  CHECK(first.due(start + 1680ms));
  CHECK_FALSE(last.due(start + 1680ms + 1469ms));
  CHECK(last.due(start + 1680ms + 1470ms));
  last.asked(start, 21ms, 7, 8);  // from the second time on they keep their distance
  CHECK(last.due(start + 1680ms));
  Schedule alone;
  alone.asked(start, 21ms, 0, 1);
  CHECK_FALSE(alone.due(start + 999ms));
  CHECK(alone.due(start + 1s));
  alone.never_again();
  CHECK_FALSE(alone.due(start + 1h));
}

TEST_CASE("a GPU that is lost is told once and the others go on") {
  const Recorded file = record("gpus=3;lost=1@20", 5);
  CHECK(file.of(0).size() == 6);
  CHECK(file.of(1).size() == 1);  // 12 questions a sample
  CHECK(file.of(2).size() == 6);
  REQUIRE(file.notices.size() == 1);
  CHECK(file.notices[0].code == trace::NoticeCode::telemetry_gpu_lost);
  CHECK(file.notices[0].detail == "GPU 1: GPU is lost");
}

TEST_CASE("a GPU that may not be accessed is left out and keeps the others' numbers") {
  const Recorded file = record("gpus=3;refused=1", 1);
  REQUIRE(file.devices.size() == 2);
  CHECK(file.devices[1].index == 2);
  CHECK(file.of(2).size() == 2);
  REQUIRE(file.notices.size() == 1);
  CHECK(file.notices[0].detail == "GPU 1: Insufficient Permissions");
}

TEST_CASE("XID errors are collected, one that comes with the program's end included") {
  const Recorded file = record("gpus=2;xid=1@2:31,0@4:79,1@4:79", 1);
  // Each sample waits until nothing is left: the second wait is the end's.
  REQUIRE(file.xids.size() == 1);
  CHECK(file.xids[0].device == 1);
  CHECK(file.xids[0].xid == 31);
  const Recorded longer = record("gpus=2;xid=1@2:31,0@4:79,1@4:79", 3);
  REQUIRE(longer.xids.size() == 3);
  CHECK(longer.xids[1].device == 0);
  CHECK(longer.xids[2].xid == 79);
}

TEST_CASE("an NVML with the older function names gives the same values") {
  const Recorded file = record("reasons=0x8;xid=0@1:48", 1, FAKE_NVML_OLD);
  REQUIRE(file.samples.size() == 2);
  CHECK(file.samples[0].missing == 0);
  CHECK(file.samples[0].throttle_reasons == 0x8);
  REQUIRE(file.xids.size() == 1);
  CHECK(file.xids[0].xid == 48);
}

TEST_CASE("without NVML, a driver or a GPU the file says why") {
  struct Case {
    const char* script;
    const char* library;
    const char* reason;
  };
  const Case cases[] = {{"", "/no/such/libnvidia-ml.so.1", "/no/such/libnvidia-ml.so.1"},
                        {"", "libc.so.6", "libc.so.6 is not NVML"},
                        {"init=9", FAKE_NVML, "NVML cannot be initialised: Driver Not Loaded"},
                        {"init=18", FAKE_NVML, "Driver/library version mismatch"},
                        {"gpus=0", FAKE_NVML, "NVML offers no GPU"},
                        {"gpus=1;refused=0", FAKE_NVML, "no GPU (GPU 0: Insufficient Permissions)"}};
  for (const Case& test : cases) {
    CAPTURE(test.script, test.library);
    const Recorded file = record(test.script, 2, test.library);
    CHECK(file.samples.empty());
    REQUIRE_FALSE(file.notices.empty());
    CHECK(file.notices.back().code == trace::NoticeCode::telemetry_unavailable);
    CHECK_THAT(file.notices.back().detail, ContainsSubstring(test.reason));
  }
}

TEST_CASE("a file that cannot be created is a reason like any other") {
  const FakeScript script("");
  const auto sampler = Sampler::start("/no/such/directory/telemetry.trace", FAKE_NVML);
  CHECK_THAT(sampler->unavailable_reason(), ContainsSubstring("cannot be written: No such file"));
  CHECK_FALSE(sampler->writing());
  sampler->sample();
  sampler->finish();
}

TEST_CASE("doctor is told the driver and the number of GPUs") {
  {
    const FakeScript script("gpus=8");
    const NvmlState state = examine_nvml(FAKE_NVML);
    CHECK(state.usable);
    CHECK_THAT(state.text, ContainsSubstring("driver 580.0.0-fake, 8 GPUs (/"));
  }
  const FakeScript script("gpus=0");
  CHECK_FALSE(examine_nvml(FAKE_NVML).usable);
}
