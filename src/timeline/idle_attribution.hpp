// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Why a device had nothing to do, decided from what the thread did that launched the next operation.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gpuprof/timeline.hpp"

namespace gpuprof::timeline {

// A stretch of time in which a thread was inside a call or a range; `name` is a string id.
struct NamedInterval {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint32_t name = 0;
};

// Time without any operation on a device.
struct IdleGap {
  std::uint64_t start_ns = 0;              // the device ran dry
  std::uint64_t end_ns = 0;                // the next operation started
  std::optional<std::uint64_t> launch_ns;  // start of the call that launched it
};

struct IdlePiece {
  IdleCause cause = IdleCause::unexplained;
  std::uint32_t name = 0;  // string id, of input_pipeline and synchronization
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;

  bool operator==(const IdlePiece&) const = default;
};

// Splits a gap into pieces that cover it exactly, and appends them to `pieces`. The intervals are those of the
// launching thread: its ranges of the input pipeline, and the calls in which it waited for a device; each list by time
// and without overlaps. A wait explains idle time only if it came before the launch: one that began later waits for the
// operation itself, as a blocking copy does, and without it the device would have been no less idle.
void attribute_gap(const IdleGap& gap, std::span<const NamedInterval> input, std::span<const NamedInterval> waits,
                   std::vector<IdlePiece>& pieces);

// Does the name of an NVTX range speak of loading data?
bool is_input_range(std::string_view name);

// Does the host wait for a device inside this function of the runtime or driver API?
bool waits_for_device(std::string_view function);

// "cudaMemcpy" for "cudaMemcpy_v3020" or "cudaMemcpy_ptds".
std::string_view without_version(std::string_view function);

// Is this the (mangled) name of a kernel of a communication library?
bool is_communication_kernel(std::string_view name);

}  // namespace gpuprof::timeline
