// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/build_report.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "counters/catalog.hpp"
#include "target/launch.hpp"
#include "telemetry/summary.hpp"
#include "trace/reader.hpp"
#include "workflow/member_notices.hpp"
#include "workflow/process_ends.hpp"
#include "workflow/silence.hpp"
#include "workflow/stage.hpp"
#include "workflow/trace_head.hpp"

namespace gpuprof::workflow {
namespace {

const StageRun* find_stage(const SessionRecord& record, const std::string& name) {
  const auto found = std::find_if(record.stages.begin(), record.stages.end(),
                                  [&](const StageRun& stage) { return stage.name == name; });
  return found == record.stages.end() ? nullptr : &*found;
}

// The launcher knows how the process it started ended; the processes' own traces know only what they saw coming.
void add_stage(const SessionRecord& record, const SessionPaths& session, const StageRun& run,
               std::vector<ProcessReport>& processes, Report& report) {
  StageReport stage;
  stage.name = run.name;
  stage.end = run.end;
  stage.wall_time_ns = run.wall_time_ns;
  stage.processes = processes.size();
  report.stages.push_back(stage);
  for (ProcessReport& process : processes) {
    // A launcher like srun starts processes on other hosts, where the same number may be another process.
    const bool elsewhere = !process.host.empty() && process.host != record.environment.hostname;
    if (process.pid == run.pid && !elsewhere) process.end = run.end;
  }
  const std::vector<std::uint32_t> running = apply_ends(record.ends, session, run.name, processes);
  if (!running.empty()) report.notices.push_back(running_notice(running));
}

void add_telemetry(const SessionRecord& record, const SessionPaths& session, Report& report) {
  telemetry::Summary summary = record.members.empty() ? telemetry::summarize(session.telemetry(), record.telemetry)
                                                      : member_telemetry(record, session);
  report.telemetry = std::move(summary.report);
  report.notices.insert(report.notices.end(), summary.notices.begin(), summary.notices.end());
}

void note_end(const StageRun& run, bool recorded, Report& report) {
  const std::string what = "the program " + target::describe_end(run.end) + " in the " + run.name + " stage";
  if (run.end.kind == EndKind::signalled) {
    report.notices.push_back({Severity::warning, "program.killed",
                              what + (recorded ? "; records of its last flush period may be missing" : ""),
                              "Read the figures as those of an unfinished run."});
  } else if (run.end.kind == EndKind::exited && run.end.code != 0) {
    report.notices.push_back(
        {Severity::info, "program.exit_status", what, "Check that it did the work you meant to measure."});
  }
}

// What has to be known about members and hosts before the figures are read. `said` are the timeline's own notices: of
// the hosts of a distributed job they speak themselves.
void add_session_notices(const SessionRecord& record, const SessionPaths& session, const std::vector<Notice>& said,
                         Report& report) {
  std::vector<Notice> notices = member_notices(record);
  std::set<std::string> hosts;
  for (const TraceHead& head : trace_heads(session.timeline())) {
    if (head.process && !head.process->host.empty()) hosts.insert(head.process->host);
  }
  const bool clocks_said =
      std::any_of(said.begin(), said.end(), [](const Notice& notice) { return notice.code == "job.host_clocks"; });
  if (hosts.size() > 1 && !clocks_said) notices.push_back(clock_notice(hosts));
  report.notices.insert(report.notices.end(), notices.begin(), notices.end());
}

}  // namespace

Report timeline_report(const SessionRecord& record, const SessionPaths& session, timeline::Summary summary) {
  Report report;
  report.generator_version = record.generator_version;
  report.session = session.name();
  report.recorded_at = record.recorded_at;
  report.command = record.command;
  report.environment = std::move(summary.environment);
  if (!record.environment.hostname.empty()) report.environment.hostname = record.environment.hostname;
  report.environment.operating_system = record.environment.operating_system;
  report.environment.driver_version = record.environment.driver_version;
  report.ledger = summary.ledger;
  report.totals = summary.totals;
  report.selection = timeline::select(record.selection, summary.kernels);
  report.kernels = std::move(summary.kernels);
  report.copies = std::move(summary.copies);
  report.graphs = std::move(summary.graphs);
  report.devices = std::move(summary.devices);
  report.steps = std::move(summary.steps);
  report.ranges = std::move(summary.ranges);
  report.nvtx = summary.nvtx;
  report.capture = summary.capture;
  report.job = std::move(summary.job);
  report.memory = std::move(summary.memory);
  report.counters.tier = record.tier;
  report.counters.chip = summary.chip;
  if (const StageRun* run = find_stage(record, "timeline")) {
    report.totals.wall_time_ns = run->wall_time_ns;
    if (summary.processes.empty()) report.notices.push_back(silence_notice(record.command));
    if (record.members.empty()) note_end(*run, !summary.processes.empty(), report);
    add_stage(record, session, *run, summary.processes, report);
  } else {
    report.notices.push_back({Severity::warning, "session.unfinished",
                              "gpuprof did not see the end of the program, so its wall time is not known",
                              "Run it again if the totals matter."});
  }
  add_session_notices(record, session, summary.notices, report);
  report.processes = std::move(summary.processes);
  report.notices.insert(report.notices.end(), summary.notices.begin(), summary.notices.end());
  add_telemetry(record, session, report);
  return report;
}

void add_counters(const SessionRecord& record, const SessionPaths& session, counters::Results results,
                  const CounterGroupNames& groups, Report& report) {
  const StageRun* run = find_stage(record, "counters");
  const StageRun* first = find_stage(record, "timeline");
  if (run != nullptr) add_stage(record, session, *run, results.processes, report);
  counters::merge(results, groups, report);
  report.counters.attempted = true;
  report.counters.tier = record.tier;
  if (run == nullptr) return;
  if (results.processes.empty()) {
    report.notices.push_back(
        {Severity::warning, "counters.no_process",
         "no process loaded the collector in the counter run, although some did in the timeline run",
         "Check that the command does the same when it is run twice."});
  }
  if (first != nullptr && target::shell_status(first->end) != target::shell_status(run->end)) {
    report.notices.push_back({Severity::warning, "runs.exit_status",
                              "the two runs of the program ended differently: it " + target::describe_end(first->end) +
                                  " in the timeline run and " + target::describe_end(run->end) + " in the counter run",
                              "Counters may be incomplete; check that the command can be run twice in a row."});
  }
}

void skip_counters(const std::string& reason, const std::string& tier, const CounterGroupNames& groups,
                   Report& report) {
  counters::Results nothing;
  // merge() gives the reason only for a stage that was attempted.
  nothing.summary.attempted = true;
  nothing.summary.unavailable_reason = reason;
  nothing.summary.chip = report.counters.chip;
  nothing.summary.tier = tier;
  counters::merge(nothing, groups, report);
  report.counters.attempted = false;
  report.counters.tier = tier;
  report.counters.unavailable_reason = reason;
}

Report rebuild_report(const SessionPaths& session) {
  std::error_code ignored;
  if (!std::filesystem::exists(session.record(), ignored)) {
    throw Error(session.directory + " holds neither report.json nor session.json",
                "Name a session directory written by gpuprof run.");
  }
  SessionRecord record = session_record_from_json(read_file(session.record()), session.record());
  for (const char* stage : {"timeline", "counters"}) add_observations(observe_ends(session, stage), record.ends);
  Report report = timeline_report(record, session, timeline::summarize(session.timeline()));
  trace::CounterPlan plan;
  if (trace_files(session.counters()).count > 0 && trace::read_plan(session.counter_plan(), plan)) {
    add_counters(record, session, counters::read_results(session.counters()), plan.groups, report);
  } else {
    const std::string reason =
        record.counters_skipped.empty() ? "gpuprof ended before the counter stage" : record.counters_skipped;
    skip_counters(reason, record.tier, counters::groups(record.tier, report.counters.chip), report);
  }
  return report;
}

}  // namespace gpuprof::workflow
