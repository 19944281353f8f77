// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/kernel_table.hpp"

#include <functional>
#include <string_view>

namespace gpuprof::collector {
namespace {

constexpr std::uint64_t kFirstNeededLaunch = 2;

bool same_launch(const trace::KernelShape& a, const trace::KernelShape& b) {
  return a.grid == b.grid && a.block == b.block && a.dynamic_shared_bytes == b.dynamic_shared_bytes;
}

std::size_t hash_of(std::string_view name, const trace::KernelShape& shape) {
  std::size_t hash = std::hash<std::string_view>()(name);
  for (std::uint32_t part : {shape.grid.x, shape.grid.y, shape.grid.z, shape.block.x, shape.block.y, shape.block.z,
                             shape.dynamic_shared_bytes}) {
    hash = (hash ^ part) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace

KernelTable::KernelTable(const trace::CounterPlan& plan)
    : wanted_samples_(plan.samples), group_count_(plan.groups.size()), needy_(plan.groups.size(), 0) {
  for (const auto& planned : plan.kernels) {
    trace::KernelShape shape;
    shape.grid = planned.grid;
    shape.block = planned.block;
    shape.dynamic_shared_bytes = planned.dynamic_shared_bytes;
    Kernel& kernel = kernels_[find_or_add(planned.mangled_name, shape)];
    if (kernel.planned) continue;
    kernel.planned = true;
    kernel.samples.assign(group_count_, 0);
    kernel.alone.assign(group_count_, false);
    missing_ += std::uint64_t{wanted_samples_} * group_count_;
  }
}

std::size_t KernelTable::find_or_add(std::string_view name, const trace::KernelShape& shape) {
  const std::size_t hash = hash_of(name, shape);
  const auto [begin, end] = index_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    const Kernel& kernel = kernels_[it->second];
    if (same_launch(kernel.shape, shape) && kernel.mangled_name == name) return it->second;
  }
  kernels_.push_back({std::string(name), shape, false, 0, {}, {}});
  index_.emplace(hash, kernels_.size() - 1);
  return kernels_.size() - 1;
}

std::size_t KernelTable::on_launch(const cupti::LaunchCall& call) {
  const std::size_t index = find_or_add(call.kernel_name, cupti::launch_shape(call));
  Kernel& kernel = kernels_[index];
  if (++kernel.launches == kFirstNeededLaunch && kernel.planned) {
    for (std::size_t group = 0; group < group_count_; ++group) needy_[group] += kernel.samples[group] < wanted_samples_;
  }
  return index;
}

bool KernelTable::needs(std::size_t kernel, std::size_t group) const {
  const Kernel& k = kernels_[kernel];
  return k.planned && k.launches >= kFirstNeededLaunch && k.samples[group] < wanted_samples_;
}

bool KernelTable::needs_any(std::size_t kernel) const {
  for (std::size_t group = 0; group < group_count_; ++group) {
    if (needs(kernel, group)) return true;
  }
  return false;
}

bool KernelTable::comes_alone(std::size_t kernel, std::size_t group) const {
  const Kernel& k = kernels_[kernel];
  return k.planned && k.alone[group];
}

void KernelTable::mark_alone(std::size_t kernel, std::size_t group) {
  Kernel& k = kernels_[kernel];
  if (k.planned) k.alone[group] = true;
}

void KernelTable::add_sample(std::size_t kernel, std::size_t group) {
  Kernel& k = kernels_[kernel];
  if (!k.planned || ++k.samples[group] > wanted_samples_) return;
  --missing_;
  if (k.samples[group] == wanted_samples_ && k.launches >= kFirstNeededLaunch) --needy_[group];
}

void KernelTable::remove_sample(std::size_t kernel, std::size_t group) {
  Kernel& k = kernels_[kernel];
  if (!k.planned || k.samples[group]-- > wanted_samples_) return;
  ++missing_;
  if (k.samples[group] + 1 == wanted_samples_ && k.launches >= kFirstNeededLaunch) ++needy_[group];
}

}  // namespace gpuprof::collector
