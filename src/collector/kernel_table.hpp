// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernels of the counter stage by name and launch shape: which are planned, and how many samples each has.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "cupti/client.hpp"
#include "gpuprof/trace.hpp"

namespace gpuprof::collector {

class KernelTable {
 public:
  explicit KernelTable(const trace::CounterPlan& plan);

  // Index of the kernel being launched; a new one is added. Counts the launch.
  std::size_t on_launch(const cupti::LaunchCall& call);

  // Whether samples of this kernel are wanted in `group`. Not before its second launch: the first one may include
  // module loading and just-in-time compilation.
  bool needs(std::size_t kernel, std::size_t group) const;
  bool needs_any(std::size_t kernel) const;

  // Whether any kernel launched so far lacks samples in `group`.
  bool any_needs(std::size_t group) const { return needy_[group] != 0; }

  // A kernel that only ever comes as the first launch of its windows would never be sampled if the first launch did not
  // count. The collector marks it once that has happened.
  bool comes_alone(std::size_t kernel, std::size_t group) const;
  void mark_alone(std::size_t kernel, std::size_t group);

  void add_sample(std::size_t kernel, std::size_t group);
  void remove_sample(std::size_t kernel, std::size_t group);

  // True when every planned kernel has all its samples.
  bool complete() const { return missing_ == 0; }

  const std::string& mangled_name(std::size_t kernel) const { return kernels_[kernel].mangled_name; }
  const trace::KernelShape& shape(std::size_t kernel) const { return kernels_[kernel].shape; }

 private:
  struct Kernel {
    std::string mangled_name;
    trace::KernelShape shape;  // name is not used
    bool planned = false;
    std::uint64_t launches = 0;
    std::vector<std::uint32_t> samples;  // per group; only for planned kernels
    std::vector<bool> alone;             // per group; only for planned kernels
  };

  std::size_t find_or_add(std::string_view name, const trace::KernelShape& shape);

  std::uint32_t wanted_samples_;
  std::size_t group_count_;
  std::deque<Kernel> kernels_;                               // addresses stay valid
  std::unordered_multimap<std::size_t, std::size_t> index_;  // hash -> position
  std::vector<std::uint64_t> needy_;                         // per group: kernels for which needs() is true
  std::uint64_t missing_ = 0;  // samples still to be taken, over all planned kernels and groups
};

}  // namespace gpuprof::collector
