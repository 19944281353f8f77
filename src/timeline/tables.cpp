// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/tables.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/text.hpp"
#include "trace/cupti_names.hpp"

namespace gpuprof::timeline {
namespace {

// Demangling dominates when one template is launched with thousands of shapes, so each name is done once.
class NameCache {
 public:
  struct Names {
    std::string demangled;
    std::string shortened;
  };

  const Names& of(const std::string& mangled_name) {
    const auto [entry, added] = names_.try_emplace(mangled_name);
    if (added) {
      entry->second.demangled = demangle(mangled_name);
      entry->second.shortened = short_kernel_name(entry->second.demangled);
    }
    return entry->second;
  }

 private:
  std::unordered_map<std::string_view, Names> names_;
};

void fill_shares(std::vector<KernelReport>& kernels) {
  double all_ns = 0;
  for (const KernelReport& kernel : kernels) all_ns += total_time_ns(kernel);
  if (all_ns == 0) return;
  double running_ns = 0;
  for (KernelReport& kernel : kernels) {
    running_ns += total_time_ns(kernel);
    kernel.share = total_time_ns(kernel) / all_ns;
    kernel.running_share = running_ns / all_ns;
  }
}

void fill_estimate(double uncaptured, KernelReport& kernel) {
  const auto stored = static_cast<double>(kernel.launches);
  kernel.estimated_launches = kernel.launches + static_cast<std::uint64_t>(std::llround(uncaptured));
  kernel.estimated_time_ns = kernel.time.mean_ns * (stored + uncaptured);
  if (uncaptured == 0) kernel.estimated_time_error_ns = 0;
  if (uncaptured > 0 && kernel.launches > 1) {
    kernel.estimated_time_error_ns = kernel.time.stddev_ns / std::sqrt(stored) * uncaptured;
  }
}

}  // namespace

std::size_t KernelTable::row(const trace::KernelShape& shape, std::string_view mangled_name) {
  KernelKey key{std::string(mangled_name), shape.grid, shape.block, shape.dynamic_shared_bytes};
  const auto [entry, added] = index_.try_emplace(std::move(key), rows_.size());
  if (added) rows_.push_back({&entry->first, shape, {}, 0, 0});
  Row& row = rows_[entry->second];
  // The shape of a launch that was counted only lacks what a record would tell.
  if (row.shape.registers_per_thread == 0) row.shape = shape;
  return entry->second;
}

std::vector<KernelReport> KernelTable::reports(bool estimate) {
  NameCache names;
  std::vector<KernelReport> reports;
  for (Row& row : rows_) {
    if (row.durations.count() == 0) continue;
    KernelReport report;
    report.key = *row.key;
    report.demangled_name = names.of(row.key->mangled_name).demangled;
    report.short_name = names.of(row.key->mangled_name).shortened;
    report.static_shared_bytes = row.shape.static_shared_bytes;
    report.registers_per_thread = row.shape.registers_per_thread;
    report.local_bytes_per_thread = row.shape.local_bytes_per_thread;
    report.cluster = row.shape.cluster;
    report.launches = row.durations.count();
    report.graph_launches = row.graph_launches;
    report.time = row.durations.stats();
    if (estimate) fill_estimate(row.uncaptured, report);
    reports.push_back(std::move(report));
  }
  std::sort(reports.begin(), reports.end(), [](const KernelReport& left, const KernelReport& right) {
    if (total_time_ns(left) != total_time_ns(right)) return total_time_ns(left) > total_time_ns(right);
    return left.key < right.key;
  });
  fill_shares(reports);
  return reports;
}

std::vector<KernelTable::NeverRecorded> KernelTable::never_recorded() const {
  std::vector<NeverRecorded> kernels;
  for (const Row& row : rows_) {
    if (row.durations.count() > 0 || row.uncaptured == 0) continue;
    kernels.push_back({short_kernel_name(demangle(row.key->mangled_name)), row.uncaptured});
  }
  std::stable_sort(kernels.begin(), kernels.end(), [](const NeverRecorded& left, const NeverRecorded& right) {
    return left.launches > right.launches;
  });
  return kernels;
}

void CopyTable::count(Sum& sum, std::uint64_t bytes, std::uint64_t start_ns, std::uint64_t end_ns, bool timed) {
  ++sum.count;
  sum.bytes += bytes;
  if (timed) sum.durations.add(end_ns - start_ns);
}

void CopyTable::add(const trace::Copy& copy, bool timed) {
  const Key key{copy.kind, copy.source, copy.destination, copy.source_device_plus_1, copy.destination_device_plus_1};
  count(sums_[key], copy.bytes, copy.start_ns, copy.end_ns, timed);
  copied_bytes_ += copy.bytes;
  if (timed) copy_time_ns_ += copy.end_ns - copy.start_ns;
}

void CopyTable::add(const trace::Set& set, bool timed) {
  count(sums_[{kMemset, 0, set.memory, 0, 0}], set.bytes, set.start_ns, set.end_ns, timed);
}

std::vector<CopyReport> CopyTable::reports() {
  std::vector<CopyReport> reports;
  for (auto& [key, sum] : sums_) {
    const auto& [kind, source, destination, source_device, destination_device] = key;
    CopyReport report;
    report.kind = kind == kMemset ? "memset" : trace::copy_kind_name(kind);
    if (kind != kMemset) report.source_memory = trace::memory_kind_name(source);
    report.destination_memory = trace::memory_kind_name(destination);
    if (source_device != 0) report.source_memory += " " + std::to_string(source_device - 1);
    if (destination_device != 0) report.destination_memory += " " + std::to_string(destination_device - 1);
    report.count = sum.count;
    report.bytes = sum.bytes;
    report.time = sum.durations.stats();
    reports.push_back(std::move(report));
  }
  std::stable_sort(reports.begin(), reports.end(), [](const CopyReport& left, const CopyReport& right) {
    return left.time.sum_ns > right.time.sum_ns;
  });
  return reports;
}

}  // namespace gpuprof::timeline
