// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/stage.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "base/units.hpp"
#include "target/launch.hpp"
#include "workflow/collector_path.hpp"

namespace gpuprof::workflow {
namespace {

namespace fs = std::filesystem;

std::string state_text(const std::string& stage, std::uint64_t elapsed_ns, const TraceFiles& traces) {
  return fmt::format("{}: {}, {} process{}, {} of records", stage, format_duration(static_cast<double>(elapsed_ns)),
                     traces.count, traces.count == 1 ? "" : "es", format_bytes(static_cast<double>(traces.bytes)));
}

}  // namespace

TraceFiles trace_files(const std::string& directory) {
  TraceFiles files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().extension() != ".trace") continue;
    const std::uintmax_t bytes = entry.file_size(error);
    if (!error) files.bytes += bytes;
    ++files.count;
  }
  return files;
}

StageOutcome run_stage(const StageOptions& options, Progress& progress) {
  const auto started = std::chrono::steady_clock::now();
  target::LaunchOptions launch;
  launch.command = options.command;
  launch.environment = injection_environment(
      {options.collector, options.name, options.trace_directory, options.plan, options.capture});
  launch.stdin_fd = options.stdin_fd;
  launch.stdout_fd = options.stdout_fd;
  launch.stderr_fd = options.stderr_fd;
  launch.signal_mask = options.signal_mask;
  launch.on_tick = [&] {
    const std::chrono::nanoseconds elapsed = std::chrono::steady_clock::now() - started;
    progress.update(
        state_text(options.name, static_cast<std::uint64_t>(elapsed.count()), trace_files(options.trace_directory)));
  };
  const target::LaunchResult result = target::launch(launch);

  StageOutcome outcome;
  outcome.run = {options.name, result.pid, result.end, result.wall_time_ns};
  outcome.stop_signal = result.stop_signal;
  const TraceFiles traces = trace_files(options.trace_directory);
  if (result.end.kind == EndKind::not_started) return outcome;
  const bool success = result.end.kind == EndKind::exited && result.end.code == 0;
  progress.line(state_text(options.name, result.wall_time_ns, traces) +
                (success ? "" : "; the program " + target::describe_end(result.end)));
  return outcome;
}

}  // namespace gpuprof::workflow
