// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/memory_sweep.hpp"

#include <algorithm>
#include <utility>

#include "trace/cupti_names.hpp"

namespace gpuprof::timeline {
namespace {

// CUpti_ActivityMemoryOperationType.
constexpr std::uint32_t kAllocation = 1;
constexpr std::uint32_t kRelease = 2;

}  // namespace

void MemorySweep::on(const trace::MemoryEvent& event) {
  Kind& kind = kinds_[event.kind];
  if (event.operation == kAllocation) {
    ++kind.use.allocations;
    kind.use.allocated_bytes += event.bytes;
    std::uint64_t& bytes = kind.bytes_at[event.address];
    kind.used_bytes += event.bytes - bytes;
    bytes = event.bytes;
    kind.use.peak_bytes = std::max(kind.use.peak_bytes, kind.used_bytes);
  } else if (event.operation == kRelease) {
    ++kind.use.releases;
    const auto allocation = kind.bytes_at.find(event.address);
    if (allocation == kind.bytes_at.end()) return;
    kind.used_bytes -= allocation->second;
    kind.bytes_at.erase(allocation);
  }
}

void MemorySweep::add_to(MemoryTable& table) const {
  for (const auto& [id, kind] : kinds_) table.add(id, kind.use);
}

void MemoryTable::add(std::uint32_t kind, const Use& use) {
  Use& sum = uses_[kind];
  sum.allocations += use.allocations;
  sum.releases += use.releases;
  sum.allocated_bytes += use.allocated_bytes;
  sum.peak_bytes = std::max(sum.peak_bytes, use.peak_bytes);
}

std::vector<MemoryReport> MemoryTable::reports() const {
  std::vector<MemoryReport> reports;
  for (const auto& [kind, use] : uses_) {
    if (use.allocations + use.releases == 0) continue;
    reports.push_back(
        {trace::memory_kind_name(kind), use.allocations, use.releases, use.allocated_bytes, use.peak_bytes});
  }
  std::stable_sort(reports.begin(), reports.end(), [](const MemoryReport& left, const MemoryReport& right) {
    return left.peak_bytes > right.peak_bytes;
  });
  return reports;
}

}  // namespace gpuprof::timeline
