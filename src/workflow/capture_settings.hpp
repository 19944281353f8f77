// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the timeline stage records, and when: the options of `gpuprof run` that the collector carries out.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gpuprof::workflow {

struct CaptureSettings {
  bool nvtx = true;
  bool memory = false;          // allocations, releases, pools
  bool unified_memory = false;  // traffic and faults of managed memory
  bool all_api = false;         // every CUDA API call instead of launches, copies, allocations and synchronisation
  bool whole_graphs = false;    // one record a graph launch instead of one a node
  std::uint64_t delay_ms = 0;
  std::uint64_t duration_ms = 0;   // 0: no limit
  std::string range;               // "nvtx:NAME", "profiler-api" or empty
  std::uint64_t max_bytes = 0;     // of a process's trace; 0: no limit
  std::uint64_t keep_last_ms = 0;  // the flight recorder; 0: keep everything
  unsigned share_percent = 0;      // 1 to 99; 0: record all the time
};

// Sets the switches for a comma-separated list of nvtx=off, memory, uvm, api=all. Throws UsageError for anything else.
void apply_trace_list(const std::string& list, CaptureSettings& settings);

// Throws UsageError for a range that is neither "profiler-api" nor "nvtx:" with a name.
void check_capture_range(const std::string& range);

// The variables that tell the collector.
std::vector<std::pair<std::string, std::string>> capture_environment(const CaptureSettings& settings);

}  // namespace gpuprof::workflow
