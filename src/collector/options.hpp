// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the launcher asks of the collector. This is the only place that reads the environment.

#include <cstddef>
#include <string>

namespace gpuprof::collector {

enum class Stage { timeline, counters };

struct Options {
  std::string trace_directory;         // GPUPROF_TRACE_DIR; empty: nobody asked for a profile
  Stage stage = Stage::timeline;       // GPUPROF_STAGE
  std::string plan_path;               // GPUPROF_COUNTER_PLAN, for the counter stage
  std::string cupti_path;              // GPUPROF_CUPTI_LIB: tried when no libcupti is mapped yet
  unsigned flush_period_ms = 0;        // GPUPROF_FLUSH_PERIOD_MS
  std::size_t buffer_bytes = 0;        // GPUPROF_BUFFER_BYTES
  std::size_t buffer_limit_bytes = 0;  // GPUPROF_BUFFER_LIMIT_BYTES
};

Options read_options();

}  // namespace gpuprof::collector
