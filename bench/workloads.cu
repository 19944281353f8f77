// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// Loops whose cost under a profiler is measured. Each prints one line with the wall and process CPU time of its loop,
// its launches and kernels, and the process's peak resident memory:
//
//   workloads launches --threads T --launches N        N empty kernels in all, from T threads with a stream each
//   workloads gemm --launches N                        N matrix products that keep the GPU busy
//   workloads graph --nodes N --launches N [--empty]   replays of a CUDA graph of N short kernels, as in decoding

#include <sys/resource.h>
#include <time.h>

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "../examples/program.hpp"

namespace {

double clock_ms(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Loop {
  double wall_ms = clock_ms(CLOCK_MONOTONIC);
  double cpu_ms = clock_ms(CLOCK_PROCESS_CPUTIME_ID);

  void print(long long launches, long long kernels) const {
    const double wall = clock_ms(CLOCK_MONOTONIC) - wall_ms;
    const double cpu = clock_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu_ms;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("measured wall_ms=%.3f cpu_ms=%.3f launches=%lld kernels=%lld peak_rss_kib=%ld\n", wall, cpu, launches,
                kernels, usage.ru_maxrss);
  }
};

__global__ void empty() {}

// One token's worth of work of a small layer: every thread reads a stretch of the weights.
__global__ void decode_layer(const float* weights, float* activations, int per_thread) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  float sum = activations[i];
  for (int k = 0; k < per_thread; ++k) sum += weights[i + k * stride];
  activations[i] = sum * 0.5f;
}

constexpr int kTile = 32;

__global__ void gemm(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int row = static_cast<int>(blockIdx.y) * kTile + static_cast<int>(threadIdx.y);
  const int column = static_cast<int>(blockIdx.x) * kTile + static_cast<int>(threadIdx.x);
  float sum = 0;
  for (int base = 0; base < n; base += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + base + static_cast<int>(threadIdx.x)];
    tile_b[threadIdx.y][threadIdx.x] = b[(base + static_cast<int>(threadIdx.y)) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

cudaStream_t new_stream() {
  cudaStream_t stream = nullptr;
  example::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return stream;
}

void launch_empty(cudaStream_t stream, long long count) {
  for (long long i = 0; i < count; ++i) empty<<<1, 32, 0, stream>>>();
  example::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

void run_launches(example::Arguments& arguments) {
  const long long threads = arguments.number("--threads", 1);
  const long long launches = arguments.number("--launches", 1'000'000) / threads;
  arguments.finish();
  std::vector<cudaStream_t> streams;
  for (long long i = 0; i < threads; ++i) {
    streams.push_back(new_stream());
    launch_empty(streams.back(), 1000);
  }
  const Loop loop;
  std::vector<std::thread> workers;
  for (const cudaStream_t stream : streams) workers.emplace_back(launch_empty, stream, launches);
  for (std::thread& worker : workers) worker.join();
  loop.print(launches * threads, launches * threads);
}

void run_gemm(example::Arguments& arguments) {
  constexpr int kSize = 2048;
  const long long launches = arguments.number("--launches", 300);
  arguments.finish();
  const example::DeviceBuffer<float> a(kSize * kSize);
  const example::DeviceBuffer<float> b(kSize * kSize);
  const example::DeviceBuffer<float> c(kSize * kSize);
  const cudaStream_t stream = new_stream();
  const dim3 grid(kSize / kTile, kSize / kTile);
  const dim3 block(kTile, kTile);
  const auto launch = [&] { gemm<<<grid, block, 0, stream>>>(a.get(), b.get(), c.get(), kSize); };
  for (int i = 0; i < 10; ++i) launch();
  example::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  const Loop loop;
  for (long long i = 0; i < launches; ++i) launch();
  example::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  loop.print(launches, launches);
}

void run_graph(example::Arguments& arguments) {
  constexpr int kBlock = 256;
  constexpr int kBlocks = 264;
  constexpr int kPerThread = 16;
  const long long nodes = arguments.number("--nodes", 200);
  const long long launches = arguments.number("--launches", 1000);
  const bool is_empty = arguments.given("--empty");
  arguments.finish();
  const example::DeviceBuffer<float> weights(kBlock * kBlocks * kPerThread);
  const example::DeviceBuffer<float> activations(kBlock * kBlocks);
  const cudaStream_t stream = new_stream();
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  example::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  for (long long node = 0; node < nodes; ++node) {
    if (is_empty) {
      empty<<<1, 32, 0, stream>>>();
    } else {
      decode_layer<<<kBlocks, kBlock, 0, stream>>>(weights.get(), activations.get(), kPerThread);
    }
  }
  example::check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  example::check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  const auto replay = [&] { example::check(cudaGraphLaunch(executable, stream), "cudaGraphLaunch"); };
  for (int i = 0; i < 5; ++i) replay();
  example::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  const Loop loop;
  for (long long i = 0; i < launches; ++i) {
    replay();
    // A decoding loop looks at its token after every step; here after every tenth, so that the GPU stays busy.
    if (i % 10 == 9) example::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  }
  example::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  loop.print(launches, launches * nodes);
}

}  // namespace

int main(int argc, char** argv) {
  const char* usage = "usage: workloads launches|gemm|graph [--threads T] [--launches N] [--nodes N] [--empty]";
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode != "launches" && mode != "gemm" && mode != "graph") {
    std::fprintf(stderr, "%s\n", usage);
    return 2;
  }
  example::Arguments arguments(argc - 1, argv + 1, usage);
  if (mode == "launches") run_launches(arguments);
  if (mode == "gemm") run_gemm(arguments);
  if (mode == "graph") run_graph(arguments);
  return 0;
}
