// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// y = a * x + y over arrays far larger than the L2 cache: one multiply-add for every 12 bytes of memory traffic.
//
// gpuprof should find: one kernel, `saxpy`, with nearly all GPU time; memory throughput close to the peak, few
// instructions issued; 12 bytes of DRAM traffic per element (two reads and one write).
// The fix: the kernel runs at the memory's speed, so only less traffic helps: do several updates in one pass over the
// data, keep the data in a narrower type, or work on blocks that stay in the L2 cache.

#include "program.hpp"

__global__ void fill(float* x, float* y, long long count) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i < count) {
    x[i] = 1.0f;
    y[i] = 2.0f;
  }
}

__global__ void saxpy(float a, const float* __restrict__ x, float* __restrict__ y, long long count) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i < count) y[i] = a * x[i] + y[i];
}

int main(int argc, char** argv) {
  example::Arguments arguments(argc, argv, "usage: memory_bound [--size ELEMENTS] [--launches N]");
  const long long count = arguments.number("--size", 64ll << 20);
  const long long launches = arguments.number("--launches", 400, 0);
  arguments.finish();

  constexpr int kBlock = 256;
  const unsigned grid = example::blocks_for(count, kBlock);
  example::DeviceBuffer<float> x(count);
  example::DeviceBuffer<float> y(count);
  fill<<<grid, kBlock>>>(x.get(), y.get(), count);
  example::check_launch("fill");
  example::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");

  const example::Stopwatch stopwatch;
  for (long long i = 0; i < launches; ++i) {
    saxpy<<<grid, kBlock>>>(1.0f, x.get(), y.get(), count);
    example::check_launch("saxpy");
  }
  example::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  const double elapsed_ms = stopwatch.milliseconds();

  // Every value is a small whole number, so the sum is exact.
  const float expected = 2.0f + static_cast<float>(launches);
  bool correct = true;
  for (const float value : example::copy_to_host(y, count)) correct = correct && value == expected;
  std::printf("memory_bound: %lld launches of saxpy over %lld elements in %.2f ms, %.0f GB/s\n", launches, count,
              elapsed_ms, static_cast<double>(launches) * count * 12 / elapsed_ms / 1e6);
  return example::verdict(correct, "memory_bound");
}
