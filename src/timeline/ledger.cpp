// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/ledger.hpp"

#include <algorithm>
#include <string>

#include "base/units.hpp"
#include "trace/cupti_names.hpp"

namespace gpuprof::timeline {
namespace {

std::string process_name(const ProcessTrace& process) {
  return "process " + std::to_string(process.pid());
}

// Launches according to the newest sample. Graphs whose size CUPTI would not tell count as far as records of them
// arrived.
std::uint64_t launches_of(const ProcessTrace& process, std::vector<Notice>& notices) {
  if (!process.ledger) return 0;
  const trace::LedgerSample& sample = *process.ledger;
  std::uint64_t launched = sample.kernel_launches + sample.graph_kernel_nodes;
  if (sample.graphs_of_unknown_size > 0) {
    const std::uint64_t seen = process.kernels.from_graphs;
    launched += seen > sample.graph_kernel_nodes ? seen - sample.graph_kernel_nodes : 0;
    notices.push_back({Severity::info, "ledger.graphs_of_unknown_size",
                       process_name(process) + " launched " + format_count(sample.graphs_of_unknown_size) +
                           " CUDA graphs whose number of kernels is not known; only those with a record are counted",
                       "Missing records of kernels in these graphs cannot be noticed; compare the launch counts per "
                       "kernel with what the graphs hold."});
  }
  return launched;
}

void say_ended_early(const ProcessTrace& process, std::uint64_t in_flight, std::vector<Notice>& notices) {
  std::string text = process_name(process);
  if (process.end && process.end->signal != 0) {
    text += " was ended by signal " + std::to_string(process.end->signal) + ": kernels in flight have no record";
  } else if (process.end) {
    text += " left through exit, but the end of its trace is damaged: the records there are missing";
  } else {
    text += " was killed or left through _exit: records of about its last flush period are missing";
  }
  if (!process.ledger) {
    text += ", and how many kernels it launched is not known";
  } else if (in_flight > 0) {
    text += "; " + format_count(in_flight) + " launches without a record are counted as dropped";
  }
  notices.push_back({Severity::warning, "process.ended_early", text,
                     "Everything before is in this report; to record the last moments too, let the program leave "
                     "through exit."});
}

void say_dropped(const ProcessTrace& process, std::uint64_t dropped, std::vector<Notice>& notices) {
  notices.push_back(
      {Severity::warning, "records.dropped",
       "records of " + format_count(dropped) + " kernels of " + process_name(process) + " were dropped while recording",
       "Their time is missing from all sums; record a shorter part of the program or leave more CPU time "
       "to it."});
}

void say_unaccounted(const ProcessTrace& process, std::int64_t unaccounted, std::vector<Notice>& notices) {
  const std::string text =
      !process.ledger ? process_name(process) + " left no count of its launches, so its records cannot be checked"
      : unaccounted > 0
          ? format_count(static_cast<std::uint64_t>(unaccounted)) + " kernel launches of " + process_name(process) +
                " left no record and no reason for it"
          : process_name(process) + " delivered " + format_count(static_cast<std::uint64_t>(-unaccounted)) +
                " more kernel records than it counted launches";
  notices.push_back({Severity::warning, "ledger.unaccounted", text,
                     "Treat launch counts as approximate; run again, and if it stays look for another CUPTI client in "
                     "the program."});
}

void say_invalid(const ProcessTrace& process, const KernelLedger& ledger, std::vector<Notice>& notices) {
  std::string classes;
  const auto add = [&classes](std::uint64_t count, const char* what) {
    if (count > 0) classes += (classes.empty() ? "" : ", ") + format_count(count) + " " + what;
  };
  add(ledger.untimed, "without time stamps");
  add(ledger.unfinished, "unfinished");
  add(ledger.negative, "ending before their start");
  add(ledger.wrong_clock, "with stamps of a wrong clock");
  notices.push_back({Severity::warning, "records.invalid",
                     format_count(ledger.invalid()) + " kernel records of " + process_name(process) +
                         " are left out of all times: " + classes,
                     ledger.untimed > 0 ? "CUPTI ran out of device buffers for time stamps: record a shorter part of "
                                          "the program or leave it more free GPU memory."
                                        : "Sums are short by these kernels; if there are many, try another version of "
                                          "libcupti through GPUPROF_CUPTI_LIB."});
}

void say_nothing_delivered(const ProcessTrace& process, std::uint64_t launched, std::vector<Notice>& notices) {
  const std::string cupti = process.cupti ? "CUPTI " + trace::cupti_version_name(process.cupti->version) : "CUPTI";
  notices.push_back({Severity::error, "timeline.no_kernel_records",
                     process_name(process) + " launched " + format_count(launched) + " kernels, but " + cupti +
                         " delivered no record of them",
                     "Switch off any other CUPTI client in the program (torch.profiler, for example), or try another "
                     "version of libcupti through GPUPROF_CUPTI_LIB."});
}

}  // namespace

KernelLedger balance(const ProcessTrace& process, std::vector<Notice>& notices) {
  KernelLedger ledger;
  ledger.stored = process.kernels.stored;
  ledger.untimed = process.kernels.untimed;
  ledger.unfinished = process.kernels.unfinished;
  ledger.negative = process.kernels.negative;
  ledger.wrong_clock = process.kernels.wrong_clock;
  ledger.launched = launches_of(process, notices);

  ledger.overwritten = process.ledger ? process.ledger->kernels_overwritten : 0;

  // Those that the flight recorder discarded had arrived, too.
  const std::uint64_t arrived = process.kernels.all() + ledger.overwritten;
  // Records that were written after the newest sample prove launches which it does not count yet.
  if (!process.ended_cleanly()) ledger.launched = std::max(ledger.launched, arrived);
  const std::uint64_t missing = ledger.launched > arrived ? ledger.launched - arrived : 0;

  if (process.ended_cleanly()) {
    const std::uint64_t reported = process.ledger ? process.ledger->dropped_by_cupti : 0;
    ledger.dropped = std::min(missing, reported);
    ledger.unaccounted = static_cast<std::int64_t>(ledger.launched - arrived - ledger.dropped);
    if (ledger.dropped > 0) say_dropped(process, ledger.dropped, notices);
    if (ledger.unaccounted != 0) say_unaccounted(process, ledger.unaccounted, notices);
  } else {
    ledger.dropped = missing;
    say_ended_early(process, missing, notices);
  }
  if (ledger.invalid() > 0) say_invalid(process, ledger, notices);
  if (ledger.launched > 0 && arrived == 0) say_nothing_delivered(process, ledger.launched, notices);
  return ledger;
}

}  // namespace gpuprof::timeline
