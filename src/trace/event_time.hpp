// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// When the records that take part in the merge happened, and how they are ordered among themselves.

#include <cstdint>
#include <type_traits>

#include "gpuprof/trace.hpp"

namespace gpuprof::trace {

// Work on a device; everything else happens on the host.
template <typename Record>
inline constexpr bool kOnDevice = std::is_same_v<Record, Kernel> || std::is_same_v<Record, Copy> ||
                                  std::is_same_v<Record, Set> || std::is_same_v<Record, GraphExecution>;

template <typename Record>
std::uint64_t start_of(const Record& record) {
  if constexpr (requires { record.start_ns; }) {
    return record.start_ns;
  } else {
    return record.time_ns;
  }
}

template <typename Record>
std::uint64_t end_of(const Record& record) {
  if constexpr (requires { record.end_ns; }) {
    return record.end_ns;
  } else {
    return record.time_ns;
  }
}

// Breaks ties, so that the order of frames in a file does not matter. 0 for records without one.
template <typename Record>
std::uint32_t correlation_of(const Record& record) {
  if constexpr (requires { record.correlation; }) {
    return record.correlation;
  } else {
    return 0;
  }
}

}  // namespace gpuprof::trace
