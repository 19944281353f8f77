// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tells a listener when the first range of a given name opens and when the last one closes.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "collector/nvtx_text.hpp"

namespace gpuprof::collector {

class NvtxWatch {
 public:
  using Changed = void (*)(void* user, bool open);

  // What is watched for: a range called `whole` in any domain, or one called `name` in the domain `domain`. The indices
  // are those of the same text as a registered string and as a domain.
  struct Target {
    std::string whole;
    std::uint32_t whole_registered = 0;
    std::string name;
    std::uint32_t name_registered = 0;  // 0: no domain was named
    std::uint32_t domain = 0;
    Changed changed = nullptr;
    void* user = nullptr;
  };

  void set(Target target);

  // Whether such a range opens. Cheap when nothing is watched for.
  bool matches(std::uint32_t domain, const NvtxText& name) const {
    const Target* target = target_.load(std::memory_order_acquire);
    return target != nullptr && matches(*target, domain, name);
  }

  // `range` is the id of a start/end range; 0 for a push. The listener is called on the calling thread, one call at a
  // time, so that it sees openings and closings in the order in which they count.
  void opened(std::uint64_t range);
  void closed(std::uint64_t range);

  // After fork, in the child: nothing is watched for.
  void forget();

 private:
  static bool matches(const Target& target, std::uint32_t domain, const NvtxText& name);
  void count(int change);

  std::atomic<const Target*> target_{nullptr};  // never freed: another thread may be looking at it
  std::mutex mutex_;
  int open_ = 0;
  std::vector<std::uint64_t> open_ranges_;  // a range that is ended twice counts once
};

}  // namespace gpuprof::collector
