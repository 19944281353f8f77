// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/launch_tally.hpp"

namespace gpuprof::collector {

std::size_t LaunchTally::HashKey::operator()(const Key& key) const {
  // Only what a launch can choose differs between launches of one function.
  std::uint64_t hash = reinterpret_cast<std::uintptr_t>(key.function);
  for (const std::uint64_t part :
       {std::uint64_t{key.shape.grid.x} << 32 | key.shape.grid.y,
        std::uint64_t{key.shape.grid.z} << 32 | key.shape.block.x,
        std::uint64_t{key.shape.block.y} << 32 | key.shape.block.z, std::uint64_t{key.shape.dynamic_shared_bytes}}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32;
  }
  return hash;
}

void LaunchTally::add(const cupti::LaunchCall& call) {
  const Key key{cupti::launch_function(call), cupti::launch_shape(call)};
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = kernels_.try_emplace(key);
  if (is_new) found->second.name = call.kernel_name;
  ++found->second.launches;
}

void LaunchTally::write(trace::Writer& writer) {
  trace::LaunchCounts counts;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [key, kernel] : kernels_) {
      if (kernel.launches == 0) continue;
      trace::KernelShape shape = key.shape;
      shape.name = writer.string_id(kernel.name);
      counts.shapes.push_back(writer.shape_id(shape));
      counts.launches.push_back(kernel.launches);
      kernel.launches = 0;
    }
  }
  if (!counts.shapes.empty()) writer.write(counts);
}

}  // namespace gpuprof::collector
