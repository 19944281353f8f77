// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which NVTX ranges were open on the launching thread when a kernel was launched. The kernel comes long after its
// launch, when the ranges may be closed; what is kept meanwhile is one number a launch.

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "timeline/range_table.hpp"

namespace gpuprof::timeline {

class LaunchOwners {
 public:
  // The id of a set of rows, given in ascending order. 0 is the empty set.
  std::uint32_t owners(const std::vector<std::uint32_t>& rows);

  // The launch with this correlation id belongs to the set.
  void launched(std::uint32_t correlation, std::uint32_t owners);

  // A kernel of that launch. Launches of graphs have many.
  void kernel(std::uint32_t correlation, std::uint64_t duration_ns);

  void add_to(RangeTable& table) const;

 private:
  // Correlation ids of a process count up, so a slot is overwritten after so many API calls. The device's launch queues
  // are shorter by orders of magnitude.
  static constexpr std::size_t kSlots = std::size_t{1} << 20;
  // Nested names grow sets in number like the paths of a call tree; beyond this many, launches have no owner.
  static constexpr std::size_t kMaxSets = 100'000;

  struct Slot {
    std::uint32_t correlation = 0;
    std::uint32_t owners = 0;
  };
  struct Set {
    const std::vector<std::uint32_t>* rows = nullptr;
    std::uint64_t kernels = 0;
    std::uint64_t time_ns = 0;
  };

  std::vector<Slot> slots_;  // empty until the first launch inside a range
  std::map<std::vector<std::uint32_t>, std::uint32_t> index_;
  std::vector<Set> sets_{1};
};

}  // namespace gpuprof::timeline
