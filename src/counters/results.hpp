// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads the counter traces of a session and combines the windows' values per kernel.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gpuprof/report.hpp"
#include "gpuprof/trace.hpp"

namespace gpuprof::counters {

struct Results {
  // Everything but the tier. `windows` includes the discarded ones; `launches_measured` counts launches that delivered
  // at least one value. `attempted` is false when the directory does not exist. Groups are the armed ones, over all
  // devices.
  CountersReport summary;
  // What kept the first process that could not measure to the end from it, in one sentence; empty when all could. There
  // may be values all the same: from before, or from other processes.
  std::string obstacle;
  std::vector<ProcessReport> processes;
  std::vector<Notice> notices;

  // Values of one key over all processes, in order of the key.
  struct Kernel {
    KernelKey key;
    std::uint64_t launches = 0;            // launches in windows whose values count
    std::uint64_t discarded_launches = 0;  // launches in discarded windows
    // What the windows counted or what follows from it. A metric without any value is there as not_measured.
    std::map<std::string, CounterValue> counters;
  };
  std::vector<Kernel> kernels;
  std::vector<GraphReport> graphs;  // by process, then graph id; ids of different processes are not combined
};

// Reads every `*.trace` file in `directory`, in name order. A file that is not a gpuprof trace or is newer becomes a
// notice; a torn one is read as far as it goes and marked.
Results read_results(const std::string& directory);

// Puts the results into the report, which already holds the selected kernels of the timeline: every selected kernel
// gets an entry for every metric of the plan and every metric derived from it, with its value or with the reason why
// there is none. Fewer launches than planned show in n. A kernel that was not selected keeps what the windows happened
// to measure. Kernels of the results that the timeline does not know, and selected kernels that were not launched in
// the counter run, become notices about different behaviour of the two runs. The tier and a reason for unavailability
// that the report has already are kept.
void merge(const Results& results, const std::vector<std::vector<std::string>>& planned_groups, Report& report);

}  // namespace gpuprof::counters
