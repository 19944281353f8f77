// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a host thread did lately, as far as it matters to a device that waits for it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpuprof/trace.hpp"
#include "timeline/idle_attribution.hpp"

namespace gpuprof::timeline {

// Intervals in time order without overlaps.
class IntervalHistory {
 public:
  // An interval inside the one before it is left out: the outer call or range counts.
  void add(const NamedInterval& interval);

  // The newest interval ends here instead.
  void end_newest(std::uint64_t end_ns) { intervals_.back().end_ns = end_ns; }

  // Those that are not over at `start_ns`.
  std::span<const NamedInterval> from(std::uint64_t start_ns) const;

  // It is time to forget what is not needed any more.
  bool full() const { return intervals_.size() >= limit_; }
  // Forgets what is over at `time_ns`, and, so that memory stays bounded, the older half of a long history.
  void forget_before(std::uint64_t time_ns);

 private:
  static constexpr std::size_t kFirstLimit = 1024;
  static constexpr std::size_t kMost = 65536;

  std::vector<NamedInterval> intervals_;
  std::size_t limit_ = kFirstLimit;
};

class ThreadHistory {
 public:
  // An NVTX push or pop. `is_input` says whether the pushed range belongs to the input pipeline.
  void push(const trace::NvtxEvent& event, bool is_input);
  void pop(const trace::NvtxEvent& event);

  IntervalHistory waits;  // calls that wait for a device
  IntervalHistory input;  // outermost ranges of the input pipeline

 private:
  struct OpenRange {
    std::uint32_t domain;
    bool is_input;
  };
  // Programs that push without popping end up here; deeper ranges are only counted.
  static constexpr std::size_t kMostOpen = 4096;

  std::vector<OpenRange> open_;
  std::size_t deeper_ = 0;
  std::size_t open_inputs_ = 0;
};

}  // namespace gpuprof::timeline
