// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads traces of PyTorch's profiler (Kineto's JSON) and writes them as gpuprof traces: a check of the analysis against
// timelines that were recorded by another tool.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpuprof/trace.hpp"
#include "trace/writer.hpp"

namespace gpuprof::test {

struct KinetoEvent {
  std::string category;  // "kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "cuda_driver"
  std::string name;
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint32_t device = 0;
  std::uint32_t stream = 0;
  std::uint32_t thread = 0;
  std::uint32_t correlation = 0;
  std::uint64_t bytes = 0;
  Dim3 grid;
  Dim3 block;

  bool is_operation() const { return category == "kernel" || category == "gpu_memcpy" || category == "gpu_memset"; }
};

// The text of a file packed with gzip.
inline std::string unpack(const std::string& path) {
  const std::string command = "gzip -dc '" + path + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  if (pipe == nullptr) throw std::runtime_error("cannot run gzip");
  std::string text;
  std::vector<char> block(std::size_t{1} << 16);
  while (const std::size_t got = std::fread(block.data(), 1, block.size(), pipe.get())) text.append(block.data(), got);
  return text;
}

// Microseconds of the file as nanoseconds; whole numbers keep all their digits.
inline std::uint64_t kineto_ns(const nlohmann::json& value) {
  if (value.is_number_integer()) return value.get<std::uint64_t>() * 1000;
  return static_cast<std::uint64_t>(std::llround(value.get<double>() * 1000));
}

inline Dim3 kineto_dim(const nlohmann::json& arguments, const char* name) {
  const auto found = arguments.find(name);
  if (found == arguments.end()) return {};
  return {found->at(0).get<std::uint32_t>(), found->at(1).get<std::uint32_t>(), found->at(2).get<std::uint32_t>()};
}

// Device work and CUDA calls of a file.
inline std::vector<KinetoEvent> read_kineto(const std::string& path) {
  const nlohmann::json document = nlohmann::json::parse(unpack(path));
  std::vector<KinetoEvent> events;
  for (const nlohmann::json& entry : document.at("traceEvents")) {
    if (entry.value("ph", "") != "X") continue;
    KinetoEvent event;
    event.category = entry.value("cat", "");
    if (!event.is_operation() && event.category != "cuda_runtime" && event.category != "cuda_driver") continue;
    event.name = entry.at("name").get<std::string>();
    event.start_ns = kineto_ns(entry.at("ts"));
    event.end_ns = event.start_ns + kineto_ns(entry.at("dur"));
    const nlohmann::json& arguments = entry.at("args");
    event.correlation = arguments.value("correlation", 0U);
    if (event.is_operation()) {
      event.device = arguments.at("device").get<std::uint32_t>();
      event.stream = arguments.at("stream").get<std::uint32_t>();
      event.bytes = arguments.value("bytes", std::uint64_t{0});
      event.grid = kineto_dim(arguments, "grid");
      event.block = kineto_dim(arguments, "block");
    } else {
      event.thread = entry.at("tid").get<std::uint32_t>();
    }
    events.push_back(std::move(event));
  }
  return events;
}

// Times are moved by this much, so that they look like CLOCK_REALTIME whatever clock the file used.
inline constexpr std::uint64_t kKinetoOffsetNs = 1'000'000'000'000'000'000;

inline void write_kineto(const std::vector<KinetoEvent>& events, const std::string& path) {
  const auto writer = trace::Writer::create(path);
  if (writer == nullptr) throw std::runtime_error("cannot create " + path);
  trace::ProcessInfo info;
  info.pid = 1;
  info.hostname = "kineto";
  info.stage = "timeline";
  std::uint64_t first_ns = UINT64_MAX;
  std::uint64_t last_ns = 0;
  for (const KinetoEvent& event : events) {
    first_ns = std::min(first_ns, event.start_ns);
    last_ns = std::max(last_ns, event.end_ns);
  }
  info.time_ns = events.empty() ? kKinetoOffsetNs : first_ns + kKinetoOffsetNs;
  writer->write(info);
  trace::LedgerSample ledger;
  for (const KinetoEvent& event : events) {
    const std::uint64_t start_ns = event.start_ns + kKinetoOffsetNs;
    const std::uint64_t end_ns = event.end_ns + kKinetoOffsetNs;
    const auto queue = [&] { return writer->queue_id({event.device, 1, event.stream}); };
    if (event.category == "kernel") {
      trace::KernelShape shape;
      shape.name = writer->string_id(event.name);
      shape.grid = event.grid;
      shape.block = event.block;
      writer->add(trace::Kernel{start_ns, end_ns, writer->shape_id(shape), queue(), event.correlation, 0, 0});
      ++ledger.kernel_launches;
    } else if (event.category == "gpu_memcpy") {
      writer->add(trace::Copy{start_ns, end_ns, event.bytes, queue(), event.correlation, 1, 1, 3, 0});
    } else if (event.category == "gpu_memset") {
      writer->add(trace::Set{start_ns, end_ns, event.bytes, queue(), event.correlation, 3, 0});
    } else {
      writer->add(trace::ApiCall{start_ns, end_ns, writer->string_id(event.name), event.thread, event.correlation, 0});
    }
  }
  ledger.kernel_records = ledger.kernel_launches;
  writer->write(ledger);
  writer->write(trace::ProcessEndRecord{last_ns == 0 ? info.time_ns : last_ns + kKinetoOffsetNs, 0});
}

}  // namespace gpuprof::test
