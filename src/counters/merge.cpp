// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "base/text.hpp"
#include "counters/catalog.hpp"
#include "counters/combine.hpp"
#include "counters/results.hpp"

namespace gpuprof::counters {
namespace {

constexpr std::size_t kNamesInNotice = 5;

std::set<std::string> expected_metrics(const std::vector<std::vector<std::string>>& groups) {
  std::set<std::string> names;
  for (const std::vector<std::string>& group : groups) names.insert(group.begin(), group.end());
  for (const DerivedMetric& derived : derived_metrics()) {
    if (names.count(derived.numerator) && names.count(derived.rest)) names.insert(derived.metric.name);
  }
  return names;
}

// Why `kernel` has no value for a metric of the plan. `measured` is null when no window saw the kernel.
std::string reason_for(const KernelReport& kernel, const Results::Kernel* measured, const CountersReport& counters,
                       const std::string& obstacle) {
  if (!counters.unavailable_reason.empty()) return counters.unavailable_reason;
  if (!counters.attempted) return "the counter stage was not run";
  if (measured != nullptr && measured->launches > 0) {
    return "too few launches in the counter run: all " + std::to_string(measured->launches) +
           " that were measured fell into windows for other metrics";
  }
  if (measured != nullptr) {
    return "all " + std::to_string(measured->discarded_launches) + " launches fell into discarded windows";
  }
  if (kernel.launches > 0 && kernel.graph_launches == kernel.launches) {
    return "launched only inside CUDA graphs: counters cover whole graphs";
  }
  if (!obstacle.empty()) return "not launched while counters could be measured: " + obstacle;
  return "not launched in the windows of the counter run";
}

// "a, b and 3 more": distinct names in the order given.
std::string listed(const std::vector<std::string>& names) {
  std::vector<std::string> distinct;
  for (const std::string& name : names) {
    if (std::find(distinct.begin(), distinct.end(), name) == distinct.end()) distinct.push_back(name);
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(distinct.size(), kNamesInNotice); ++i) text += (i ? ", " : "") + distinct[i];
  if (distinct.size() > kNamesInNotice) text += " and " + std::to_string(distinct.size() - kNamesInNotice) + " more";
  return text;
}

// Tells which kernels only one of the two runs launched.
void note_differences(const Results& results, const std::map<KernelKey, const Results::Kernel*>& measured,
                      Report& report) {
  std::set<KernelKey> known;
  std::vector<std::string> missing;
  std::size_t measurable = 0;
  for (const KernelReport& kernel : report.kernels) {
    known.insert(kernel.key);
    if (!kernel.selected || kernel.graph_launches == kernel.launches) continue;
    ++measurable;
    if (!measured.count(kernel.key)) missing.push_back(kernel.short_name);
  }
  std::vector<std::string> unknown;
  for (const Results::Kernel& kernel : results.kernels) {
    if (!known.count(kernel.key)) unknown.push_back(short_kernel_name(demangle(kernel.key.mangled_name)));
  }
  const std::string hint =
      "The two runs chose different kernels, as autotuning (torch.backends.cudnn.benchmark, Triton), random shapes or "
      "timing do: fix the choice and the seed, or let the program run longer.";
  if (!missing.empty()) {
    report.notices.push_back(
        {Severity::warning, "counters.kernels_missing",
         std::to_string(missing.size()) + " of " + std::to_string(measurable) +
             " selected kernels were not launched in the windows of the counter run: " + listed(missing),
         hint});
  }
  if (!unknown.empty()) {
    report.notices.push_back(
        {Severity::info, "counters.kernels_unknown",
         std::to_string(unknown.size()) +
             " kernels of the counter run were not launched in the timeline run: " + listed(unknown),
         hint});
  }
}

void merge_summary(const CountersReport& summary, const std::vector<std::vector<std::string>>& planned_groups,
                   CountersReport& counters) {
  const CountersReport before = counters;
  counters = summary;
  counters.attempted = summary.attempted || before.attempted;
  if (counters.tier.empty()) counters.tier = before.tier;
  if (counters.chip.empty()) counters.chip = before.chip;
  if (counters.groups.empty()) counters.groups = planned_groups;
  if (summary.launches_measured == 0 && !before.unavailable_reason.empty()) {
    counters.unavailable_reason = before.unavailable_reason;
  }
}

// The timeline knows how many kernels a graph holds, the counters what a launch of it does. Ids are numbered in order
// of instantiation, so a program that does the same twice gives its graphs the same ids.
void merge_graphs(std::vector<GraphReport> measured, std::vector<GraphReport>& graphs) {
  for (GraphReport& graph : measured) {
    const auto known = std::find_if(graphs.begin(), graphs.end(),
                                    [&](const GraphReport& other) { return other.graph_id == graph.graph_id; });
    if (known != graphs.end()) graph.kernel_nodes = known->kernel_nodes;
  }
  graphs = std::move(measured);
}

}  // namespace

void merge(const Results& results, const std::vector<std::vector<std::string>>& planned_groups, Report& report) {
  merge_summary(results.summary, planned_groups, report.counters);
  report.processes.insert(report.processes.end(), results.processes.begin(), results.processes.end());
  report.notices.insert(report.notices.end(), results.notices.begin(), results.notices.end());
  merge_graphs(results.graphs, report.graphs);

  std::map<KernelKey, const Results::Kernel*> measured;
  for (const Results::Kernel& kernel : results.kernels) measured.emplace(kernel.key, &kernel);
  const std::set<std::string> expected = expected_metrics(planned_groups);
  for (KernelReport& kernel : report.kernels) {
    const auto found = measured.find(kernel.key);
    const Results::Kernel* values = found == measured.end() ? nullptr : found->second;
    if (values != nullptr) kernel.counters = values->counters;
    if (!kernel.selected) continue;
    for (const std::string& metric : expected) {
      if (kernel.counters.count(metric)) continue;
      kernel.counters.emplace(metric,
                              not_measured(metric, reason_for(kernel, values, report.counters, results.obstacle)));
    }
  }
  // After an obstacle the windows no longer show what the run launched.
  if (report.counters.launches_measured > 0 && results.obstacle.empty()) note_differences(results, measured, report);
}

}  // namespace gpuprof::counters
