// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a kernel launch is: its shape, the key that makes launches comparable, and the spread of its durations.

#include <compare>
#include <cstdint>
#include <string>

namespace gpuprof {

// A CUDA dim3. Every component is at least 1 for a real launch.
struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  auto operator<=>(const Dim3&) const = default;
};

// Launches with the same key do the same kind of work and are summarised together. Dynamic shared memory is part of the
// key because it is chosen at launch; static shared memory and registers belong to the function and follow from the
// name.
struct KernelKey {
  std::string mangled_name;  // bytes as CUPTI delivers them; not necessarily valid UTF-8
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;

  auto operator<=>(const KernelKey&) const = default;
};

// Durations of the launches of one key, in nanoseconds, from the timeline only. Quantiles are exact order statistics:
// the q-quantile of n values is the value at index ceil(q * n) - 1 of the sorted list. All zero when there is no
// launch.
struct DurationStats {
  std::uint64_t sum_ns = 0;
  double mean_ns = 0;
  std::uint64_t median_ns = 0;
  std::uint64_t p95_ns = 0;
  std::uint64_t min_ns = 0;
  std::uint64_t max_ns = 0;
  double stddev_ns = 0;  // sample standard deviation (n - 1); 0 for fewer than two launches
};

}  // namespace gpuprof
