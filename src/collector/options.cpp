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
constexpr std::size_t kBufferLimitBytes = std::size_t{1} << 30;

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
  return options;
}

}  // namespace gpuprof::collector
