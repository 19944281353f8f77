// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// When device work was not recorded, from the capture phases of a trace.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "gpuprof/trace.hpp"

namespace gpuprof::timeline {

class CaptureTimes {
 public:
  // Phases in time order. Before a first one that begins the recording nothing was recorded.
  void add(const trace::CapturePhase& phase) {
    if (!phase.on) {
      if (!off()) gaps_.push_back({phase.time_ns, kOpen});
    } else if (off()) {
      gaps_.back().end_ns = phase.time_ns;
    } else if (gaps_.empty()) {
      gaps_.push_back({0, phase.time_ns});
    }
  }

  // Calls handle(start, end, recorded) for the parts of [start, end), in order. `position` is the caller's place in the
  // list, 0 at first; it asks for later and later times only.
  template <typename Handle>
  void split(std::uint64_t start_ns, std::uint64_t end_ns, std::size_t& position, const Handle& handle) const {
    while (start_ns < end_ns) {
      while (position < gaps_.size() && gaps_[position].end_ns <= start_ns) ++position;
      const bool more = position < gaps_.size();
      const bool recorded = !more || gaps_[position].start_ns > start_ns;
      std::uint64_t until_ns = end_ns;
      if (more) until_ns = std::min(end_ns, recorded ? gaps_[position].start_ns : gaps_[position].end_ns);
      handle(start_ns, until_ns, recorded);
      start_ns = until_ns;
    }
  }

 private:
  static constexpr std::uint64_t kOpen = std::numeric_limits<std::uint64_t>::max();
  struct Gap {
    std::uint64_t start_ns;
    std::uint64_t end_ns;
  };

  bool off() const { return !gaps_.empty() && gaps_.back().end_ns == kOpen; }

  std::vector<Gap> gaps_;
};

}  // namespace gpuprof::timeline
