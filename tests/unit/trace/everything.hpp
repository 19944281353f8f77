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
