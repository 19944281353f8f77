// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/options.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace gpuprof::collector {
namespace {

// A killed program loses at most this period, so it stays well under half a second.
constexpr unsigned kFlushPeriodMs = 200;
constexpr unsigned kMaxFlushPeriodMs = 500;
// CUPTI advises 1 to 10 MB; a kernel record takes 216 bytes.
constexpr std::size_t kBufferBytes = std::size_t{4} << 20;
constexpr std::size_t kMinBufferBytes = std::size_t{64} << 10;
constexpr std::size_t kBufferLimitBytes = std::size_t{48} << 20;
constexpr std::size_t kBufferLimitBytesPerThread = std::size_t{16} << 20;
constexpr std::size_t kNvtxLimitBytes = std::size_t{16} << 20;

// Variables by which the launchers of distributed jobs number their processes.
constexpr const char* kLabels[] = {
    "RANK",
    "LOCAL_RANK",
    "WORLD_SIZE",
    "LOCAL_WORLD_SIZE",
    "OMPI_COMM_WORLD_RANK",
    "SLURM_PROCID",
    "SLURM_LOCALID",
    "OMPI_COMM_WORLD_SIZE",
    "SLURM_NTASKS",
    "OMPI_COMM_WORLD_LOCAL_RANK",
    "SLURM_JOB_ID",
    "SLURM_NODEID",
    "PMI_RANK",
    "PMI_SIZE",
    "CUDA_VISIBLE_DEVICES",
};
constexpr std::size_t kMaxLabelBytes = 256;

std::string text(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::size_t number(const char* name, std::size_t fallback) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == 0) return fallback;
  char* end = nullptr;
  const unsigned long long parsed = std::strtoull(value, &end, 10);
  return *end == 0 ? static_cast<std::size_t>(parsed) : fallback;
}

// Whether the comma-separated `list` holds `item`.
bool lists(const std::string& list, const char* item) {
  return ("," + list + ",").find(std::string(",") + item + ",") != std::string::npos;
}

std::vector<std::string> labels() {
  std::vector<std::string> found;
  for (const char* name : kLabels) {
    const std::string value = text(name);
    if (!value.empty()) found.push_back((std::string(name) + "=" + value).substr(0, kMaxLabelBytes));
  }
  return found;
}

}  // namespace

Options read_options() {
  Options options;
  options.trace_directory = text("GPUPROF_TRACE_DIR");
  options.stage = text("GPUPROF_STAGE") == "counters" ? Stage::counters : Stage::timeline;
  options.plan_path = text("GPUPROF_COUNTER_PLAN");
  options.cupti_path = text("GPUPROF_CUPTI_LIB");
  options.flush_period_ms = static_cast<unsigned>(
      std::clamp<std::size_t>(number("GPUPROF_FLUSH_PERIOD_MS", kFlushPeriodMs), 1, kMaxFlushPeriodMs));
  options.buffer_bytes = std::max(number("GPUPROF_BUFFER_BYTES", kBufferBytes), kMinBufferBytes);
  options.buffer_limit_bytes = std::max(number("GPUPROF_BUFFER_LIMIT_BYTES", kBufferLimitBytes), options.buffer_bytes);
  options.buffer_limit_bytes_per_thread = number("GPUPROF_BUFFER_LIMIT_BYTES_PER_THREAD", kBufferLimitBytesPerThread);
  options.device_buffers = number("GPUPROF_DEVICE_BUFFERS", 0);
  options.nvtx_limit_bytes = number("GPUPROF_NVTX_LIMIT_BYTES", kNvtxLimitBytes);
  const std::string trace = text("GPUPROF_TRACE");
  options.memory = lists(trace, "memory");
  options.unified_memory = lists(trace, "uvm");
  options.all_api = lists(trace, "api=all");
  options.whole_graphs = text("GPUPROF_GRAPHS") == "whole";
  options.delay_ms = number("GPUPROF_DELAY_MS", 0);
  options.duration_ms = number("GPUPROF_DURATION_MS", 0);
  options.capture_range = text("GPUPROF_CAPTURE_RANGE");
  options.max_bytes = number("GPUPROF_MAX_BYTES", 0);
  options.keep_last_ms = number("GPUPROF_KEEP_LAST_MS", 0);
  options.share_percent = static_cast<unsigned>(std::min<std::size_t>(number("GPUPROF_TRACE_SHARE", 0), 100)) % 100;
  options.labels = labels();
  return options;
}

}  // namespace gpuprof::collector
