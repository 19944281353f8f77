// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/run.hpp"

#include <exception>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "counters/catalog.hpp"
#include "model/report_json.hpp"
#include "target/launch.hpp"
#include "target/signals.hpp"
#include "target/standard_input.hpp"
#include "telemetry/sampling_process.hpp"
#include "workflow/build_report.hpp"
#include "workflow/collector_path.hpp"
#include "workflow/counter_stage.hpp"
#include "workflow/environment_info.hpp"
#include "workflow/outer_session.hpp"
#include "workflow/process_ends.hpp"
#include "workflow/progress.hpp"
#include "workflow/settings.hpp"
#include "workflow/stage.hpp"

namespace gpuprof::workflow {
namespace {

// What stays the same from the first step to the last.
struct Run {
  const RunOptions& options;
  std::string collector;
  SessionPaths session;
  SessionRecord record;
  target::StandardInput input;
  sigset_t program_mask;
  Progress progress;
  bool write_failed = false;
};

// A full disk is told once and ends nothing: the summary is still shown, and the program's status kept.
void save(Run& run, const std::string& path, const std::string& text) {
  try {
    write_file_atomically(path, text);
  } catch (const Error& error) {
    if (!run.write_failed) run.progress.error(error.what(), error.hint());
    run.write_failed = true;
  }
}

std::string usable_collector(const RunOptions& options) {
  std::string collector = find_collector();
  const std::string foreign = foreign_injection(collector);
  if (!foreign.empty() && !options.force_injection) {
    throw Error("CUDA_INJECTION64_PATH is already set to " + foreign + ", and only one tool can be loaded that way",
                "Unset it, run without the other tool, or replace it for this run with --force-injection.");
  }
  return collector;
}

SessionRecord first_record(const RunOptions& options) {
  SessionRecord record;
  record.generator_version = GPUPROF_VERSION;
  record.recorded_at = utc_now();
  record.command = options.command;
  std::error_code ignored;
  record.working_directory = std::filesystem::current_path(ignored).string();
  record.environment = read_environment();
  record.selection = options.selection;
  record.tier = options.tier;
  record.counters_requested = options.counters;
  record.telemetry.hz = options.telemetry_hz;
  if (!options.counters) record.counters_skipped = "the counter stage was not requested (--stages timeline)";
  return record;
}

StageOutcome run_timeline_stage(Run& run) {
  StageOptions stage;
  stage.name = "timeline";
  stage.command = run.options.command;
  stage.collector = run.collector;
  stage.trace_directory = run.session.timeline();
  stage.capture = run.options.capture;
  stage.signal_mask = run.program_mask;
  telemetry::SamplingProcess sampling({run.session.telemetry(), read_settings().nvml_library, run.record.telemetry.hz});
  const StageOutcome outcome = run_stage(stage, run.progress);
  run.record.telemetry.failure = sampling.stop();
  return outcome;
}

// Runs the counter stage if it makes sense, and puts values or reasons into the report.
void counter_step(Run& run, const CounterRequest& request, int stop_signal, Report& report) {
  std::string& skipped = run.record.counters_skipped;
  if (skipped.empty()) {
    skipped = reason_to_skip_counters(report, run.input, stop_signal);
    if (!skipped.empty() && report.totals.kernel_launches > 0) run.progress.line("counters left out: " + skipped);
  }
  if (!skipped.empty()) return skip_counters(skipped, run.options.tier, request.groups, report);
  run.progress.line("running the command a second time to measure " + std::to_string(report.selection.selected) +
                    (report.selection.selected == 1 ? " kernel" : " kernels") +
                    " with hardware counters (its output is not shown again)");
  run_counter_stage({run.session, run.collector, run.input, run.program_mask}, request, report, run.record,
                    run.progress);
  const std::vector<TraceEnd> seen = observe_ends(run.session, "counters");
  counters::Results results = counters::read_results(run.session.counters());
  add_observations(needed_ends(seen, run.session, "counters", results.processes), run.record.ends);
  save(run, run.session.record(), to_json(run.record));
  add_counters(run.record, run.session, std::move(results), request.groups, report);
}

void show_next_steps(Run& run) {
  const std::string name = printable(
      std::filesystem::path(run.session.directory).lexically_proximate(run.record.working_directory).string());
  run.progress.line("session: " + name);
  const std::string kernels = "gpuprof kernels " + name;
  const std::string report = "gpuprof report " + name + " --format json";
  run.progress.block("  " + pad_right(kernels, report.size()) + "  hot kernels with their counters\n  " + report +
                     "  everything, for scripts\n");
}

// Everything after the program has ended. A counter stage that fails does not cost the timeline.
void finish(Run& run, int stop_signal) {
  save(run, run.session.record(), to_json(run.record));
  const std::vector<TraceEnd> seen = observe_ends(run.session, "timeline");
  timeline::Summary summary = timeline::summarize(run.session.timeline());
  run.record.ends = needed_ends(seen, run.session, "timeline", summary.processes);
  Report report = timeline_report(run.record, run.session, std::move(summary));
  const CounterRequest request{counters::groups(run.options.tier, report.counters.chip), run.options.samples,
                               run.options.window_launches};
  try {
    counter_step(run, request, stop_signal, report);
  } catch (const Error& error) {
    run.progress.error(error.what(), error.hint());
    run.record.counters_skipped = std::string("the counter stage failed: ") + error.what();
    skip_counters(run.record.counters_skipped, run.options.tier, request.groups, report);
  }
  run.progress.block("\n" + render::text(report, run.options.style) + "\n");
  save(run, run.session.record(), to_json(run.record));
  save(run, run.session.report(), model::report_to_json(report));
  if (!run.write_failed) show_next_steps(run);
}

}  // namespace

int run(const RunOptions& options) {
  counters::groups(options.tier, "");  // an unknown tier is refused before anything runs
  const std::string collector = usable_collector(options);
  if (const std::string outer = options.force_injection ? "" : outer_session(collector); !outer.empty()) {
    return join_outer_session(outer, options.command, options.quiet);
  }
  // A reader of our stderr that goes away must not end us; the program itself gets the mask we were started with.
  const target::BlockedSignals no_broken_pipe{SIGPIPE};
  Run run{options,
          collector,
          create_session(OutputName(options.directory, pattern_values()), options.command, options.overwrite),
          first_record(options),
          target::StandardInput(),
          no_broken_pipe.previous_mask(),
          Progress(options.quiet)};
  StageOutcome outcome;
  try {
    write_file_atomically(run.session.record(), to_json(run.record));
    outcome = run_timeline_stage(run);
  } catch (...) {
    discard_session(run.session);
    throw;
  }
  const int status = target::shell_status(outcome.run.end);
  if (outcome.run.end.kind == EndKind::not_started) {
    discard_session(run.session);
    run.progress.error(printable(options.command[0]) + " " + target::describe_end(outcome.run.end),
                       "Check the name, the path and that it is executable.");
    return status;
  }
  run.record.stages.push_back(outcome.run);
  try {
    finish(run, outcome.stop_signal);
  } catch (const Error& error) {
    run.progress.error(error.what(), error.hint());
  } catch (const std::exception& error) {
    run.progress.error(std::string("the report could not be made: ") + error.what(),
                       "The traces are kept in " + run.session.directory + "; try `gpuprof report` on it.");
  }
  return status;
}

}  // namespace gpuprof::workflow
