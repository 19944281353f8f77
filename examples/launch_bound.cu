// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// 20,000 launches that each do next to nothing.
//
// gpuprof should find: `tiny_add` runs for a microsecond or two, the host needs longer than that for every launch, and
// the GPU is idle between the kernels for most of the run.
// The fix: fewer launches: fuse the steps into one kernel, or capture them once in a CUDA graph and launch that (see
// graph_replay). `--fixed` runs the fused version: 1,000 steps per launch.

#include <algorithm>

#include "program.hpp"

__global__ void tiny_add(unsigned* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] += 1;
}

__global__ void fused_add(unsigned* values, int count, int steps) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  unsigned value = values[i];
  for (int step = 0; step < steps; ++step) value += 1;
  values[i] = value;
}

int main(int argc, char** argv) {
  example::Arguments arguments(argc, argv, "usage: launch_bound [--size ELEMENTS] [--launches STEPS] [--fixed]");
  const int count = static_cast<int>(arguments.number("--size", 1024));
  const long long steps = arguments.number("--launches", 20000, 0);
  const bool fixed = arguments.given("--fixed");
  arguments.finish();

  constexpr int kBlock = 256;
  constexpr long long kFusedSteps = 1000;
  const unsigned grid = example::blocks_for(count, kBlock);
  example::DeviceBuffer<unsigned> values(count);
  example::check(cudaMemset(values.get(), 0, count * sizeof(unsigned)), "cudaMemset");
  example::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");

  long long launches = 0;
  const example::Stopwatch stopwatch;
  for (long long done = 0; done < steps; ++launches) {
    if (fixed) {
      const long long chunk = std::min(kFusedSteps, steps - done);
      fused_add<<<grid, kBlock>>>(values.get(), count, static_cast<int>(chunk));
      done += chunk;
    } else {
      tiny_add<<<grid, kBlock>>>(values.get(), count);
      done += 1;
    }
    example::check_launch("launch");
  }
  example::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  const double elapsed_ms = stopwatch.milliseconds();

  bool correct = true;
  for (const unsigned value : example::copy_to_host(values, count)) {
    correct = correct && value == static_cast<unsigned>(steps);
  }
  std::printf("launch_bound: %lld steps in %lld launches of %s in %.2f ms, %.2f us per step\n", steps, launches,
              fixed ? "fused_add" : "tiny_add", elapsed_ms, steps > 0 ? elapsed_ms * 1e3 / steps : 0.0);
  return example::verdict(correct, "launch_bound");
}
