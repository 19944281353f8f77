// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Counts the kernel nodes of CUDA graphs, so that a graph launch can be counted as that many kernel launches.

#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace gpuprof::collector {

class GraphBook {
 public:
  // A graph's address may be that of an earlier one whose end nobody announced.
  void graph_created(const void* graph);
  void node_created(const void* graph, bool is_kernel);
  void node_destroying(const void* graph, bool is_kernel);
  void graph_destroying(const void* graph);
  void instantiated(const void* graph, const void* graph_exec);
  void exec_destroying(const void* graph_exec);

  // Kernel nodes of an executable graph; empty when its instantiation was not seen.
  std::optional<std::uint64_t> kernel_nodes(const void* graph_exec) const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<const void*, std::uint64_t> graphs_;
  std::unordered_map<const void*, std::uint64_t> execs_;
};

}  // namespace gpuprof::collector
