// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which ranks of a distributed job left a trace, and who waits for whom.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpuprof/report.hpp"
#include "trace/rank_labels.hpp"

namespace gpuprof::timeline {

// One process as the job sees it.
struct JobProcess {
  trace::RankLabels labels;
  std::string host;
  std::uint32_t pid = 0;
  bool used_cuda = false;
  std::uint64_t kernel_time_ns = 0;
  std::uint64_t communication_time_ns = 0;
  std::uint64_t communication_overlapped_ns = 0;
  std::optional<double> median_step_ns;
};

// A rank is a process with a rank label that used CUDA; of several with one rank, the one with the most kernel time.
// A job of one is none. Appends notices for missing ranks and for times of different hosts.
JobReport job_report(const std::vector<JobProcess>& processes, std::vector<Notice>& notices);

}  // namespace gpuprof::timeline
