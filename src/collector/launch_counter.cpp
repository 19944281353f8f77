// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/launch_counter.hpp"

namespace gpuprof::collector {
namespace {

thread_local bool captured = false;

}  // namespace

void LaunchCounter::enter() { captured = false; }

bool LaunchCounter::was_captured() { return captured; }

void LaunchCounter::node_created(const void* graph, bool is_kernel) {
  captured = true;
  graphs_.node_created(graph, is_kernel);
}

void LaunchCounter::exit(const cupti::LaunchCall& call, bool succeeded) {
  if (!succeeded || captured) return;
  if (!call.is_graph()) {
    kernel_launches_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  graph_launches_.fetch_add(1, std::memory_order_relaxed);
  if (const auto nodes = graphs_.kernel_nodes(call.graph_exec)) {
    graph_kernel_nodes_.fetch_add(*nodes, std::memory_order_relaxed);
  } else {
    graphs_of_unknown_size_.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace gpuprof::collector
