// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernels a table shows, in its order.

#include <cstddef>
#include <vector>

#include "render/render.hpp"

namespace gpuprof::render {

struct RankedKernel {
  const KernelReport* kernel = nullptr;
  std::size_t rank = 0;  // by total time, from 1, whatever the table's order is
};

std::vector<RankedKernel> ranked_kernels(const Report& report, const KernelTable& table);

}  // namespace gpuprof::render
