// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// Captures 50 small kernels in a CUDA graph and replays it 200 times, with a few ordinary launches around it.
//
// gpuprof should find: 50 x 200 = 10,000 launches of `graph_step`, all from a graph, and 10 of `stream_step`; counters
// for the graph as a whole, since single nodes of a graph cannot be measured.
// With --mixed the kernels sit in a child graph beside a memset: the number of kernels must stay the same.
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

// A graph that runs `inner` and sets `scratch`. Takes `inner`, which it copies, out of the world.
cudaGraph_t inside_another(cudaGraph_t inner, unsigned* scratch) {
  cudaGraph_t outer = nullptr;
  cudaGraphNode_t child = nullptr;
  cudaGraphNode_t set = nullptr;
  cudaMemsetParams memset{};
  memset.dst = scratch;
  memset.elementSize = sizeof(unsigned);
  memset.width = 1;
  memset.height = 1;
  example::check(cudaGraphCreate(&outer, 0), "cudaGraphCreate");
  example::check(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, inner), "cudaGraphAddChildGraphNode");
  example::check(cudaGraphAddMemsetNode(&set, outer, nullptr, 0, &memset), "cudaGraphAddMemsetNode");
  example::check(cudaGraphDestroy(inner), "cudaGraphDestroy");
  return outer;
}

int main(int argc, char** argv) {
  example::Arguments arguments(argc, argv, "usage: graph_replay [--size ELEMENTS] [--nodes N] [--launches REPLAYS] [--mixed]");
  const int count = static_cast<int>(arguments.number("--size", 1 << 20));
  const long long nodes = arguments.number("--nodes", 50);
  const long long replays = arguments.number("--launches", 200, 0);
  const bool mixed = arguments.given("--mixed");
  arguments.finish();

  constexpr int kBlock = 256;
  constexpr int kStreamLaunches = 10;
  const unsigned grid = example::blocks_for(count, kBlock);
  example::DeviceBuffer<unsigned> values(count);
  example::DeviceBuffer<unsigned> scratch(1);
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
  if (mixed) graph = inside_another(graph, scratch.get());
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
