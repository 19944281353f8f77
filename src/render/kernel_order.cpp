// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "render/kernel_order.hpp"

#include <algorithm>

namespace gpuprof::render {

std::vector<RankedKernel> ranked_kernels(const Report& report, const KernelTable& table) {
  std::vector<RankedKernel> ranked;
  for (const KernelReport& kernel : report.kernels) ranked.push_back({&kernel, ranked.size() + 1});
  // The report's own order is by time; a stable sort keeps it among equals.
  if (table.order == KernelOrder::launches) {
    std::stable_sort(ranked.begin(), ranked.end(), [](const RankedKernel& a, const RankedKernel& b) {
      return a.kernel->launches > b.kernel->launches;
    });
  } else if (table.order == KernelOrder::mean) {
    std::stable_sort(ranked.begin(), ranked.end(), [](const RankedKernel& a, const RankedKernel& b) {
      return a.kernel->time.mean_ns > b.kernel->time.mean_ns;
    });
  }
  if (table.top != 0 && ranked.size() > table.top) ranked.resize(table.top);
  return ranked;
}

}  // namespace gpuprof::render
