// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/launch_owners.hpp"

namespace gpuprof::timeline {

std::uint32_t LaunchOwners::owners(const std::vector<std::uint32_t>& rows) {
  if (rows.empty()) return 0;
  if (const auto known = index_.find(rows); known != index_.end()) return known->second;
  if (sets_.size() >= kMaxSets) return 0;
  const auto id = static_cast<std::uint32_t>(sets_.size());
  const auto entry = index_.emplace(rows, id).first;
  sets_.push_back({&entry->first, 0, 0});
  return id;
}

void LaunchOwners::launched(std::uint32_t correlation, std::uint32_t owners) {
  if (owners == 0 || correlation == 0) return;
  if (slots_.empty()) slots_.resize(kSlots);
  slots_[correlation % kSlots] = {correlation, owners};
}

void LaunchOwners::kernel(std::uint32_t correlation, std::uint64_t duration_ns) {
  if (slots_.empty() || correlation == 0) return;
  const Slot& slot = slots_[correlation % kSlots];
  if (slot.correlation != correlation) return;
  ++sets_[slot.owners].kernels;
  sets_[slot.owners].time_ns += duration_ns;
}

void LaunchOwners::add_to(RangeTable& table) const {
  for (const Set& set : sets_) {
    if (set.kernels == 0) continue;
    for (const std::uint32_t row : *set.rows) table.add_kernels(row, set.kernels, set.time_ns);
  }
}

}  // namespace gpuprof::timeline
