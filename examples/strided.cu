// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// Transposes a matrix. Neighbouring threads write neighbouring elements but read elements one whole row apart, so every
// warp touches 32 separate sectors for 128 bytes of payload.
//
// gpuprof should find: `transpose_strided` takes several times longer than its bytes need; many more sectors are
// requested than the payload explains, and few instructions are issued while warps wait for memory.
// The fix: read a tile with coalesced loads into shared memory and write it transposed. `--fixed` runs that version.

#include "program.hpp"

constexpr int kTile = 32;

__global__ void number_elements(unsigned* matrix, long long count) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i < count) matrix[i] = static_cast<unsigned>(i);
}

__global__ void transpose_strided(const unsigned* __restrict__ in, unsigned* __restrict__ out, long long side) {
  const long long column = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  const long long row = blockIdx.y * static_cast<long long>(blockDim.y) + threadIdx.y;
  if (column < side && row < side) out[row * side + column] = in[column * side + row];
}

__global__ void transpose_tiled(const unsigned* __restrict__ in, unsigned* __restrict__ out, long long side) {
  // The extra column keeps the 32 threads that read one column out of the same shared memory bank.
  __shared__ unsigned tile[kTile][kTile + 1];
  const long long tile_column = blockIdx.x * static_cast<long long>(kTile);
  const long long tile_row = blockIdx.y * static_cast<long long>(kTile);
  if (tile_row + threadIdx.x < side && tile_column + threadIdx.y < side) {
    tile[threadIdx.y][threadIdx.x] = in[(tile_column + threadIdx.y) * side + tile_row + threadIdx.x];
  }
  __syncthreads();
  if (tile_column + threadIdx.x < side && tile_row + threadIdx.y < side) {
    out[(tile_row + threadIdx.y) * side + tile_column + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
  }
}

int main(int argc, char** argv) {
  example::Arguments arguments(argc, argv, "usage: strided [--size ROWS] [--launches N] [--fixed]");
  const long long side = arguments.number("--size", 8192);
  const long long launches = arguments.number("--launches", 300, 0);
  const bool fixed = arguments.given("--fixed");
  arguments.finish();

  const long long count = side * side;
  example::DeviceBuffer<unsigned> in(count);
  example::DeviceBuffer<unsigned> out(count);
  example::check(cudaMemset(out.get(), 0, count * sizeof(unsigned)), "cudaMemset");
  number_elements<<<example::blocks_for(count, 256), 256>>>(in.get(), count);
  example::check_launch("number_elements");
  example::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");

  const dim3 block(kTile, kTile);
  const dim3 grid(example::blocks_for(side, kTile), example::blocks_for(side, kTile));
  const example::Stopwatch stopwatch;
  for (long long i = 0; i < launches; ++i) {
    if (fixed) {
      transpose_tiled<<<grid, block>>>(in.get(), out.get(), side);
    } else {
      transpose_strided<<<grid, block>>>(in.get(), out.get(), side);
    }
    example::check_launch("transpose");
  }
  example::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  const double elapsed_ms = stopwatch.milliseconds();

  bool correct = true;
  const std::vector<unsigned> result = example::copy_to_host(out, count);
  for (long long i = 0; i < count; ++i) {
    const unsigned expected = launches == 0 ? 0 : static_cast<unsigned>((i % side) * side + i / side);
    correct = correct && result[i] == expected;
  }
  std::printf("strided: %lld launches of %s on %lld x %lld in %.2f ms\n", launches,
              fixed ? "transpose_tiled" : "transpose_strided", side, side, elapsed_ms);
  return example::verdict(correct, "strided");
}
