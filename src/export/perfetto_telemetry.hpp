// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The samples of telemetry.trace as counter tracks, one group of tracks a GPU.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "export/perfetto_packets.hpp"
#include "trace/reader.hpp"

namespace gpuprof::perfetto {

class TelemetryTracks : public trace::Visitor {
 public:
  // `host` becomes part of the title; may be empty.
  TelemetryTracks(PacketWriter& writer, std::string host) : writer_(writer), host_(std::move(host)) {}

  using trace::Visitor::on;
  void on(const trace::TelemetryDevice& record) override { devices_[record.index] = record; }
  void on(std::span<const trace::TelemetrySample> samples) override;
  void on(const trace::TelemetryXid& record) override;

 private:
  static constexpr std::size_t kValues = 9;
  struct Gpu {
    std::uint64_t uuid = 0;
    std::array<std::uint64_t, kValues> counters{};
    std::uint64_t errors = 0;
  };

  Gpu& gpu(std::uint32_t index);

  PacketWriter& writer_;
  std::string host_;
  std::map<std::uint32_t, trace::TelemetryDevice> devices_;
  std::map<std::uint32_t, Gpu> gpus_;
  std::uint64_t root_ = 0;
};

}  // namespace gpuprof::perfetto
