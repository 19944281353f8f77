// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Chooses the kernels whose hardware counters are worth measuring.

#include <cstdint>
#include <vector>

#include "gpuprof/report.hpp"

namespace gpuprof::timeline {

struct SelectionRule {
  enum class Kind { coverage, top } kind = Kind::coverage;
  double coverage = 0.9;  // 0 < coverage <= 1
  std::uint64_t top = 0;
  std::uint64_t cap = 50;  // for coverage: never more kernels than this
};

// Marks kernels, which must be in order of descending total time, and says for each why it was or was not selected.
SelectionReport select(const SelectionRule& rule, std::vector<KernelReport>& kernels);

}  // namespace gpuprof::timeline
