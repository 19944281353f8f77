// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Views of a report. Each returns the whole text; writing it out is the caller's business. Names from the program are
// made safe: valid UTF-8 in JSON and CSV, no control characters on a terminal.

#include <cstddef>
#include <string>

#include "gpuprof/report.hpp"

namespace gpuprof::render {

struct TextStyle {
  std::size_t width = 100;  // columns available, at least 60
  bool color = false;       // ANSI SGR sequences
};

enum class KernelOrder { time, launches, mean };

struct KernelTable {
  std::size_t top = 10;  // 0: all
  KernelOrder order = KernelOrder::time;
};

// The report for a terminal: header, where the time went, busy and idle, steps, ranks, hot kernels with their counters,
// ranges, machine, ledger, notices. Parts without anything to say are left out.
std::string text(const Report& report, const TextStyle& style);

// The hot-kernel table of `gpuprof kernels`.
std::string kernels_text(const Report& report, const KernelTable& table, const TextStyle& style);
std::string kernels_json(const Report& report, const KernelTable& table);  // schema "gpuprof.kernels/1"
std::string kernels_csv(const Report& report, const KernelTable& table);

// One row a kind of copy, or a range, in the report's order.
std::string copies_csv(const Report& report);
std::string ranges_csv(const Report& report);

}  // namespace gpuprof::render
