// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "counters/catalog.hpp"

#include <cstring>

#include "base/error.hpp"

namespace gpuprof::counters {
namespace {

using Groups = std::vector<std::vector<std::string>>;

constexpr const char* kTime = "gpu__time_duration.sum";
constexpr const char* kClock = "gpc__cycles_elapsed.avg.per_second";
constexpr const char* kSmActive = "sm__cycles_active.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kDramBytes = "dram__bytes.sum";
constexpr const char* kDramRate = "dram__bytes.sum.per_second";
constexpr const char* kDramPeak = "dram__bytes.sum.peak_sustained";
constexpr const char* kDramThroughput = "dram__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kDramRead = "dram__bytes_read.sum";
constexpr const char* kDramWrite = "dram__bytes_write.sum";
constexpr const char* kDramReadBlackwell = "dram__bytes_op_read.sum";
constexpr const char* kDramWriteBlackwell = "dram__bytes_op_write.sum";
constexpr const char* kWarpsActive = "sm__warps_active.avg.pct_of_peak_sustained_active";
constexpr const char* kIssueActive = "smsp__issue_active.avg.per_cycle_active";
constexpr const char* kWarpsEligible = "smsp__warps_eligible.avg.per_cycle_active";
constexpr const char* kTensor = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active";
constexpr const char* kL1HitRate = "l1tex__t_sector_hit_rate.pct";
constexpr const char* kL2Hits = "lts__t_sectors_lookup_hit.sum";
constexpr const char* kL2Misses = "lts__t_sectors_lookup_miss.sum";
constexpr const char* kInstructions = "smsp__inst_executed.sum";

// Which metrics share a pass is decided by the hardware's counter slots; the tests ask CUPTI for every chip it knows.
// Instructions and L2 misses do not fit beside the first group on any chip.
const Groups& quick_common() {
  static const Groups groups = {{kTime, kClock, kSmActive, kDramBytes, kDramRate, kDramPeak, kDramThroughput, kDramRead,
                                 kDramWrite, kWarpsActive, kIssueActive, kWarpsEligible, kTensor, kL1HitRate, kL2Hits},
                                {kTime, kInstructions, kL2Misses}};
  return groups;
}

// DRAM throughput takes two passes on its own here (the rate and the peak give it), and the tensor pipe does not fit
// beside the other SM counters.
const Groups& quick_turing() {
  static const Groups groups = {{kTime, kClock, kSmActive, kDramBytes, kDramRate, kDramPeak, kDramRead, kDramWrite,
                                 kWarpsActive, kIssueActive, kWarpsEligible, kL1HitRate, kL2Hits},
                                {kTime, kInstructions, kL2Misses, kTensor}};
  return groups;
}

const Groups& quick_blackwell_graphics() {
  static const Groups groups = {
      {kTime, kClock, kSmActive, kDramBytes, kDramRate, kDramPeak, kDramThroughput, kDramReadBlackwell,
       kDramWriteBlackwell, kWarpsActive, kIssueActive, kWarpsEligible, kTensor, kL1HitRate, kL2Hits},
      {kTime, kInstructions, kL2Misses}};
  return groups;
}

// Chips that share the host's memory have no DRAM counters.
const Groups& quick_shared_memory() {
  static const Groups groups = {
      {kTime, kClock, kSmActive, kWarpsActive, kIssueActive, kWarpsEligible, kTensor, kL1HitRate, kL2Hits},
      {kTime, kInstructions, kL2Misses}};
  return groups;
}

struct ChipFamily {
  const char* prefix;
  const Groups& (*quick)();
};

// The first prefix that fits decides; the last one fits every name.
constexpr ChipFamily kFamilies[] = {
    {"GA10B", quick_shared_memory},
    {"GB10B", quick_shared_memory},
    {"GB20B", quick_shared_memory},
    {"GV", quick_turing},
    {"TU", quick_turing},
    {"GB2", quick_blackwell_graphics},
    {"", quick_common},
};

}  // namespace

std::vector<std::string> tiers() {
  return {"quick"};
}

std::vector<std::vector<std::string>> groups(const std::string& tier, const std::string& chip) {
  if (tier != "quick") {
    std::string known;
    for (const std::string& name : tiers()) known += (known.empty() ? "" : ", ") + name;
    throw UsageError("there is no metric tier \"" + tier + "\"", "Choose one of: " + known + ".");
  }
  const ChipFamily* family = kFamilies;
  while (chip.compare(0, std::strlen(family->prefix), family->prefix) != 0) ++family;
  return family->quick();
}

const std::vector<Metric>& metrics() {
  static const std::vector<Metric> list = {
      {kTime, "ns", "Time", "Duration of the launch while it was measured, which runs alone on the GPU."},
      {kClock, "1/s", "Clock", "Average clock of the graphics clusters during the launch."},
      {kSmActive, "%", "SM active",
       "Share of the launch's cycles in which an SM holds at least one warp, over all SMs."},
      {kDramBytes, "bytes", "DRAM bytes", "Bytes read from and written to device memory."},
      {kDramRate, "bytes/s", "DRAM rate", "Bytes moved to and from device memory per second of the launch."},
      {kDramPeak, "bytes/cycle", "DRAM peak", "Most bytes that device memory moves per cycle of its own clock."},
      {kDramThroughput, "%", "DRAM", "Device memory throughput as a share of its sustained peak."},
      {kDramRead, "bytes", "DRAM read", "Bytes read from device memory."},
      {kDramWrite, "bytes", "DRAM write", "Bytes written to device memory."},
      {kDramReadBlackwell, "bytes", "DRAM read", "Bytes read from device memory (its name on GB20x chips)."},
      {kDramWriteBlackwell, "bytes", "DRAM write", "Bytes written to device memory (its name on GB20x chips)."},
      {kWarpsActive, "%", "Warps", "Achieved occupancy: warps in flight as a share of an active SM's maximum."},
      {kIssueActive, "", "Issue", "Instructions issued per cycle and scheduler, at most 1, while it holds warps."},
      {kWarpsEligible, "warps", "Eligible", "Warps ready to issue per cycle and scheduler, while it holds warps."},
      {kTensor, "%", "Tensor", "Share of an active SM's cycles in which its tensor pipe is busy."},
      {kL1HitRate, "%", "L1 hit", "Share of the sectors asked of the L1 and texture cache that it holds."},
      {kL2Hits, "sectors", "L2 hits", "32-byte sectors looked up in the L2 cache and found."},
      {kL2Misses, "sectors", "L2 misses", "32-byte sectors looked up in the L2 cache and not found."},
      {kInstructions, "instructions", "Instructions", "Instructions executed, counted once per warp."},
  };
  return list;
}

const std::vector<DerivedMetric>& derived_metrics() {
  static const std::vector<DerivedMetric> list = {
      {{"gpuprof__l2_hit_rate.pct", "%", "L2 hit", "Share of the sectors looked up in the L2 cache that it holds."},
       kL2Hits,
       kL2Misses},
  };
  return list;
}

const Metric* find(const std::string& name) {
  for (const Metric& metric : metrics()) {
    if (name == metric.name) return &metric;
  }
  for (const DerivedMetric& derived : derived_metrics()) {
    if (name == derived.metric.name) return &derived.metric;
  }
  return nullptr;
}

}  // namespace gpuprof::counters
