// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which process wrote a trace, without reading more than the beginning of the file.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuprof::workflow {

struct TracedProcess {
  std::string host;
  std::uint32_t pid = 0;
  std::uint64_t start_ticks = 0;
  std::uint64_t loaded_ns = 0;  // CLOCK_REALTIME when the collector was loaded

  auto operator<=>(const TracedProcess&) const = default;
};

struct TraceHead {
  std::string path;
  std::uint64_t bytes = 0;
  std::optional<TracedProcess> process;  // empty: no trace, a newer one, or torn before its first frame
};

TraceHead read_trace_head(const std::string& path);

// Of every `*.trace` file in a directory, in name order.
std::vector<TraceHead> trace_heads(const std::string& directory);

}  // namespace gpuprof::workflow
