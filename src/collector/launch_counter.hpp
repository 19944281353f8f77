// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Counts what was launched, by callbacks and independently of activity records: the books are checked against it.

#include <atomic>
#include <cstdint>

#include "collector/graph_book.hpp"
#include "cupti/client.hpp"

namespace gpuprof::collector {

class LaunchCounter {
 public:
  // Called on the launching thread, enter and exit in pairs.
  void enter();
  void exit(const cupti::LaunchCall& call, bool succeeded);

  // A graph node was created on this thread: the launch it is inside of was captured, not executed.
  void node_created(const void* graph, bool is_kernel);

  // True, inside exit(), when the call just leaving was captured into a graph.
  static bool was_captured();

  GraphBook& graphs() { return graphs_; }

  std::uint64_t kernel_launches() const { return kernel_launches_.load(std::memory_order_relaxed); }
  std::uint64_t graph_launches() const { return graph_launches_.load(std::memory_order_relaxed); }
  std::uint64_t graph_kernel_nodes() const { return graph_kernel_nodes_.load(std::memory_order_relaxed); }
  std::uint64_t graphs_of_unknown_size() const { return graphs_of_unknown_size_.load(std::memory_order_relaxed); }

 private:
  GraphBook graphs_;
  std::atomic<std::uint64_t> kernel_launches_{0};
  std::atomic<std::uint64_t> graph_launches_{0};
  std::atomic<std::uint64_t> graph_kernel_nodes_{0};
  std::atomic<std::uint64_t> graphs_of_unknown_size_{0};
};

}  // namespace gpuprof::collector
