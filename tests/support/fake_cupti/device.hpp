// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The device: work takes its place on a stream and leaves a record.

#include <cuda.h>
#include <cupti_activity.h>

#include <array>
#include <cstdint>
#include <string>

#include "state.hpp"

namespace fake_cupti {

using Dim = std::array<std::uint32_t, 3>;

struct KernelWork {
  std::string name;
  Dim grid{1, 1, 1};
  Dim block{1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint64_t duration_ns = 0;
  std::uint32_t flags = 0;  // FakeLaunchFlags
};

// Where a piece of work comes from.
struct Origin {
  Context& context;
  CUstream stream;
  std::uint32_t correlation = 0;
  std::uint32_t graph = 0;  // id of the executable graph, 0 without one
  std::uint64_t graph_node = 0;
};

void run_kernel(const KernelWork& work, const Origin& origin);
void run_copy(std::uint32_t kind, std::uint64_t bytes, const Origin& origin);
void run_set(std::uint64_t bytes, const Origin& origin);
// A graph launch recorded as a whole: one record for `duration_ns` of work.
void run_whole_graph(std::uint64_t duration_ns, const Origin& origin);
// An allocation or a release.
void record_memory(CUpti_ActivityMemoryOperationType operation, std::uint64_t bytes, std::uint64_t address,
                   const Origin& origin);

// When everything queued on the context ends.
std::uint64_t idle_at_ns(const Context& context);

// Records of a device and a context that came to be.
void announce(const Context& context);

}  // namespace fake_cupti
