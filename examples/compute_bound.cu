// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// Eight independent chains of multiply-adds per thread, in registers.
//
// gpuprof should find: one kernel, `fma_bank`, with nearly all GPU time; the schedulers issue in almost every cycle,
// DRAM is idle and the tensor cores are not used.
// The fix: do less arithmetic or do it on faster units: tensor cores where the work is a matrix product, packed half
// precision where the accuracy allows it.

#include "program.hpp"

constexpr int kChains = 8;

__global__ void fma_bank(float* out, float factor, float addend, int iterations, long long threads) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= threads) return;
  float chain[kChains];
  for (int c = 0; c < kChains; ++c) chain[c] = static_cast<float>(c);
  for (int step = 0; step < iterations; ++step) {
#pragma unroll
    for (int c = 0; c < kChains; ++c) chain[c] = chain[c] * factor + addend;
  }
  float sum = 0;
  for (int c = 0; c < kChains; ++c) sum += chain[c];
  out[i] = sum;
}

int main(int argc, char** argv) {
  example::Arguments arguments(argc, argv, "usage: compute_bound [--size THREADS] [--iterations N] [--launches N]");
  const long long threads = arguments.number("--size", 1ll << 20);
  const int iterations = static_cast<int>(arguments.number("--iterations", 2048));
  const long long launches = arguments.number("--launches", 300, 0);
  arguments.finish();

  constexpr int kBlock = 256;
  example::DeviceBuffer<float> out(threads);
  example::check(cudaMemset(out.get(), 0, threads * sizeof(float)), "cudaMemset");

  const example::Stopwatch stopwatch;
  for (long long i = 0; i < launches; ++i) {
    // The factors are arguments so that the compiler cannot fold the chains.
    fma_bank<<<example::blocks_for(threads, kBlock), kBlock>>>(out.get(), 1.0f, 1.0f, iterations, threads);
    example::check_launch("fma_bank");
  }
  example::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  const double elapsed_ms = stopwatch.milliseconds();

  // Sums of small whole numbers are exact.
  float expected = 0;
  for (int c = 0; c < kChains && launches > 0; ++c) expected += static_cast<float>(c + iterations);
  bool correct = true;
  for (const float value : example::copy_to_host(out, threads)) correct = correct && value == expected;
  std::printf("compute_bound: %lld launches of fma_bank with %lld threads in %.2f ms, %.1f TFLOP/s\n", launches,
              threads, elapsed_ms, 2.0 * kChains * iterations * threads * launches / elapsed_ms / 1e9);
  return example::verdict(correct, "compute_bound");
}
