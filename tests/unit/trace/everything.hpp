// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A visitor that keeps everything, and helpers on the bytes of a trace file.

#include <cstdint>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "gpuprof/trace.hpp"
#include "trace/format.hpp"
#include "trace/reader.hpp"

namespace gpuprof::test {

struct Everything : trace::Visitor {
  using trace::Visitor::on;

  std::vector<trace::ProcessInfo> processes;
  std::vector<trace::CuptiInfo> cupti;
  std::vector<trace::Device> devices;
  std::vector<trace::Kernel> kernels;
  std::vector<trace::ApiCall> api_calls;
  std::vector<trace::Copy> copies;
  std::vector<trace::Set> sets;
  std::vector<trace::Synchronization> synchronizations;
  std::vector<trace::Overhead> overheads;
  std::vector<trace::ClockSample> clocks;
  std::vector<trace::LedgerSample> ledgers;
  std::vector<trace::NoticeRecord> notices;
  std::vector<trace::ProcessEndRecord> ends;
  std::vector<trace::CounterPlan> plans;
  std::vector<trace::CounterGroups> groups;
  std::vector<trace::CounterWindow> windows;
  std::vector<trace::GraphExecution> graph_executions;
  std::vector<trace::Jit> jits;
  std::vector<trace::MemoryEvent> memory_events;
  std::vector<trace::MemoryPoolEvent> memory_pool_events;
  std::vector<trace::UnifiedMemory> unified_memory;
  std::vector<trace::NvtxEvent> nvtx_events;
  std::vector<trace::TelemetrySample> telemetry_samples;
  std::vector<trace::ThreadName> thread_names;
  std::vector<trace::NvtxCategory> nvtx_categories;
  std::vector<trace::Context> contexts;
  std::vector<trace::Stream> streams;
  std::vector<trace::CapturePhase> capture_phases;
  std::vector<trace::LaunchCounts> launch_counts;
  std::vector<trace::TelemetryDevice> telemetry_devices;
  std::vector<trace::TelemetryXid> telemetry_xids;

  void on(const trace::ProcessInfo& record) override { processes.push_back(record); }
  void on(const trace::CuptiInfo& record) override { cupti.push_back(record); }
  void on(const trace::Device& record) override { devices.push_back(record); }
  void on(std::span<const trace::Kernel> records) override { append(kernels, records); }
  void on(std::span<const trace::ApiCall> records) override { append(api_calls, records); }
  void on(std::span<const trace::Copy> records) override { append(copies, records); }
  void on(std::span<const trace::Set> records) override { append(sets, records); }
  void on(std::span<const trace::Synchronization> records) override { append(synchronizations, records); }
  void on(std::span<const trace::Overhead> records) override { append(overheads, records); }
  void on(const trace::ClockSample& record) override { clocks.push_back(record); }
  void on(const trace::LedgerSample& record) override { ledgers.push_back(record); }
  void on(const trace::NoticeRecord& record) override { notices.push_back(record); }
  void on(const trace::ProcessEndRecord& record) override { ends.push_back(record); }
  void on(const trace::CounterPlan& record) override { plans.push_back(record); }
  void on(const trace::CounterGroups& record) override { groups.push_back(record); }
  void on(const trace::CounterWindow& record) override { windows.push_back(record); }
  void on(std::span<const trace::GraphExecution> records) override { append(graph_executions, records); }
  void on(std::span<const trace::Jit> records) override { append(jits, records); }
  void on(std::span<const trace::MemoryEvent> records) override { append(memory_events, records); }
  void on(std::span<const trace::MemoryPoolEvent> records) override { append(memory_pool_events, records); }
  void on(std::span<const trace::UnifiedMemory> records) override { append(unified_memory, records); }
  void on(std::span<const trace::NvtxEvent> records) override { append(nvtx_events, records); }
  void on(std::span<const trace::TelemetrySample> records) override { append(telemetry_samples, records); }
  void on(const trace::ThreadName& record) override { thread_names.push_back(record); }
  void on(const trace::NvtxCategory& record) override { nvtx_categories.push_back(record); }
  void on(const trace::Context& record) override { contexts.push_back(record); }
  void on(const trace::Stream& record) override { streams.push_back(record); }
  void on(const trace::CapturePhase& record) override { capture_phases.push_back(record); }
  void on(const trace::LaunchCounts& record) override { launch_counts.push_back(record); }
  void on(const trace::TelemetryDevice& record) override { telemetry_devices.push_back(record); }
  void on(const trace::TelemetryXid& record) override { telemetry_xids.push_back(record); }

 private:
  template <typename Record>
  static void append(std::vector<Record>& to, std::span<const Record> from) {
    to.insert(to.end(), from.begin(), from.end());
  }
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

struct Frame {
  std::uint32_t kind = 0;
  std::string payload;
};

// The frames of a sound file, without checking anything.
inline std::vector<Frame> frames_of(const std::string& bytes) {
  std::vector<Frame> frames;
  for (std::size_t position = trace::kFileHeaderBytes; position < bytes.size();) {
    const trace::FrameHeader header = trace::decode_frame_header(bytes.data() + position);
    frames.push_back({header.kind, bytes.substr(position + trace::kFrameHeaderBytes, header.payload_bytes)});
    position += trace::kFrameHeaderBytes + header.payload_bytes;
  }
  return frames;
}

// A file header, and a frame with a right checksum.
inline std::string file_start() {
  const auto header = trace::file_header();
  return {header.begin(), header.end()};
}

inline std::string frame(std::uint32_t kind, const std::string& payload) {
  const auto header = trace::encode_frame_header(
      {static_cast<std::uint32_t>(payload.size()), kind, trace::frame_checksum(kind, payload)});
  return std::string(header.begin(), header.end()) + payload;
}

inline std::string frame(trace::FrameKind kind, const std::string& payload) {
  return frame(static_cast<std::uint32_t>(kind), payload);
}

}  // namespace gpuprof::test
