// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/summary.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/units.hpp"
#include "model/notice_text.hpp"
#include "timeline/capture.hpp"
#include "timeline/device_sweep.hpp"
#include "timeline/job.hpp"
#include "timeline/ledger.hpp"
#include "timeline/memory_sweep.hpp"
#include "timeline/process_trace.hpp"
#include "timeline/range_sweep.hpp"
#include "timeline/range_table.hpp"
#include "timeline/step_sweep.hpp"
#include "timeline/tables.hpp"
#include "trace/cupti_names.hpp"

namespace gpuprof::timeline {
namespace {

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

void add_device(const trace::Device& device, Summary& summary) {
  if (summary.chip.empty()) summary.chip = device.chip;
  // A process with its own CUDA_VISIBLE_DEVICES numbers the same GPUs differently; the UUID tells them apart.
  const auto same = [&device](const GpuInfo& gpu) {
    return device.uuid.empty() ? gpu.uuid.empty() && gpu.index == device.id && gpu.name == device.name
                               : gpu.uuid == device.uuid;
  };
  std::vector<GpuInfo>& gpus = summary.environment.gpus;
  if (std::any_of(gpus.begin(), gpus.end(), same)) return;
  GpuInfo gpu;
  gpu.index = device.id;
  gpu.name = device.name;
  gpu.uuid = device.uuid;
  gpu.compute_major = device.compute_major;
  gpu.compute_minor = device.compute_minor;
  gpu.sm_count = device.sm_count;
  gpu.memory_bytes = device.memory_bytes;
  gpu.l2_bytes = device.l2_bytes;
  gpu.peak_dram_bytes_per_second = device.peak_dram_bytes_per_second;
  gpu.max_sm_clock_khz = device.max_sm_clock_khz;
  gpus.push_back(std::move(gpu));
}

void add_environment(const ProcessTrace& process, Summary& summary) {
  Environment& environment = summary.environment;
  if (process.info && environment.hostname.empty()) environment.hostname = process.info->hostname;
  if (process.cupti && environment.cupti_path.empty()) {
    environment.cupti_path = process.cupti->path;
    environment.cupti_version = trace::cupti_version_name(process.cupti->version);
  }
  for (const trace::Device& device : process.devices) add_device(device, summary);
}

void add_notices(const ProcessTrace& process, std::vector<Notice>& notices) {
  std::set<std::pair<trace::NoticeCode, std::string>> said;
  for (const trace::NoticeRecord& record : process.notices) {
    if (said.emplace(record.code, record.detail).second) notices.push_back(model::notice_from(record, process.pid()));
  }
  if (process.read.state == trace::FileState::torn) {
    notices.push_back({Severity::warning, "trace.torn",
                       "'" + file_name(process.path) + "' is cut off or damaged after " +
                           format_count(process.read.good_bytes) + " of " + format_count(process.read.bytes) + " bytes",
                       "Everything before is in this report; the usual causes are a killed program and a full disk."});
  }
  if (process.read.unknown_frames > 0) {
    notices.push_back({Severity::info, "trace.unknown_frames",
                       "'" + file_name(process.path) + "' holds " + format_count(process.read.unknown_frames) +
                           " frames of kinds this version does not know; they were skipped",
                       "Update gpuprof to read all of the session."});
  }
  if (process.untimed_copies > 0) {
    notices.push_back({Severity::warning, "records.untimed_copies",
                       format_count(process.untimed_copies) + " copies and memsets of process " +
                           std::to_string(process.pid()) + " have no usable time stamps",
                       "They are counted with their bytes and left out of copy times."});
  }
}

// The newest ledger may be older than the last events.
std::uint64_t nvtx_events(const ProcessTrace& process) {
  return std::max(process.nvtx_events, process.ledger ? process.ledger->nvtx_events : 0);
}

ProcessReport process_report(const ProcessTrace& process, std::uint64_t launched) {
  ProcessReport report;
  report.stage = process.info->stage;
  report.pid = process.info->pid;
  report.executable = process.info->executable;
  report.kernel_launches = launched;
  report.clean_exit = process.end.has_value();
  report.truncated = process.read.state == trace::FileState::torn;
  if (process.end && process.end->signal != 0) {
    report.end = {EndKind::signalled, static_cast<int>(process.end->signal)};
  } else if (process.end) {
    report.end = {EndKind::exited, 0};
  }
  if (process.newest_ns > process.info->time_ns) report.last_record_ns = process.newest_ns - process.info->time_ns;
  report.host = process.info->hostname;
  report.parent_pid = process.info->parent_pid;
  report.used_cuda = process.used_cuda();
  report.nvtx_events = nvtx_events(process);
  report.rank = trace::read_rank(process.info->labels).rank;
  report.labels = process.info->labels;
  return report;
}

void add(const KernelLedger& from, KernelLedger& to) {
  to.launched += from.launched;
  to.stored += from.stored;
  to.dropped += from.dropped;
  to.untimed += from.untimed;
  to.unfinished += from.unfinished;
  to.negative += from.negative;
  to.wrong_clock += from.wrong_clock;
  to.overwritten += from.overwritten;
  to.unaccounted += from.unaccounted;
}

void add_records(const RecordClasses& from, std::vector<RecordClasses>& to) {
  if (from.stored + from.untimed + from.unfinished + from.negative + from.wrong_clock == 0) return;
  const auto same = [&from](const RecordClasses& classes) { return classes.kind == from.kind; };
  auto sum = std::find_if(to.begin(), to.end(), same);
  if (sum == to.end()) {
    to.emplace_back().kind = from.kind;
    sum = std::prev(to.end());
  }
  sum->stored += from.stored;
  sum->untimed += from.untimed;
  sum->unfinished += from.unfinished;
  sum->negative += from.negative;
  sum->wrong_clock += from.wrong_clock;
}

void add_records(const ProcessTrace& process, std::vector<RecordClasses>& records) {
  const KernelRecords& kernels = process.kernels;
  add_records({"kernels", kernels.stored, kernels.untimed, kernels.unfinished, kernels.negative, kernels.wrong_clock},
              records);
  add_records(process.copy_classes, records);
  add_records(process.set_classes, records);
  add_records(process.graph_execution_classes, records);
  add_records(process.api_call_classes, records);
  add_records(process.synchronization_classes, records);
}

void add_clock(const ProcessTrace& process, Summary& summary) {
  ClockReport report = process.clock.report();
  if (report.jumps == 0) return;
  report.pid = process.pid();
  summary.ledger.clocks.push_back(report);
  const bool forward = report.largest_jump_ns > 0;
  const auto size_ns = static_cast<double>(forward ? report.largest_jump_ns : -report.largest_jump_ns);
  summary.notices.push_back(
      {Severity::warning, "clock.jumped",
       "the host clock was set " + format_count(report.jumps) + (report.jumps == 1 ? " time" : " times") +
           " while process " + std::to_string(report.pid) + " was recorded, by up to " + format_duration(size_ns) +
           (forward ? " forward" : " back"),
       "Times before and after do not fit together: idle times, ranges and steps around the jump are off by it."});
}

void add_process(const ProcessTrace& process, Summary& summary) {
  summary.ledger.trace_bytes += process.read.bytes;
  add_environment(process, summary);
  add_notices(process, summary.notices);
  if (!process.info) {
    // The first frame is written when the collector loads; a file without it holds nothing to balance.
    summary.notices.push_back({Severity::warning, "trace.empty",
                               "'" + file_name(process.path) + "' holds no record of its process",
                               "The process was killed while the collector was loading, or the disk was full."});
    return;
  }
  const KernelLedger ledger = balance(process, summary.notices);
  add(ledger, summary.ledger.kernels);
  add_records(process, summary.ledger.records);
  add_clock(process, summary);
  if (process.ledger) {
    summary.ledger.records_dropped_by_cupti += process.ledger->dropped_by_cupti;
    summary.ledger.profiler_kernels_ignored += process.ledger->profiler_kernels;
  }
  summary.ledger.api_calls += process.api_calls;
  summary.ledger.copies += process.copies;
  summary.ledger.sets += process.sets;
  summary.ledger.synchronizations += process.synchronizations;
  summary.totals.synchronization_time_ns += process.synchronization_time_ns;
  summary.totals.launch_api_time_ns += process.launch_api_time_ns;
  for (const auto& [graph, nodes] : process.graph_kernel_nodes) {
    GraphReport& report = summary.graphs.emplace_back();
    report.graph_id = graph;
    report.kernel_nodes = nodes;
  }
  summary.processes.push_back(process_report(process, ledger.launched));
}

void say_if_nothing_was_launched(bool every_launch_counted, Summary& summary) {
  if (summary.processes.empty() || !every_launch_counted || summary.ledger.kernels.launched > 0) return;
  if (summary.capture.partial) return;
  const auto graphs = [](const RecordClasses& classes) { return classes.kind == "graph_executions"; };
  const std::vector<RecordClasses>& records = summary.ledger.records;
  if (std::any_of(records.begin(), records.end(), graphs)) return;
  summary.notices.push_back(
      {Severity::info, "timeline.no_kernels", "no kernel was launched",
       "Check that the program reaches its GPU work, and that it runs there and not on the CPU."});
}

void say_never_recorded(const std::vector<KernelTable::NeverRecorded>& kernels, std::vector<Notice>& notices) {
  if (kernels.empty()) return;
  constexpr std::size_t kNamed = 5;
  double launches = 0;
  for (const KernelTable::NeverRecorded& kernel : kernels) launches += kernel.launches;
  std::string names;
  for (std::size_t i = 0; i < std::min(kernels.size(), kNamed); ++i) {
    names += (i == 0 ? ": " : ", ") + kernels[i].short_name;
  }
  if (kernels.size() > kNamed) names += " and " + format_count(kernels.size() - kNamed) + " more";
  notices.push_back({Severity::warning, "kernels.never_recorded",
                     format_count(kernels.size()) + (kernels.size() == 1 ? " kernel was" : " kernels were") +
                         " launched only while nothing was recorded (" +
                         format_count(static_cast<std::uint64_t>(launches + 0.5)) + " launches)" + names,
                     "Their times are unknown and in no sum; record a larger part of the run to see them."});
}

// Everything that is summed up over the files of a session.
class Sums {
 public:
  explicit Sums(Summary& summary) : summary_(summary) {}

