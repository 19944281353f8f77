// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// Sends a block of ordinary (pageable) host memory to the GPU, scales it there and fetches it back, over and over.
//
// gpuprof should find: the copies take many times longer than `scale`; they come from and go to pageable memory; the
// host waits inside them and nothing overlaps. The fix: allocate the host block with cudaMallocHost (pinned memory),
// and if the work allows it keep the data on the GPU between the steps. `--fixed` uses pinned memory.

#include "program.hpp"

__global__ void scale(float* values, float factor, long long count) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i < count) values[i] *= factor;
}

int main(int argc, char** argv) {
  example::Arguments arguments(argc, argv, "usage: pageable_copies [--size ELEMENTS] [--launches ROUNDS] [--fixed]");
  const long long count = arguments.number("--size", 16ll << 20);
  const long long rounds = arguments.number("--launches", 60, 0);
  const bool fixed = arguments.given("--fixed");
  arguments.finish();

  const std::size_t size_bytes = count * sizeof(float);
  float* host = nullptr;
  std::vector<float> pageable;
  if (fixed) {
    example::check(cudaMallocHost(&host, size_bytes), "cudaMallocHost");
  } else {
    pageable.resize(count);
    host = pageable.data();
  }
  for (long long i = 0; i < count; ++i) host[i] = 1.0f;
  example::DeviceBuffer<float> device(count);
  example::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");

  constexpr int kBlock = 256;
  const example::Stopwatch stopwatch;
  for (long long round = 0; round < rounds; ++round) {
    example::check(cudaMemcpy(device.get(), host, size_bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    // Doubling and halving by turns keeps every value exact.
    scale<<<example::blocks_for(count, kBlock), kBlock>>>(device.get(), round % 2 == 0 ? 2.0f : 0.5f, count);
    example::check_launch("scale");
    example::check(cudaMemcpy(host, device.get(), size_bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
  }
  const double elapsed_ms = stopwatch.milliseconds();

  const float expected = rounds % 2 == 0 ? 1.0f : 2.0f;
  bool correct = true;
  for (long long i = 0; i < count; ++i) correct = correct && host[i] == expected;
  if (fixed) example::check(cudaFreeHost(host), "cudaFreeHost");
  std::printf("pageable_copies: %lld rounds of %zu bytes each way through %s memory in %.2f ms, %.1f GB/s\n", rounds,
              size_bytes, fixed ? "pinned" : "pageable", elapsed_ms, 2.0 * size_bytes * rounds / elapsed_ms / 1e6);
  return example::verdict(correct, "pageable_copies");
}
