// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "render/metric_columns.hpp"

#include "base/text.hpp"

namespace gpuprof::render {
namespace {

constexpr MetricColumn kColumns[] = {
    {"dram__throughput.avg.pct_of_peak_sustained_elapsed", "DRAM%", "device memory throughput, of its peak", 1},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", "warps%", "warps in flight, of the SM's maximum", 1},
    {"smsp__issue_active.avg.per_cycle_active", "issue", "instructions issued per cycle and scheduler", 2},
    {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "tensor%", "tensor pipes busy", 1},
    {"l1tex__t_sector_hit_rate.pct", "L1%", "L1 hit rate", 1},
    {"gpuprof__l2_hit_rate.pct", "L2%", "L2 hit rate", 1},
};

}  // namespace

std::span<const MetricColumn> metric_columns() {
  return kColumns;
}

const CounterValue* measured(const KernelReport& kernel, const std::string& metric) {
  const auto found = kernel.counters.find(metric);
  if (found == kernel.counters.end() || !found->second.mean) return nullptr;
  return &found->second;
}

std::string missing_reason(const Report& report, const KernelReport& kernel, const std::string& metric) {
  const auto found = kernel.counters.find(metric);
  if (found != kernel.counters.end() && !found->second.reason.empty()) return printable(found->second.reason);
  if (!report.counters.unavailable_reason.empty()) return printable(report.counters.unavailable_reason);
  if (!kernel.selected) return "not selected";
  return "no launch was measured";
}

}  // namespace gpuprof::render
