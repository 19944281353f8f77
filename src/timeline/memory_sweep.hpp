// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory in use, by the allocations and releases a process recorded.

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "gpuprof/report.hpp"
#include "trace/event_stream.hpp"

namespace gpuprof::timeline {

// Sums over all processes, by memory kind. The peak is the largest of any one process: what processes use at the same
// time is not added up, since it may be on different devices.
class MemoryTable {
 public:
  // What one process did with one kind of memory.
  struct Use {
    std::uint64_t allocations = 0;
    std::uint64_t releases = 0;
    std::uint64_t allocated_bytes = 0;
    std::uint64_t peak_bytes = 0;
  };
  void add(std::uint32_t kind, const Use& use);

  // By descending peak, ties by kind.
  std::vector<MemoryReport> reports() const;

 private:
  std::map<std::uint32_t, Use> uses_;
};

// One process. A release of something whose allocation was not recorded is counted and frees nothing; an allocation at
// an address in use replaces the older one, whose release was not recorded.
class MemorySweep : public trace::EventVisitor {
 public:
  using trace::EventVisitor::on;

  void on(const trace::MemoryEvent& event) override;
  void add_to(MemoryTable& table) const;

 private:
  struct Kind {
    MemoryTable::Use use;
    std::uint64_t used_bytes = 0;
    std::unordered_map<std::uint64_t, std::uint64_t> bytes_at;  // by address
  };
  std::map<std::uint32_t, Kind> kinds_;
};

}  // namespace gpuprof::timeline
