// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Counts what was launched, by callbacks and independently of activity records: the books are checked against it.

#include <atomic>
#include <cstdint>

#include "collector/graph_book.hpp"
#include "collector/launch_tally.hpp"
#include "cupti/client.hpp"

namespace gpuprof::collector {

class LaunchCounter {
 public:
  // Called on the launching thread, enter and exit in pairs. `recorded`: device work is being recorded. `graph`:
  // CUPTI's id of a graph launch.
  void enter(bool recorded);
  void exit(const cupti::LaunchCall& call, bool succeeded, std::uint32_t graph);

  // A graph node was created on this thread: the launch it is inside of was captured, not executed.
  void node_created();

  // True, inside exit(), when the call just leaving was captured into a graph.
  static bool was_captured();

  LaunchTally& unrecorded() { return unrecorded_; }
  GraphBook& graphs() { return graphs_; }
  const GraphBook& graphs() const { return graphs_; }

  std::uint64_t kernel_launches() const { return kernel_launches_.load(std::memory_order_relaxed); }

  std::uint64_t unrecorded_kernel_launches() const { return unrecorded_launches_.load(std::memory_order_relaxed); }

  // All kernels that should have a record of their own.
  std::uint64_t expected_kernels() const { return kernel_launches() + graphs_.kernels(); }

 private:
  GraphBook graphs_;
  LaunchTally unrecorded_;
  std::atomic<std::uint64_t> kernel_launches_{0};
  std::atomic<std::uint64_t> unrecorded_launches_{0};
};

}  // namespace gpuprof::collector