  void add_file(const std::string& path) {
    trace::Dictionaries dictionaries;
    trace::EventSpan span;
    DeviceSweep devices{dictionaries, span};
    RangeSweep ranges{dictionaries, span, ranges_};
    StepSweep steps{dictionaries};
    MemorySweep memory;
    trace::EventFanOut sweeps{{&devices, &ranges, &steps, &memory}};
    const ProcessTrace process = read_process_trace(path, kernels_, copies_, dictionaries, sweeps, span);
    every_launch_counted_ = every_launch_counted_ && process.ledger.has_value();
    add_process(process, summary_);
    if (!process.info) return;
    add_capture(process, span, summary_.capture);
    ranges.finish();
    memory.add_to(memory_);
    add_nvtx(process, ranges.counts());

    JobProcess member = job_process(process);
    for (DeviceTimeline& device : devices.take()) {
      device.pid = process.pid();
      device.rank = member.labels.rank;
      member.communication_time_ns +=
          device.communication_ns + device.communication_and_copy_ns + device.compute_and_communication_ns;
      member.communication_overlapped_ns += device.compute_and_communication_ns;
      summary_.devices.push_back(std::move(device));
    }
    std::optional<StepReport> step = ranges.take_steps();
    if (!step) step = steps.take();
    if (step) {
      step->pid = process.pid();
      step->rank = member.labels.rank;
      member.median_step_ns = static_cast<double>(step->time.median_ns);
      summary_.steps.push_back(std::move(*step));
    }
    job_.push_back(std::move(member));
  }

