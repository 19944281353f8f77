// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Facts about the process the collector lives in, and its trace file.

#include <memory>
#include <string>

#include "gpuprof/trace.hpp"
#include "trace/writer.hpp"

namespace gpuprof::collector {

// Reads /proc/self; `stage` is copied in.
trace::ProcessInfo current_process(const std::string& stage);

// CLOCK_REALTIME and CLOCK_MONOTONIC in nanoseconds.
std::uint64_t realtime_ns();
std::uint64_t monotonic_ns();

// Creates `<directory>/<pid>-<start ticks>.trace` and writes the hello. A program that executes itself keeps its pid
// and start time: the second file gets "-2" appended, and so on. Returns null and sets errno on failure.
std::unique_ptr<trace::Writer> create_trace(const std::string& directory, const trace::ProcessInfo& process);

}  // namespace gpuprof::collector
