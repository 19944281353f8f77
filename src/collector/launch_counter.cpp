// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/launch_counter.hpp"

namespace gpuprof::collector {
namespace {

thread_local bool captured = false;

}  // namespace

void LaunchCounter::enter() {
  captured = false;
}

bool LaunchCounter::was_captured() {
  return captured;
}

void LaunchCounter::node_created() {
  captured = true;
}

void LaunchCounter::exit(const cupti::LaunchCall& call, bool succeeded, std::uint32_t graph) {
  if (!succeeded || captured) return;
  if (call.is_graph()) {
    graphs_.add_launch(graph);
  } else {
    kernel_launches_.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace gpuprof::collector
