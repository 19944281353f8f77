// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/rank_labels.hpp"

#include <array>
#include <charconv>
#include <string_view>

namespace gpuprof::trace {
namespace {

struct Family {
  std::string_view rank;
  std::string_view size;
};

constexpr std::array<Family, 4> kFamilies{{{"RANK", "WORLD_SIZE"},
                                           {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"SLURM_PROCID", "SLURM_NTASKS"},
                                           {"PMI_RANK", "PMI_SIZE"}}};

// Beyond every job there is; a larger number in the environment is not believed.
constexpr std::uint32_t kMaxRanks = 1'000'000;

std::optional<std::uint32_t> number_of(const std::vector<std::string>& labels, std::string_view name) {
  for (const std::string& label : labels) {
    if (label.size() <= name.size() || label.compare(0, name.size(), name) != 0 || label[name.size()] != '=') continue;
    std::uint32_t value = 0;
    const char* end = label.data() + label.size();
    const auto [stop, error] = std::from_chars(label.data() + name.size() + 1, end, value);
    if (error == std::errc{} && stop == end && value <= kMaxRanks) return value;
  }
  return std::nullopt;
}

}  // namespace

RankLabels read_rank(const std::vector<std::string>& labels) {
  for (const Family& family : kFamilies) {
    const std::optional<std::uint32_t> rank = number_of(labels, family.rank);
    if (rank) return {rank, number_of(labels, family.size).value_or(0)};
  }
  return {};
}

}  // namespace gpuprof::trace