  void unreadable() { every_launch_counted_ = false; }

  void complete() {
    complete_capture(summary_.capture);
    summary_.kernels = kernels_.reports(summary_.capture.estimated);
    if (summary_.capture.estimated) say_never_recorded(kernels_.never_recorded(), summary_.notices);
    summary_.copies = copies_.reports();
    summary_.ranges = ranges_.reports();
    summary_.memory = memory_.reports();
    summary_.job = job_report(job_, summary_.notices);
    for (const KernelReport& kernel : summary_.kernels) summary_.totals.kernel_time_ns += kernel.time.sum_ns;
    summary_.totals.kernel_launches = summary_.ledger.kernels.stored;
    summary_.totals.distinct_kernels = summary_.kernels.size();
    summary_.totals.copy_time_ns = copies_.copy_time_ns();
    summary_.totals.copy_bytes = copies_.copied_bytes();
    say_if_nothing_was_launched(every_launch_counted_, summary_);
  }

 private:
  static JobProcess job_process(const ProcessTrace& process) {
    JobProcess member;
    member.labels = trace::read_rank(process.info->labels);
    member.host = process.info->hostname;
    member.pid = process.pid();
    member.used_cuda = process.used_cuda();
    member.kernel_time_ns = process.kernels.time_ns;
    return member;
  }

  void add_nvtx(const ProcessTrace& process, const NvtxReport& counts) {
    NvtxReport& nvtx = summary_.nvtx;
    nvtx.events += nvtx_events(process);
    nvtx.marks += counts.marks;
    if (process.ledger) nvtx.dropped += process.ledger->nvtx_dropped;
    nvtx.unmatched_pops += counts.unmatched_pops;
    nvtx.unmatched_ends += counts.unmatched_ends;
    nvtx.open_ranges += counts.open_ranges;
    nvtx.cross_thread_ranges += counts.cross_thread_ranges;
  }

  Summary& summary_;
  KernelTable kernels_;
  CopyTable copies_;
  RangeTable ranges_;
  MemoryTable memory_;
  std::vector<JobProcess> job_;
  bool every_launch_counted_ = true;
};

}  // namespace

Summary summarize(const std::string& directory) {
  Summary summary;
  Sums sums{summary};
  for (const std::string& path : list_files(directory, ".trace")) {
    try {
      sums.add_file(path);
    } catch (const Error& error) {
      sums.unreadable();
      summary.notices.push_back({Severity::warning, "trace.unreadable", error.what(), error.hint()});
    }
  }
  sums.complete();
  return summary;
}

}  // namespace gpuprof::timeline
