// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One trace file of the timeline stage, read and counted.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gpuprof/report.hpp"
#include "gpuprof/trace.hpp"
#include "timeline/clock_check.hpp"
#include "timeline/tables.hpp"
#include "trace/event_stream.hpp"
#include "trace/reader.hpp"

namespace gpuprof::timeline {

// Kernel records of one file by what their stamps are worth.
struct KernelRecords {
  std::uint64_t stored = 0;       // with a usable duration
  std::uint64_t untimed = 0;      // start == end == 0
  std::uint64_t unfinished = 0;   // end == 0
  std::uint64_t negative = 0;     // end < start
  std::uint64_t wrong_clock = 0;  // outside the process's lifetime by more than a minute
  std::uint64_t from_graphs = 0;  // of all of these, launched by a CUDA graph
  std::uint64_t time_ns = 0;      // sum of the stored durations

  std::uint64_t all() const { return stored + untimed + unfinished + negative + wrong_clock; }
};

struct ProcessTrace {
  std::string path;
  trace::ReadResult read;
  std::optional<trace::ProcessInfo> info;
  std::optional<trace::CuptiInfo> cupti;
  std::vector<trace::Device> devices;
  std::optional<trace::LedgerSample> ledger;  // the newest one
  std::optional<trace::ProcessEndRecord> end;
  std::vector<trace::NoticeRecord> notices;
  std::vector<trace::CapturePhase> phases;  // in file order
  ClockCheck clock;
  std::uint64_t contexts = 0;
  std::uint64_t nvtx_events = 0;

  KernelRecords kernels;
  std::map<std::uint32_t, std::uint64_t> graph_kernel_nodes;  // by graph id: nodes with a record
  std::uint64_t api_calls = 0;
  std::uint64_t copies = 0;
  std::uint64_t sets = 0;
  std::uint64_t graph_executions = 0;
  std::uint64_t untimed_copies = 0;  // copies and sets without a usable duration
  // The other kinds of records by what their stamps are worth; `kind` is filled in. Host calls are what the lifetime of
  // a process is known by, so of those only the ones before it are of a wrong clock.
  RecordClasses copy_classes, set_classes, graph_execution_classes, api_call_classes, synchronization_classes;
  std::uint64_t synchronizations = 0;
  std::uint64_t synchronization_time_ns = 0;
  std::uint64_t launch_api_time_ns = 0;
  std::uint64_t newest_ns = 0;  // newest time stamp of the file; 0 when there is none

  // Left through exit, and the file is whole to its end: every launch has been waited for and accounted.
  bool ended_cleanly() const { return end.has_value() && end->signal == 0 && read.state == trace::FileState::whole; }

  // More than loading the collector, which NVTX does too.
  bool used_cuda() const {
    return contexts > 0 || (cupti.has_value() && (kernels.all() > 0 || copies > 0 || api_calls > 0));
  }

  std::uint32_t pid() const { return info ? info->pid : 0; }
};

// Reads a file as far as it goes, adds its kernels and copies to the tables, and hands its events to `sweep` in order
// of time, after the tables are complete. Its dictionaries and span are in the given places before the first event.
// Throws Error as trace::read_file does.
ProcessTrace read_process_trace(const std::string& path, KernelTable& kernels, CopyTable& copies,
                                trace::Dictionaries& dictionaries, trace::EventVisitor& sweep, trace::EventSpan& span);

}  // namespace gpuprof::timeline
