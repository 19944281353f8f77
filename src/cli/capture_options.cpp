// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/capture_options.hpp"

#include <charconv>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/text.hpp"

namespace gpuprof::cli {
namespace {

// Years of delay are a typing error, and their milliseconds must fit.
constexpr double kMaxSeconds = 1e7;

CLI::Validator duration() {
  return CLI::AsNumberWithUnit(std::map<std::string, double>{{"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}},
                               CLI::AsNumberWithUnit::CASE_SENSITIVE, "TIME");
}

std::uint64_t milliseconds(double seconds) {
  return static_cast<std::uint64_t>(std::llround(seconds * 1000));
}

// "10" or "10%".
unsigned share_percent(const std::string& text) {
  if (text.empty()) return 0;
  unsigned percent = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, percent);
  const bool well_formed = error == std::errc() && (rest == end || (rest + 1 == end && *rest == '%'));
  if (!well_formed || percent < 1 || percent > 99) {
    throw UsageError("--trace-share cannot be \"" + printable(text) + "\"",
                     "Write a whole percentage from 1% to 99%; without the option everything is recorded.");
  }
  return percent;
}

}  // namespace

void add_capture_options(CLI::App& app, CaptureOptions& options) {
  constexpr const char* kGroup = "What is recorded, and when (timeline stage)";
  const auto time_option = [&app](const char* name, double& seconds, const char* description) {
    return app.add_option(name, seconds, description)
        ->type_name("TIME")
        ->transform(duration().description(""))
        ->check(CLI::Range(0.0, kMaxSeconds).description(""))
        ->group(kGroup);
  };
  app.add_option("--trace", options.trace,
                 "Record more, or less: a list of memory (allocations), uvm (managed\n"
                 "memory), api=all (every CUDA call), nvtx=off")
      ->type_name("LIST")
      ->group(kGroup);
  app.add_option("--graphs", options.graphs, "CUDA graphs node by node, or as a whole at less cost")
      ->type_name("nodes|whole")
      ->check(CLI::IsMember({"nodes", "whole"}).description(""))
      ->capture_default_str()
      ->group(kGroup);
  time_option("--delay", options.delay_s, "Begin this long after CUDA starts (2, 500ms, 1min)");
  time_option("--duration", options.duration_s, "End this long after the beginning; the program goes on");
  app.add_option("--capture-range", options.range,
                 "Record only inside an NVTX range, nvtx:NAME or nvtx:NAME@DOMAIN, or\n"
                 "between cudaProfilerStart and cudaProfilerStop, profiler-api")
      ->type_name("RANGE")
      ->group(kGroup);
  app.add_option("--trace-share", options.share,
                 "Record this share of the time, in many short stretches, and estimate\n"
                 "the totals: for long and launch-bound runs")
      ->type_name("PERCENT")
      ->group(kGroup);
  app.add_option("--max-size", options.max_bytes, "Stop recording a process when its trace is this large (100MB)")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false).description(""))
      ->group(kGroup);
  time_option("--keep-last", options.keep_last_s, "Flight recorder: keep only the last stretch of this length");
}

workflow::CaptureSettings to_capture_settings(const CaptureOptions& options) {
  workflow::CaptureSettings settings;
  workflow::apply_trace_list(options.trace, settings);
  workflow::check_capture_range(options.range);
  settings.whole_graphs = options.graphs == "whole";
  settings.delay_ms = milliseconds(options.delay_s);
  settings.duration_ms = milliseconds(options.duration_s);
  settings.keep_last_ms = milliseconds(options.keep_last_s);
  settings.range = options.range;
  settings.max_bytes = options.max_bytes;
  settings.share_percent = share_percent(options.share);
  if (!settings.nvtx && options.range.starts_with("nvtx:")) {
    throw UsageError("--capture-range " + printable(options.range) + " needs NVTX, which --trace nvtx=off leaves out",
                     "Leave one of the two out.");
  }
  return settings;
}

}  // namespace gpuprof::cli
