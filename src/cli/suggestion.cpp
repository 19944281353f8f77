// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/suggestion.hpp"

#include <algorithm>

#include "base/nearest.hpp"

namespace gpuprof::cli {

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
