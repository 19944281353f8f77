// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of the text output, top to bottom. Each returns whole lines, or nothing when it has nothing to say.

#include <string>

#include "render/paint.hpp"
#include "render/render.hpp"

namespace gpuprof::render {

// Program, machine, GPUs, versions, and how each stage ended.
std::string header_section(const Report& report, const TextStyle& style);

// What part of the run was recorded, when it was not all of it.
std::string capture_section(const Report& report, const TextStyle& style);

// Kernel time of the whole run, from what was recorded of it, with its standard error.
struct Estimate {
  double time_ns = 0;
  double error_ns = 0;
};
Estimate estimated_kernel_time(const Report& report);

// GPU and host time by kind, as shares of the wall time.
std::string time_section(const Report& report, const TextStyle& style);

// The wall time of the devices divided into kernels, copies, communication and idle, and why nothing was computed.
// Several devices are shown as their sum.
std::string busy_section(const Report& report, const TextStyle& style);

// Each of several devices on a line.
std::string device_section(const Report& report, const TextStyle& style);

// The repeating step of the processes.
std::string step_section(const Report& report, const TextStyle& style);

// NVTX ranges, and what was wrong with them.
std::string range_section(const Report& report, const TextStyle& style);

// The ranks of a distributed job, those that are missing, and the one that the others wait for.
std::string rank_section(const Report& report, const TextStyle& style);

// The hot-kernel table with its selection line and footnotes; for a report without kernels, why there are none.
std::string kernel_section(const Report& report, const KernelTable& table, const TextStyle& style);

// Graphs that were measured as a whole.
std::string graph_section(const Report& report, const TextStyle& style);

std::string copy_section(const Report& report, const TextStyle& style);

// Allocations by kind of memory.
std::string memory_section(const Report& report, const TextStyle& style);

// Clocks, power, temperature and errors of the GPUs while the program ran.
std::string machine_section(const Report& report, const TextStyle& style);

// What the counters cost, or why there are none.
std::string counter_section(const Report& report, const TextStyle& style);

// The books of kernel records, other records that are not stored, and host clocks that jumped.
std::string ledger_section(const Report& report, const TextStyle& style);

// Processes, when there is more than one in a stage, or one that did not use CUDA.
std::string process_section(const Report& report, const TextStyle& style);

std::string notice_section(const Report& report, const TextStyle& style);

// False when no process loaded the collector: then zeros in the report mean "unknown".
bool anything_profiled(const Report& report);

// "exited with 3", "killed by signal 9 (SIGKILL)": how a command or process ended.
std::string describe(const ProcessEnd& end);

// `text` wrapped to the style's width, every line but the first indented; `first` stands before the first one.
std::string paragraph(const std::string& first, const std::string& text, std::size_t indent, const TextStyle& style,
                      Emphasis emphasis = Emphasis::none);

}  // namespace gpuprof::render
