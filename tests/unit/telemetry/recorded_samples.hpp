// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a telemetry.trace holds, as lists.

#include <cstdlib>
#include <string>
#include <vector>

#include "support/trace_builder.hpp"
#include "trace/reader.hpp"

namespace gpuprof::test {

struct Recorded : trace::Visitor {
  explicit Recorded(const std::string& path) { result = trace::read_file(path, dictionaries, *this); }

  void on(const trace::ProcessInfo& record) override { process = record; }
  void on(std::span<const trace::TelemetrySample> records) override {
    samples.insert(samples.end(), records.begin(), records.end());
  }
  void on(const trace::TelemetryDevice& record) override { devices.push_back(record); }
  void on(const trace::TelemetryXid& record) override { xids.push_back(record); }
  void on(const trace::NoticeRecord& record) override { notices.push_back(record); }
  void on(const trace::ProcessEndRecord& record) override { ends.push_back(record); }

  std::vector<trace::TelemetrySample> of(std::uint32_t device) const {
    std::vector<trace::TelemetrySample> own;
    for (const trace::TelemetrySample& sample : samples) {
      if (sample.device == device) own.push_back(sample);
    }
    return own;
  }

  trace::Dictionaries dictionaries;
  trace::ReadResult result;
  trace::ProcessInfo process;
  std::vector<trace::TelemetrySample> samples;
  std::vector<trace::TelemetryDevice> devices;
  std::vector<trace::TelemetryXid> xids;
  std::vector<trace::NoticeRecord> notices;
  std::vector<trace::ProcessEndRecord> ends;
};

// Sets FAKE_NVML for a test.
class FakeScript {
 public:
  explicit FakeScript(const std::string& script) { setenv("FAKE_NVML", script.c_str(), 1); }
  ~FakeScript() { unsetenv("FAKE_NVML"); }
  FakeScript(const FakeScript&) = delete;
  FakeScript& operator=(const FakeScript&) = delete;
};

}  // namespace gpuprof::test
