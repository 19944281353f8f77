// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/select.hpp"

#include <string>

#include "base/units.hpp"
#include "timeline/tables.hpp"

namespace gpuprof::timeline {
namespace {

// Selected kernels are the first ones of the list; this says how many, and why the next one is not among them.
struct Cut {
  std::size_t selected = 0;
  std::string reason_for_rest;
};

Cut cut_by_top(const SelectionRule& rule, const std::vector<KernelReport>& kernels) {
  const std::string rest = "not among the " + format_count(rule.top) + " kernels with the largest total time";
  return {rule.top < kernels.size() ? static_cast<std::size_t>(rule.top) : kernels.size(), rest};
}

Cut cut_by_coverage(const SelectionRule& rule, const std::vector<KernelReport>& kernels, double total_ns) {
  Cut cut;
  double covered_ns = 0;
  const auto covered = [&] { return covered_ns / total_ns; };
  for (const KernelReport& kernel : kernels) {
    if (total_time_ns(kernel) == 0) {
      cut.reason_for_rest = "its launches took no measurable time";
      return cut;
    }
    if (covered() >= rule.coverage) {
      cut.reason_for_rest = "kernels with more total time already cover " + format_percent(covered()) +
                            " of the kernel time (wanted: " + format_percent(rule.coverage) + ")";
      return cut;
    }
    if (cut.selected >= rule.cap) {
      cut.reason_for_rest = "beyond the cap of " + format_count(rule.cap) + " kernels, which cover " +
                            format_percent(covered()) +
                            " of the kernel time (wanted: " + format_percent(rule.coverage) + ")";
      return cut;
    }
    covered_ns += total_time_ns(kernel);
    ++cut.selected;
  }
  return cut;
}

}  // namespace

SelectionReport select(const SelectionRule& rule, std::vector<KernelReport>& kernels) {
  double total_ns = 0;
  for (const KernelReport& kernel : kernels) total_ns += total_time_ns(kernel);
  const bool by_top = rule.kind == SelectionRule::Kind::top;
  const Cut cut = by_top ? cut_by_top(rule, kernels) : cut_by_coverage(rule, kernels, total_ns);

  SelectionReport report;
  report.rule = by_top ? "top" : "coverage";
  report.coverage_target = rule.coverage;
  report.top = rule.top;
  report.cap = rule.cap;
  report.selected = cut.selected;
  double covered_ns = 0;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    KernelReport& kernel = kernels[i];
    kernel.selected = i < cut.selected;
    kernel.selection_reason = cut.reason_for_rest;
    if (!kernel.selected) continue;
    covered_ns += total_time_ns(kernel);
    kernel.selection_reason =
        "rank " + format_count(i + 1) + " by total time" +
        (total_ns > 0 ? ", " + format_percent(total_time_ns(kernel) / total_ns) + " of the kernel time" : "");
  }
  if (total_ns > 0) report.coverage_reached = covered_ns / total_ns;
  return report;
}

}  // namespace gpuprof::timeline
