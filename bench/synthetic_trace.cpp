// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "synthetic_trace.hpp"

#include <algorithm>
#include <random>

#include "trace/writer.hpp"

namespace gpuprof::bench {
namespace {

constexpr std::uint64_t kStartNs = 1'700'000'000'000'000'000;
constexpr std::uint64_t kQueueNs = 1'000'000;
constexpr std::size_t kShapes = 200;

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kShapes; ++i) {
    names.push_back("_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11CUDAFunctor" + std::to_string(i) +
                    "IfEESt5arrayIPcLm3EEEEviT0_T1_" + std::string(60, 'x'));
  }
  return names;
}

}  // namespace

std::vector<Launch> launch_mix() {
  std::mt19937_64 random{42};
  std::normal_distribution<double> spread{1.0, 0.03};
  std::vector<Launch> mix(16384);
  for (std::size_t i = 0; i < mix.size(); ++i) {
    const std::size_t shape = i % kShapes;
    const double typical_ns = shape % 10 == 0 ? 80'000 : 2'000 + 40 * static_cast<double>(shape);
    mix[i] = {shape, static_cast<std::uint32_t>(4'000 + random() % 4'000),
              static_cast<std::uint32_t>(1'500 + random() % 2'000),
              static_cast<std::uint32_t>(typical_ns * std::max(0.5, spread(random)))};
  }
  return mix;
}

bool write_trace(const std::string& path, std::uint64_t kernels, const std::vector<Launch>& mix) {
  const std::vector<std::string> names = kernel_names();
  const auto writer = trace::Writer::create(path);
  if (!writer) return false;
  trace::ProcessInfo info;
  info.pid = 1;
  info.stage = "timeline";
  info.time_ns = kStartNs;
  writer->write(info);
  std::uint64_t host_ns = kStartNs;
  std::uint64_t device_ns = kStartNs;
  for (std::uint64_t i = 0; i < kernels; ++i) {
    const Launch& launch = mix[i % mix.size()];
    // The host runs ahead of the device by a millisecond at most, as the launch queue has a limited length.
    host_ns = std::max(host_ns + launch.gap_ns, device_ns > kQueueNs ? device_ns - kQueueNs : 0);
    const auto correlation = static_cast<std::uint32_t>(i + 1);
    trace::KernelShape shape;
    // As the collector does it: the name is looked up for every record.
    shape.name = writer->string_id(names[launch.shape]);
    shape.grid.x = static_cast<std::uint32_t>(launch.shape + 1);
    shape.block.x = 256;
    shape.registers_per_thread = 32;
    trace::ApiCall call;
    call.start_ns = host_ns;
    call.end_ns = host_ns + launch.api_ns;
    call.function = writer->string_id("cudaLaunchKernel_v7000");
    call.thread = 4711;
    call.correlation = correlation;
    writer->add(call);
    trace::Kernel kernel;
    kernel.start_ns = std::max(device_ns + 800, call.end_ns);
    // Jitter that does not repeat with the mix, so that the number of distinct durations is realistic.
    kernel.end_ns = kernel.start_ns + launch.duration_ns + (i * 0x9e3779b97f4a7c15U >> 56);
    kernel.shape = writer->shape_id(shape);
    kernel.queue = writer->queue_id({0, 1, 7});
    kernel.correlation = correlation;
    writer->add(kernel);
    device_ns = kernel.end_ns;
  }
  trace::LedgerSample ledger;
  ledger.kernel_launches = kernels;
  writer->write(ledger);
  writer->write(trace::ProcessEndRecord{std::max(device_ns, host_ns), 0});
  return writer->error() == 0;
}

}  // namespace gpuprof::bench
