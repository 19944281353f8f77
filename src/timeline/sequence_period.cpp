// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/sequence_period.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gpuprof::timeline {
namespace {

constexpr double kLeastMatch = 0.8;
constexpr double kSlack = 0.005;
constexpr std::size_t kPeriods = 5;
// Each costs one pass over the sequence. Sequences with a period have few distances that cover much of it.
constexpr std::size_t kMaxCandidates = 64;

// How far each element is behind the previous equal one; 0 for the first of its kind.
std::vector<std::uint32_t> distances(std::span<const std::uint32_t> sequence) {
  std::vector<std::uint32_t> result(sequence.size());
  std::unordered_map<std::uint32_t, std::size_t> last;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const auto [entry, first] = last.try_emplace(sequence[i], i);
    if (!first) result[i] = static_cast<std::uint32_t>(i - entry->second);
    entry->second = i;
  }
  return result;
}

// Distances that may be the period, which some element that occurs once in it repeats at. Those that cover the most of
// the sequence, in ascending order.
std::vector<std::size_t> candidates(const std::vector<std::uint32_t>& distances) {
  const std::size_t longest = distances.size() / kPeriods;
  std::unordered_map<std::uint32_t, std::uint64_t> covered;
  for (const std::uint32_t distance : distances) {
    if (distance != 0 && distance <= longest) covered[distance] += distance;
  }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> ranked;
  for (const auto& [distance, by] : covered) ranked.emplace_back(by, distance);
  std::sort(ranked.begin(), ranked.end(), [](const auto& left, const auto& right) {
    return left.first != right.first ? left.first > right.first : left.second < right.second;
  });
  if (ranked.size() > kMaxCandidates) ranked.resize(kMaxCandidates);
  std::vector<std::size_t> result;
  for (const auto& [by, distance] : ranked) result.push_back(distance);
  std::sort(result.begin(), result.end());
  return result;
}

double match(std::span<const std::uint32_t> sequence, std::size_t period) {
  const std::size_t pairs = sequence.size() - period;
  std::size_t equal = 0;
  for (std::size_t i = 0; i < pairs; ++i) equal += sequence[i] == sequence[i + period] ? 1 : 0;
  return static_cast<double>(equal) / static_cast<double>(pairs);
}

// The id that repeats at exactly this distance most often, and hardly at any other; of equals the first to appear.
std::optional<std::uint32_t> find_anchor(std::span<const std::uint32_t> sequence,
                                         const std::vector<std::uint32_t>& distances, std::size_t period) {
  struct Uses {
    std::size_t all = 0;
    std::size_t at_period = 0;
  };
  std::unordered_map<std::uint32_t, Uses> uses;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    Uses& of = uses[sequence[i]];
    ++of.all;
    of.at_period += distances[i] == period ? 1 : 0;
  }
  const std::size_t needed = sequence.size() / period * 6 / 10;
  std::optional<std::uint32_t> best;
  for (const std::uint32_t id : sequence) {
    const Uses& of = uses[id];
    if (of.at_period < std::max<std::size_t>(needed, 3) || of.all > of.at_period + of.at_period / 10 + 2) continue;
    if (!best || of.at_period > uses[*best].at_period) best = id;
  }
  return best;
}

std::optional<Period> period_of(std::span<const std::uint32_t> sequence) {
  if (sequence.size() < kPeriods) return std::nullopt;
  const std::vector<std::uint32_t> behind = distances(sequence);
  std::vector<std::pair<std::size_t, double>> matches;
  double best = 0;
  for (const std::size_t period : candidates(behind)) {
    matches.emplace_back(period, match(sequence, period));
    best = std::max(best, matches.back().second);
  }
  for (const auto& [period, matching] : matches) {
    if (matching < kLeastMatch || matching < best - kSlack) continue;
    // One kernel over and over says nothing about steps.
    if (period == 1) return std::nullopt;
    const std::optional<std::uint32_t> anchor = find_anchor(sequence, behind, period);
    if (!anchor) return std::nullopt;
    return Period{period, *anchor};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Period> find_period(std::span<const std::uint32_t> sequence) {
  if (const std::optional<Period> period = period_of(sequence)) return period;
  return period_of(sequence.subspan(sequence.size() / 2));
}

}  // namespace gpuprof::timeline
