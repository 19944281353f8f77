// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the launcher asks of the collector. This is the only place that reads the environment.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gpuprof::collector {

enum class Stage { timeline, counters };

struct Options {
  std::string trace_directory;                    // GPUPROF_TRACE_DIR; empty: nobody asked for a profile
  Stage stage = Stage::timeline;                  // GPUPROF_STAGE
  std::string plan_path;                          // GPUPROF_COUNTER_PLAN, for the counter stage
  std::string cupti_path;                         // GPUPROF_CUPTI_LIB: tried when no libcupti is mapped yet
  unsigned flush_period_ms = 0;                   // GPUPROF_FLUSH_PERIOD_MS
  std::size_t buffer_bytes = 0;                   // GPUPROF_BUFFER_BYTES
  std::size_t buffer_limit_bytes = 0;             // GPUPROF_BUFFER_LIMIT_BYTES
  std::size_t buffer_limit_bytes_per_thread = 0;  // GPUPROF_BUFFER_LIMIT_BYTES_PER_THREAD
  std::size_t device_buffers = 0;                 // GPUPROF_DEVICE_BUFFERS; 0: CUPTI's own limit
  std::size_t nvtx_limit_bytes = 0;               // GPUPROF_NVTX_LIMIT_BYTES

  // What is recorded: GPUPROF_TRACE, a comma-separated list of memory, uvm, api=all; GPUPROF_GRAPHS=whole.
  bool memory = false;
  bool unified_memory = false;
  bool all_api = false;
  bool whole_graphs = false;

  // When it is recorded. 0 and empty: no such limit.
  std::uint64_t delay_ms = 0;      // GPUPROF_DELAY_MS
  std::uint64_t duration_ms = 0;   // GPUPROF_DURATION_MS
  std::string capture_range;       // GPUPROF_CAPTURE_RANGE: "nvtx:NAME" or "profiler-api"
  std::uint64_t max_bytes = 0;     // GPUPROF_MAX_BYTES: of this process's trace
  std::uint64_t keep_last_ms = 0;  // GPUPROF_KEEP_LAST_MS: the flight recorder
  unsigned share_percent = 0;      // GPUPROF_TRACE_SHARE: 1 to 99

  // "NAME=value" of the variables that tell the processes of a job apart.
  std::vector<std::string> labels;
};

Options read_options();

}  // namespace gpuprof::collector
