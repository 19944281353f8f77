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
#include "timeline/cupti_names.hpp"
#include "timeline/ledger.hpp"
#include "timeline/process_trace.hpp"
#include "timeline/tables.hpp"

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
    environment.cupti_version = cupti_version_name(process.cupti->version);
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
  to.unaccounted += from.unaccounted;
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
  summary.notices.push_back(
      {Severity::info, "timeline.no_kernels", "no kernel was launched",
       "Check that the program reaches its GPU work, and that it runs there and not on the CPU."});
}

}  // namespace

Summary summarize(const std::string& directory) {
  Summary summary;
  KernelTable kernels;
  CopyTable copies;
  bool every_launch_counted = true;
  for (const std::string& path : list_files(directory, ".trace")) {
    try {
      const ProcessTrace process = read_process_trace(path, kernels, copies);
      every_launch_counted = every_launch_counted && process.ledger.has_value();
      add_process(process, summary);
    } catch (const Error& error) {
      every_launch_counted = false;
      summary.notices.push_back({Severity::warning, "trace.unreadable", error.what(), error.hint()});
    }
  }
  summary.kernels = kernels.reports();
  summary.copies = copies.reports();
  for (const KernelReport& kernel : summary.kernels) summary.totals.kernel_time_ns += kernel.time.sum_ns;
  summary.totals.kernel_launches = summary.ledger.kernels.stored;
  summary.totals.distinct_kernels = summary.kernels.size();
  summary.totals.copy_time_ns = copies.copy_time_ns();
  summary.totals.copy_bytes = copies.copied_bytes();
  say_if_nothing_was_launched(every_launch_counted, summary);
  return summary;
}

}  // namespace gpuprof::timeline
