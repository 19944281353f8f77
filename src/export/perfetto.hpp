// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A session's timeline as a Perfetto trace (docs/perfetto.md), for ui.perfetto.dev and its trace_processor.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuprof/report.hpp"

namespace gpuprof::perfetto {

struct Input {
  std::vector<std::string> timeline;   // trace files, one a process
  std::vector<std::string> telemetry;  // trace files, one a host
  const Report* report = nullptr;      // for the kernels' counters; may be null
};

struct Result {
  std::uint64_t processes = 0;
  std::uint64_t events = 0;  // slices, marks and counter values
  std::uint64_t bytes = 0;
  std::vector<std::string> warnings;  // what could not be shown: one sentence each
};

// Reads the files one after the other and hands the Perfetto trace to `sink` piece by piece. Memory does not depend on
// the number of events. A file that cannot be read is left out and named in the warnings; throws Error when none can
// be. Exceptions of `sink` pass through.
Result write_trace(const Input& input, const std::function<void(std::string_view)>& sink);

}  // namespace gpuprof::perfetto
