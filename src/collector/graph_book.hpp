// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Counts the kernels that launches of CUDA graphs stand for.
//
// A graph launch is one call, whatever the graph holds, and CUPTI's resource callbacks do not tell a node's type
// (measured with CUDA 13.0: CUpti_GraphData::nodeType is 0 for every node, child graphs included). So launches are
// counted by callbacks, kernel nodes are learned from the records, and a launch counts as many kernels as its graph has
// nodes with a record: a launch that lost some of its records is noticed, a node that never had one is not. Where there
// are more records than that (a loop inside the graph, or records under an id nobody launched), the records count.

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

namespace gpuprof::collector {

class GraphBook {
 public:
  // A launch of the graph with CUPTI's id `graph`; 0 when CUPTI cannot say which it was.
  // `recorded`: device work was being recorded at that time.
  void add_launch(std::uint32_t graph, bool recorded);

  // A kernel record of a graph launch.
  void add_kernel(std::uint32_t graph, std::uint64_t node);

  std::uint64_t launches() const;
  std::uint64_t kernels() const;           // that the launches so far stand for
  std::uint64_t unknown_launches() const;  // launches whose graph is not known

  // Launches that were not recorded; the counts above leave them out.
  std::uint64_t unrecorded_launches() const;
  std::uint64_t unrecorded_kernels() const;

 private:
  struct Graph {
    std::uint64_t launches = 0;
    std::uint64_t unrecorded_launches = 0;
    std::uint64_t records = 0;
    std::unordered_set<std::uint64_t> kernel_nodes;
  };

  mutable std::mutex mutex_;
  std::unordered_map<std::uint32_t, Graph> graphs_;
};

}  // namespace gpuprof::collector
