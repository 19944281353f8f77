// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/graph_book.hpp"

#include <algorithm>

namespace gpuprof::collector {

void GraphBook::add_launch(std::uint32_t graph, bool recorded) {
  std::lock_guard lock(mutex_);
  Graph& launched = graphs_[graph];
  ++(recorded ? launched.launches : launched.unrecorded_launches);
}

void GraphBook::add_kernel(std::uint32_t graph, std::uint64_t node) {
  std::lock_guard lock(mutex_);
  Graph& launched = graphs_[graph];
  ++launched.records;
  launched.kernel_nodes.insert(node);
}

std::uint64_t GraphBook::launches() const {
  std::lock_guard lock(mutex_);
  std::uint64_t sum = 0;
  for (const auto& [id, graph] : graphs_) sum += graph.launches;
  return sum;
}

std::uint64_t GraphBook::kernels() const {
  std::lock_guard lock(mutex_);
  std::uint64_t sum = 0;
  for (const auto& [id, graph] : graphs_) {
    sum += std::max<std::uint64_t>(graph.launches * graph.kernel_nodes.size(), graph.records);
  }
  return sum;
}

std::uint64_t GraphBook::unknown_launches() const {
  std::lock_guard lock(mutex_);
  const auto unknown = graphs_.find(0);
  return unknown != graphs_.end() ? unknown->second.launches : 0;
}

std::uint64_t GraphBook::unrecorded_launches() const {
  std::lock_guard lock(mutex_);
  std::uint64_t sum = 0;
  for (const auto& [id, graph] : graphs_) sum += graph.unrecorded_launches;
  return sum;
}

std::uint64_t GraphBook::unrecorded_kernels() const {
  std::lock_guard lock(mutex_);
  std::uint64_t sum = 0;
  for (const auto& [id, graph] : graphs_) sum += graph.unrecorded_launches * graph.kernel_nodes.size();
  return sum;
}

}  // namespace gpuprof::collector
