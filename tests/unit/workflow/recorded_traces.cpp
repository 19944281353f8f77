// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "unit/workflow/recorded_traces.hpp"

#include "counters/catalog.hpp"
#include "support/catch2_compat.hpp"
#include "trace/writer.hpp"

namespace gpuprof::testing {
namespace {

constexpr std::uint64_t kStart = 1'800'000'000'000'000'000;
constexpr std::uint32_t kPid = 4242;

std::unique_ptr<trace::Writer> begin(const std::string& path, const std::string& stage) {
  auto writer = trace::Writer::create(path);
  REQUIRE(writer != nullptr);
  trace::ProcessInfo process;
  process.pid = kPid;
  process.start_ticks = 1;
  process.executable = "/app";
  process.arguments = {"/app"};
  process.hostname = "node1";
  process.stage = stage;
  process.collector_version = "0.1.0";
  process.time_ns = kStart - 1'000'000;
  writer->write(process);
  writer->write(trace::CuptiInfo{"/lib/libcupti.so.13", 130001});
  trace::Device device;
  device.name = "NVIDIA H200";
  device.chip = "GH100";
  device.compute_major = 9;
  device.sm_count = 132;
  writer->write(device);
  return writer;
}

trace::KernelShape shape(trace::Writer& writer, const char* name) {
  trace::KernelShape shape;
  shape.name = writer.string_id(name);
  shape.grid = {64, 1, 1};
  shape.block = {256, 1, 1};
  return shape;
}

}  // namespace

void write_timeline_trace(const std::string& path) {
  const auto writer = begin(path, "timeline");
  const std::uint32_t hot = writer->shape_id(shape(*writer, kHotKernel));
  const std::uint32_t cold = writer->shape_id(shape(*writer, kColdKernel));
  const std::uint32_t queue = writer->queue_id({0, 1, 7});
  std::uint64_t now = kStart;
  for (std::uint32_t i = 0; i < 25; ++i) {
    const bool is_hot = i % 5 != 4;
    const std::uint64_t duration = is_hot ? 1'000'000 : 1'000;
    writer->add(trace::Kernel{now, now + duration, is_hot ? hot : cold, queue, i + 1, 0, 0});
    now += duration + 1'000;
  }
  writer->flush();
  trace::LedgerSample ledger;
  ledger.kernel_launches = 25;
  ledger.kernel_records = 25;
  writer->write(ledger);
  writer->write(trace::ProcessEndRecord{now, 0});
  writer->flush();
  REQUIRE(writer->error() == 0);
}

void write_counter_trace(const std::string& path) {
  const auto writer = begin(path, "counters");
  const std::uint32_t hot = writer->shape_id(shape(*writer, kHotKernel));
  trace::CounterGroups groups;
  groups.chip = "GH100";
  groups.groups = counters::groups("quick", "GH100");
  writer->write(groups);
  trace::CounterWindow window;
  window.start_ns = kStart;
  window.end_ns = kStart + 20'000'000;
  window.ranges_delivered = 12;
  window.launches.assign(12, hot);
  for (std::uint32_t launch = 0; launch < 12; ++launch) {
    for (std::size_t metric = 0; metric < groups.groups[0].size(); ++metric) window.values.push_back(10.0 + launch);
  }
  writer->write(window);
  writer->write(trace::ProcessEndRecord{kStart + 30'000'000, 0});
  writer->flush();
  REQUIRE(writer->error() == 0);
}

}  // namespace gpuprof::testing
