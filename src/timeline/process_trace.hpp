// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One trace file of the timeline stage, read and counted.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gpuprof/trace.hpp"
#include "timeline/tables.hpp"
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

  KernelRecords kernels;
  std::map<std::uint32_t, std::uint64_t> graph_kernel_nodes;  // by graph id: nodes with a record
  std::uint64_t api_calls = 0;
  std::uint64_t copies = 0;
  std::uint64_t sets = 0;
  std::uint64_t untimed_copies = 0;  // copies and sets without a usable duration
  std::uint64_t synchronizations = 0;
  std::uint64_t synchronization_time_ns = 0;
  std::uint64_t launch_api_time_ns = 0;
  std::uint64_t newest_ns = 0;  // newest time stamp of the file; 0 when there is none

  // Left through exit, and the file is whole to its end: every launch has been waited for and accounted.
  bool ended_cleanly() const { return end.has_value() && end->signal == 0 && read.state == trace::FileState::whole; }

  std::uint32_t pid() const { return info ? info->pid : 0; }
};

// Reads a file as far as it goes and adds its kernels and copies to the tables. Throws Error as trace::read_file does.
ProcessTrace read_process_trace(const std::string& path, KernelTable& kernels, CopyTable& copies);

}  // namespace gpuprof::timeline
