// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Counts, kernel by kernel, the launches that are not recorded, so that the totals of a run of which a part was
// recorded can be told from the recorded mean times.

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "cupti/client.hpp"
#include "trace/writer.hpp"

namespace gpuprof::collector {

class LaunchTally {
 public:
  // On the launching thread, inside the callback.
  void add(const cupti::LaunchCall& call);

  // Writes the counts since the last call, if there are any. On the collector's thread.
  void write(trace::Writer& writer);

 private:
  struct Key {
    // The driver's handle stands for the name: comparing names of a thousand characters for every launch is dear. A
    // handle that is used again for another function after a module was unloaded is taken for the first one.
    const void* function = nullptr;
    trace::KernelShape shape;

    bool operator==(const Key&) const = default;
  };
  struct HashKey {
    std::size_t operator()(const Key& key) const;
  };
  struct Kernel {
    std::string name;
    std::uint64_t launches = 0;  // since the last write
  };

  std::mutex mutex_;
  std::unordered_map<Key, Kernel, HashKey> kernels_;
};

}  // namespace gpuprof::collector
