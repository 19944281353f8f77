// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/suggestion.hpp"

#include <algorithm>
#include <numeric>

namespace gpuprof::cli {
namespace {

// Insertions, deletions and replacements that turn one text into the other.
std::size_t edit_distance(const std::string& from, const std::string& to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(const std::string& typed, const std::vector<std::string>& candidates) {
  std::string nearest;
  std::size_t nearest_distance = std::max<std::size_t>(2, typed.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const bool beginning = typed.size() >= 3 && candidate.starts_with(typed);
    const std::size_t distance = beginning ? 1 : edit_distance(typed, candidate);
    if (distance >= nearest_distance || distance >= candidate.size()) continue;
    nearest = candidate;
    nearest_distance = distance;
  }
  return nearest.empty() ? std::string() : "Did you mean " + nearest + "? ";
}

}  // namespace gpuprof::cli
