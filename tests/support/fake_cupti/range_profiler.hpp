// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Counters over launches: what the device tells the range profiler.

#include "device.hpp"

namespace fake_cupti {

// To be called where a launch is made, on the launching thread.
void measure_kernel(const Context& context, const KernelWork& work);

// A graph of `kernels` launches of `work`. Auto range does not work with graphs: the whole window gives one range, and
// Stop fails.
void measure_graph(const Context& context, const KernelWork& work, std::uint64_t kernels);

}  // namespace fake_cupti
