// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/graph_book.hpp"

namespace gpuprof::collector {

void GraphBook::graph_created(const void* graph) {
  std::lock_guard lock(mutex_);
  graphs_[graph] = 0;
}

void GraphBook::node_created(const void* graph, bool is_kernel) {
  std::lock_guard lock(mutex_);
  graphs_[graph] += is_kernel ? 1 : 0;
}

void GraphBook::node_destroying(const void* graph, bool is_kernel) {
  std::lock_guard lock(mutex_);
  const auto found = graphs_.find(graph);
  if (found != graphs_.end() && is_kernel && found->second > 0) --found->second;
}

void GraphBook::graph_destroying(const void* graph) {
  std::lock_guard lock(mutex_);
  graphs_.erase(graph);
}

void GraphBook::instantiated(const void* graph, const void* graph_exec) {
  std::lock_guard lock(mutex_);
  const auto found = graphs_.find(graph);
  if (found != graphs_.end()) execs_[graph_exec] = found->second;
}

void GraphBook::exec_destroying(const void* graph_exec) {
  std::lock_guard lock(mutex_);
  execs_.erase(graph_exec);
}

std::optional<std::uint64_t> GraphBook::kernel_nodes(const void* graph_exec) const {
  std::lock_guard lock(mutex_);
  const auto found = execs_.find(graph_exec);
  if (found == execs_.end()) return std::nullopt;
  return found->second;
}

}  // namespace gpuprof::collector
