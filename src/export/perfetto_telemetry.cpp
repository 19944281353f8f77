// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "export/perfetto_telemetry.hpp"

#include <limits>

#include "base/text.hpp"

namespace gpuprof::perfetto {
namespace {

// The values of a sample in the order of the bits of TelemetrySample::missing.
struct Value {
  const char* name;
  Unit unit;
  const char* unit_name;
  double scale;
  std::uint64_t (*of)(const trace::TelemetrySample&);
};

using Sample = trace::TelemetrySample;
constexpr std::array<Value, 9> kTable{{
    {"SM clock", Unit::none, "MHz", 1, [](const Sample& s) { return std::uint64_t{s.sm_clock_mhz}; }},
    {"Memory clock", Unit::none, "MHz", 1, [](const Sample& s) { return std::uint64_t{s.memory_clock_mhz}; }},
    {"Power", Unit::none, "W", 1e-3, [](const Sample& s) { return std::uint64_t{s.power_mw}; }},
    {"Temperature", Unit::none, "°C", 1, [](const Sample& s) { return std::uint64_t{s.temperature_c}; }},
    {"GPU utilisation", Unit::none, "%", 1, [](const Sample& s) { return std::uint64_t{s.gpu_utilization_pct}; }},
    {"Memory utilisation", Unit::none, "%", 1, [](const Sample& s) { return std::uint64_t{s.memory_utilization_pct}; }},
    {"Memory used", Unit::bytes, "", 1, [](const Sample& s) { return s.memory_used_bytes; }},
    {"PCIe sent", Unit::none, "B/s", 1, [](const Sample& s) { return s.pcie_tx_bytes_per_second; }},
    {"PCIe received", Unit::none, "B/s", 1, [](const Sample& s) { return s.pcie_rx_bytes_per_second; }},
}};

// Below all processes.
constexpr std::int32_t kRootRank = std::numeric_limits<std::int32_t>::max();

}  // namespace

TelemetryTracks::Gpu& TelemetryTracks::gpu(std::uint32_t index) {
  Gpu& gpu = gpus_[index];
  if (gpu.uuid != 0) return gpu;
  Track track;
  if (root_ == 0) {
    root_ = writer_.new_uuid();
    track.uuid = root_;
    track.name = "GPU telemetry";
    if (!host_.empty()) track.name += " of " + printable(host_);
    track.rank = kRootRank;
    writer_.describe(track);
  }
  gpu.uuid = writer_.new_uuid();
  track.uuid = gpu.uuid;
  track.parent = root_;
  track.rank = static_cast<std::int32_t>(index & 0x7fffffff);
  // NVML's numbers are not those of CUDA; the UUID tells which is which.
  track.name = "NVML GPU " + std::to_string(index);
  if (const auto device = devices_.find(index); device != devices_.end()) {
    if (!device->second.name.empty()) track.name += ": " + printable(device->second.name);
    if (!device->second.uuid.empty()) track.name += " (" + printable(device->second.uuid) + ")";
  }
  writer_.describe(track);
  return gpu;
}

void TelemetryTracks::on(std::span<const trace::TelemetrySample> samples) {
  for (const trace::TelemetrySample& sample : samples) {
    Gpu& tracks = gpu(sample.device);
    for (std::size_t i = 0; i < kTable.size(); ++i) {
      if ((sample.missing >> i & 1) != 0) continue;
      const Value& value = kTable[i];
      std::uint64_t& uuid = tracks.counters[i];
      if (uuid == 0) {
        uuid = writer_.new_uuid();
        Track track;
        track.uuid = uuid;
        track.parent = tracks.uuid;
        track.name = value.name;
        track.rank = static_cast<std::int32_t>(i);
        track.counter = Track::Counter{value.unit, value.unit_name};
        writer_.describe(track);
      }
      if (value.scale == 1) {
        writer_.counter(uuid, sample.time_ns, value.of(sample));
      } else {
        writer_.counter(uuid, sample.time_ns, static_cast<double>(value.of(sample)) * value.scale);
      }
    }
  }
}

void TelemetryTracks::on(const trace::TelemetryXid& record) {
  Gpu& tracks = gpu(record.device);
  if (tracks.errors == 0) {
    tracks.errors = writer_.new_uuid();
    Track track;
    track.uuid = tracks.errors;
    track.parent = tracks.uuid;
    track.name = "Errors of the driver";
    track.rank = static_cast<std::int32_t>(kValues);
    writer_.describe(track);
  }
  Slice event;
  event.start_ns = record.time_ns;
  event.name = writer_.event_name("XID " + std::to_string(record.xid));
  event.category = Category::telemetry;
  writer_.instant(tracks.errors, event);
}

}  // namespace gpuprof::perfetto
