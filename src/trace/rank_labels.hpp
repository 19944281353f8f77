// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which rank of a distributed job a process is, from the labels in its trace.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuprof::trace {

struct RankLabels {
  std::optional<std::uint32_t> rank;
  std::uint32_t world_size = 0;  // 0: unknown
};

// From "NAME=value" labels of a process: RANK and WORLD_SIZE, else those of Open MPI, Slurm, or PMI. The size is taken
// from the family that told the rank.
RankLabels read_rank(const std::vector<std::string>& labels);

}  // namespace gpuprof::trace
