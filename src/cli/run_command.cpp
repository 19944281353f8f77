// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/error.hpp"
#include "cli/capture_options.hpp"
#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "workflow/run.hpp"

namespace gpuprof::cli {
namespace {

struct Options {
  std::string directory;
  bool overwrite = false;
  double coverage = 0.9;
  std::uint64_t top = 0;
  std::string stages = "timeline,counters";
  std::string tier = "quick";
  std::uint32_t samples = 10;
  double telemetry_hz = 5;
  CaptureOptions capture;
  bool force_injection = false;
  bool quiet = false;
  std::string color = "auto";
};

// Largest number of launches that is still a sample: the windows of one kernel would otherwise take over the whole run.
constexpr std::uint32_t kMaxSamples = 100000;
// The driver itself refreshes most values less often than that.
constexpr double kMaxTelemetryHz = 100;
constexpr double kMinTelemetryHz = 0.01;

bool wants_counters(const std::string& stages) {
  if (stages == "timeline,counters") return true;
  if (stages == "timeline") return false;
  throw UsageError("--stages cannot be \"" + stages + "\"",
                   "Write timeline, or timeline,counters: counters are measured for kernels chosen from a timeline.");
}

workflow::RunOptions to_run_options(const Options& options, const std::vector<std::string>& program) {
  if (!(options.coverage > 0 && options.coverage <= 1)) {
    throw UsageError("--coverage has to be more than 0 and at most 1", "0.9 selects kernels up to 90 % of GPU time.");
  }
  const double hz = options.telemetry_hz;
  if (hz != 0 && !(hz >= kMinTelemetryHz && hz <= kMaxTelemetryHz)) {
    throw UsageError("--telemetry has to be 0, or from 0.01 to 100", "5 takes five samples a second, 0 takes none.");
  }
  workflow::RunOptions run;
  run.command = program;
  run.directory = options.directory;
  run.overwrite = options.overwrite ? workflow::Overwrite::yes : workflow::Overwrite::no;
  run.selection.coverage = options.coverage;
  if (options.top > 0) {
    run.selection.kind = timeline::SelectionRule::Kind::top;
    run.selection.top = options.top;
  }
  run.counters = wants_counters(options.stages);
  run.tier = options.tier;
  run.samples = options.samples;
  run.telemetry_hz = options.telemetry_hz;
  run.capture = to_capture_settings(options.capture);
  run.force_injection = options.force_injection;
  run.quiet = options.quiet;
  run.style = style_for(STDERR_FILENO, color_mode(options.color));
  return run;
}

}  // namespace

Command add_run_command(CLI::App& application) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = application.add_subcommand("run", "Profile a program: timeline, hot kernels, counters, report");
  app->prefix_command();
  app->add_option("-o,--output", options->directory, "Session directory; default <program>-<n>.gpuprof here")
      ->type_name("DIR");
  app->add_flag("-f,--force", options->overwrite, "Replace the session in DIR if there is one");
  CLI::Option* coverage =
      app->add_option("--coverage", options->coverage, "Select kernels up to this share of GPU time, at most 50")
          ->type_name("SHARE")
          ->capture_default_str();
  app->add_option("--top", options->top, "Select this many kernels instead")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{10000}))
      ->excludes(coverage);
  app->add_option("--stages", options->stages, "timeline, or timeline,counters")
      ->type_name("LIST")
      ->capture_default_str();
  app->add_option("--tier", options->tier, "Set of metrics; `gpuprof metrics` lists them")
      ->type_name("NAME")
      ->capture_default_str();
  app->add_option("--samples", options->samples, "Launches to measure for each kernel and group of metrics")
      ->type_name("N")
      ->check(CLI::Range(std::uint32_t{1}, kMaxSamples))
      ->capture_default_str();
  app->add_option("--telemetry", options->telemetry_hz, "Samples of clocks, power and temperature a second; 0: none")
      ->type_name("HZ")
      ->capture_default_str();
  add_capture_options(*app, options->capture);
  app->add_flag("--force-injection", options->force_injection, "Replace another tool in CUDA_INJECTION64_PATH");
  app->add_flag("-q,--quiet", options->quiet, "Print errors only");
  add_color_option(*app, options->color);
  app->footer(
      "The program keeps its standard streams and its exit status (128+N when signal N killed it). Everything from\n"
      "PROGRAM on, or after --, is its own. The counter stage runs the same command a second time with its output\n"
      "discarded; --stages timeline leaves that out.");
  return {app, [options](const std::vector<std::string>& program) {
            return workflow::run(to_run_options(*options, program));
          }};
}

}  // namespace gpuprof::cli
