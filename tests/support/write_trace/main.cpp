// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// A trace as the collector would have left it on a host of any name:
//   write_trace PATH HOST PID START_TICKS KERNELS exit|SIGNAL|none [NAME=VALUE]...
// with kernels of 1 us, each with the launch that belongs to it, and NAME=VALUE as labels.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "trace/writer.hpp"

using namespace gpuprof;

namespace {

constexpr std::uint64_t kStart = 1'800'000'000'000'000'000;

trace::ProcessInfo process_of(char** argv, int argc) {
  trace::ProcessInfo process;
  process.hostname = argv[2];
  process.pid = static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 10));
  process.start_ticks = std::strtoull(argv[4], nullptr, 10);
  process.executable = "/app";
  process.arguments = {"/app"};
  process.stage = std::strstr(argv[1], "counters/") != nullptr ? "counters" : "timeline";
  process.collector_version = "0.1.0";
  process.time_ns = kStart;
  for (int i = 7; i < argc; ++i) process.labels.emplace_back(argv[i]);
  return process;
}

void write_kernels(trace::Writer& writer, std::uint32_t kernels) {
  trace::KernelShape shape;
  shape.name = writer.string_id("saxpy");
  shape.grid = {64, 1, 1};
  shape.block = {256, 1, 1};
  const std::uint32_t id = writer.shape_id(shape);
  const std::uint32_t queue = writer.queue_id({0, 1, 7});
  const std::uint32_t launch = writer.string_id("cudaLaunchKernel");
  std::uint64_t now = kStart + 1'000'000;
  for (std::uint32_t i = 1; i <= kernels; ++i, now += 3'000) {
    writer.add(trace::ApiCall{now, now + 500, launch, 1, i, 0});
    writer.add(trace::Kernel{now + 1'000, now + 2'000, id, queue, i, 0, 0});
  }
  writer.flush();
  trace::LedgerSample ledger;
  ledger.kernel_launches = kernels;
  ledger.kernel_records = kernels;
  writer.write(ledger);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 7) {
    std::fprintf(stderr, "usage: write_trace PATH HOST PID START_TICKS KERNELS exit|SIGNAL|none [NAME=VALUE]...\n");
    return 2;
  }
  const auto writer = trace::Writer::create(argv[1]);
  if (writer == nullptr) {
    std::perror(argv[1]);
    return 1;
  }
  writer->write(process_of(argv, argc));
  writer->write(trace::CuptiInfo{"/lib/libcupti.so.13", 130001});
  trace::Device device;
  device.name = "NVIDIA H200";
  device.chip = "GH100";
  device.compute_major = 9;
  writer->write(device);
  write_kernels(*writer, static_cast<std::uint32_t>(std::strtoul(argv[5], nullptr, 10)));
  const std::string end = argv[6];
  if (end != "none") {
    const auto signal = static_cast<std::uint32_t>(end == "exit" ? 0 : std::strtoul(argv[6], nullptr, 10));
    writer->write(trace::ProcessEndRecord{kStart + 2'000'000'000, signal});
  }
  writer->flush();
  return writer->error() == 0 ? 0 : 1;
}
