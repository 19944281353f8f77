// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/capture_settings.hpp"

#include <sstream>

#include "base/error.hpp"
#include "base/text.hpp"

namespace gpuprof::workflow {

void apply_trace_list(const std::string& list, CaptureSettings& settings) {
  std::istringstream items(list);
  for (std::string item; std::getline(items, item, ',');) {
    if (item == "nvtx=off") {
      settings.nvtx = false;
    } else if (item == "memory") {
      settings.memory = true;
    } else if (item == "uvm") {
      settings.unified_memory = true;
    } else if (item == "api=all") {
      settings.all_api = true;
    } else {
      throw UsageError("--trace does not know \"" + printable(item) + "\"",
                       "Write a list of memory, uvm, api=all and nvtx=off. Kernels, copies, synchronisation, launches "
                       "and NVTX are recorded without it.");
    }
  }
}

void check_capture_range(const std::string& range) {
  constexpr std::string_view kNvtx = "nvtx:";
  if (range.empty() || range == "profiler-api") return;
  if (range.starts_with(kNvtx) && range.size() > kNvtx.size()) return;
  throw UsageError("--capture-range cannot be \"" + printable(range) + "\"",
                   "Write nvtx:NAME, nvtx:NAME@DOMAIN, or profiler-api for cudaProfilerStart and cudaProfilerStop.");
}

std::vector<std::pair<std::string, std::string>> capture_environment(const CaptureSettings& settings) {
  std::vector<std::pair<std::string, std::string>> environment;
  std::string trace;
  const auto list = [&trace](bool wanted, const char* item) {
    if (wanted) trace += (trace.empty() ? "" : ",") + std::string(item);
  };
  list(settings.memory, "memory");
  list(settings.unified_memory, "uvm");
  list(settings.all_api, "api=all");
  // The program's environment stays as it is but for what is asked for.
  const auto text = [&environment](const char* name, const std::string& value) {
    if (!value.empty()) environment.emplace_back(name, value);
  };
  const auto number = [&](const char* name, std::uint64_t value) {
    if (value != 0) text(name, std::to_string(value));
  };
  text("GPUPROF_TRACE", trace);
  text("GPUPROF_GRAPHS", settings.whole_graphs ? "whole" : "");
  text("GPUPROF_CAPTURE_RANGE", settings.range);
  number("GPUPROF_DELAY_MS", settings.delay_ms);
  number("GPUPROF_DURATION_MS", settings.duration_ms);
  number("GPUPROF_MAX_BYTES", settings.max_bytes);
  number("GPUPROF_KEEP_LAST_MS", settings.keep_last_ms);
  number("GPUPROF_TRACE_SHARE", settings.share_percent);
  return environment;
}

}  // namespace gpuprof::workflow
