// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// Captures 50 small kernels in a CUDA graph and replays it 200 times, with a few ordinary launches around it.
//
// gpuprof should find: 50 x 200 = 10,000 launches of `graph_step`, all from a graph, and 10 of `stream_step`; counters
// for the graph as a whole, since single nodes of a graph cannot be measured.
// The fix: none is needed for the launches; this is what launch_bound looks like once it is captured.

#include "program.hpp"

__global__ void graph_step(unsigned* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] += 1;
}

__global__ void stream_step(unsigned* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] += 3;
}

int main(int argc, char** argv) {
  example::Arguments arguments(argc, argv, "usage: graph_replay [--size ELEMENTS] [--nodes N] [--launches REPLAYS]");
  const int count = static_cast<int>(arguments.number("--size", 1 << 20));
  const long long nodes = arguments.number("--nodes", 50);
  const long long replays = arguments.number("--launches", 200, 0);
  arguments.finish();

  constexpr int kBlock = 256;
  constexpr int kStreamLaunches = 10;
  const unsigned grid = example::blocks_for(count, kBlock);
  example::DeviceBuffer<unsigned> values(count);
  cudaStream_t stream = nullptr;
  example::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  example::check(cudaMemsetAsync(values.get(), 0, count * sizeof(unsigned), stream), "cudaMemsetAsync");

  cudaGraph_t graph = nullptr;
  example::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  for (long long node = 0; node < nodes; ++node) {
    graph_step<<<grid, kBlock, 0, stream>>>(values.get(), count);
    example::check_launch("graph_step");
  }
  example::check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  cudaGraphExec_t executable = nullptr;
  example::check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");

  const example::Stopwatch stopwatch;
  for (int i = 0; i < kStreamLaunches; ++i) {
    stream_step<<<grid, kBlock, 0, stream>>>(values.get(), count);
    example::check_launch("stream_step");
  }
  for (long long i = 0; i < replays; ++i) example::check(cudaGraphLaunch(executable, stream), "cudaGraphLaunch");
  example::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  const double elapsed_ms = stopwatch.milliseconds();

  const unsigned expected = static_cast<unsigned>(nodes * replays + 3 * kStreamLaunches);
  bool correct = true;
  for (const unsigned value : example::copy_to_host(values, count)) correct = correct && value == expected;
  example::check(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
  example::check(cudaGraphDestroy(graph), "cudaGraphDestroy");
  example::check(cudaStreamDestroy(stream), "cudaStreamDestroy");
  std::printf("graph_replay: %lld replays of %lld kernels and %d stream launches in %.2f ms\n", replays, nodes,
              kStreamLaunches, elapsed_ms);
  return example::verdict(correct, "graph_replay");
}
