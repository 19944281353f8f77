// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/nvtx_steps.hpp"

#include <algorithm>
#include <utility>

namespace gpuprof::timeline {

std::string_view without_number(std::string_view name) {
  const std::size_t last_other = name.find_last_not_of("0123456789");
  if (last_other == std::string_view::npos || last_other + 1 == name.size()) return name;
  const std::size_t last_of_name = name.substr(0, last_other + 1).find_last_not_of(" #_-:=/.");
  return last_of_name == std::string_view::npos ? name : name.substr(0, last_of_name + 1);
}

std::uint32_t NvtxSteps::candidate(std::uint32_t thread, std::uint32_t domain_id, std::uint32_t name_id,
                                   std::string_view name) {
  std::string key = std::to_string(thread) + "/" + std::to_string(domain_id) + "/";
  key += without_number(name);
  if (const auto known = index_.find(key); known != index_.end()) {
    Candidate& candidate = candidates_[known->second];
    if (!candidate.numbered && candidate.name_id != name_id) {
      candidate.numbered = true;
      candidate.name = without_number(name);
    }
    return known->second;
  }
  if (candidates_.size() >= kMaxCandidates) return kNone;
  const auto id = static_cast<std::uint32_t>(candidates_.size());
  index_.emplace(std::move(key), id);
  Candidate& candidate = candidates_.emplace_back();
  candidate.name = name;
  candidate.name_id = name_id;
  return id;
}

void NvtxSteps::enter(std::uint32_t id, std::uint32_t thread) {
  if (id == kNone) return;
  Candidate& candidate = candidates_[id];
  candidate.nested_in_itself = candidate.nested_in_itself || candidate.open > 0;
  ++candidate.open;
  std::vector<std::uint32_t>& stack = open_[thread];
  const std::uint32_t parent = stack.empty() ? kNone : stack.back();
  stack.push_back(id);
  if (candidate.parent == parent) {
    ++candidate.parent_votes;
  } else if (candidate.parent_votes == 0) {
    candidate.parent = parent;
    candidate.parent_votes = 1;
  } else {
    --candidate.parent_votes;
  }
}

void NvtxSteps::leave(std::uint32_t id, std::uint32_t thread) {
  if (id == kNone) return;
  --candidates_[id].open;
  std::vector<std::uint32_t>& stack = open_[thread];
  // Ranges of different domains need not be nested; the one to close is close to the end all the same.
  const auto position = std::find(stack.rbegin(), stack.rend(), id);
  if (position != stack.rend()) stack.erase(std::next(position).base());
}

void NvtxSteps::add(std::uint32_t id, const Instance& instance) {
  if (id == kNone) return;
  Candidate& to = candidates_[id];
  const std::uint64_t wall_ns = instance.end_ns - instance.start_ns;
  if (to.durations.count() == 0) to.first_ns = instance.start_ns;
  to.last_ns = std::max(to.last_ns, instance.end_ns);
  to.durations.add(wall_ns);
  to.launches += instance.launches;
  if (!instance.captured) return;
  ++to.captured;
  to.idle_ns += wall_ns - std::min(wall_ns, instance.busy_ns);
  to.kernels += instance.kernels;
}

bool NvtxSteps::qualifies(const Candidate& candidate, std::uint64_t kernels) const {
  if (candidate.durations.count() < 3 || candidate.nested_in_itself) return false;
  if (2 * candidate.durations.sum_ns() < candidate.last_ns - candidate.first_ns) return false;
  return std::max(candidate.kernels, candidate.launches) >= (kernels + 3) / 4;
}

bool NvtxSteps::inside_another(const std::vector<bool>& qualified, std::uint32_t candidate) const {
  std::uint32_t parent = candidates_[candidate].parent;
  // Majorities of parents need not form a tree; a chain longer than this goes in circles.
  for (int depth = 0; parent != kNone && depth < 64; ++depth) {
    if (parent != candidate && qualified[parent]) return true;
    parent = candidates_[parent].parent;
  }
  return false;
}

std::optional<StepReport> NvtxSteps::take(std::uint64_t kernels) {
  if (kernels == 0) return std::nullopt;
  std::vector<bool> qualified;
  for (const Candidate& candidate : candidates_) qualified.push_back(qualifies(candidate, kernels));
  Candidate* best = nullptr;
  for (std::uint32_t id = 0; id < candidates_.size(); ++id) {
    if (!qualified[id] || inside_another(qualified, id)) continue;
    Candidate& candidate = candidates_[id];
    const auto merit = [](const Candidate& of) { return std::pair{of.launches > 0, of.durations.sum_ns()}; };
    if (best == nullptr || merit(candidate) > merit(*best)) best = &candidate;
  }
  if (best == nullptr) return std::nullopt;
  StepReport report;
  report.source = "nvtx";
  report.name = best->name;
  report.count = best->durations.count();
  report.time = best->durations.stats();
  if (best->captured > 0) {
    report.mean_idle_ns = static_cast<double>(best->idle_ns) / static_cast<double>(best->captured);
    report.mean_kernels = static_cast<double>(best->kernels) / static_cast<double>(best->captured);
  }
  return report;
}

}  // namespace gpuprof::timeline
