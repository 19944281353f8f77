// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/launch_counter.hpp"

namespace gpuprof::collector {
namespace {

thread_local bool captured = false;
thread_local bool recorded = true;

}  // namespace

void LaunchCounter::enter(bool is_recorded) {
  captured = false;
  recorded = is_recorded;
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
    graphs_.add_launch(graph, recorded);
  } else if (!recorded) {
    unrecorded_launches_.fetch_add(1, std::memory_order_relaxed);
    unrecorded_.add(call);
  } else {
    kernel_launches_.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace gpuprof::collector
