// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Trace files of any size for the benches: synthetic launches, each with the API record of its call.

#include <cstdint>
#include <string>
#include <vector>

namespace gpuprof::bench {

struct Launch {
  std::size_t shape;
  std::uint32_t gap_ns;       // between two launches on the host
  std::uint32_t api_ns;       // the launch call
  std::uint32_t duration_ns;  // the kernel
};

// A repeating mix like a training step: many short element-wise kernels, few long ones, normally distributed spread.
std::vector<Launch> launch_mix();

// Writes a whole trace with this many kernels of 200 shapes. False when it cannot be written.
bool write_trace(const std::string& path, std::uint64_t kernels, const std::vector<Launch>& mix);

}  // namespace gpuprof::bench
