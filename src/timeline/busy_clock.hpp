// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Running sums over a timeline for questions "how much until now", where now only moves forward.

#include <algorithm>
#include <cstdint>

#include "trace/event_stream.hpp"

namespace gpuprof::timeline {

// Time in which at least one operation ran, on any device: the union of all operations, which come in order of start.
class BusyClock {
 public:
  void add(const trace::Operation& operation) {
    if (operation.start_ns > end_ns_) {
      closed_ns_ += end_ns_ - start_ns_;
      start_ns_ = operation.start_ns;
      end_ns_ = operation.end_ns;
    } else {
      end_ns_ = std::max(end_ns_, operation.end_ns);
    }
  }

  // Exact for times from the newest operation's start up to the start of the next one.
  std::uint64_t busy_until(std::uint64_t time_ns) const {
    return closed_ns_ + (time_ns > start_ns_ ? std::min(time_ns, end_ns_) - start_ns_ : 0);
  }

 private:
  std::uint64_t closed_ns_ = 0;  // of the stretches before the newest one
  std::uint64_t start_ns_ = 0;   // of the newest stretch
  std::uint64_t end_ns_ = 0;
};

// Time in which device work was not recorded. A timeline without any phase is recorded throughout.
class CaptureClock {
 public:
  void add(const trace::CapturePhase& phase) {
    if (phase.on == on_) return;
    if (phase.on && phase.time_ns > off_since_ns_) closed_ns_ += phase.time_ns - off_since_ns_;
    if (!phase.on) off_since_ns_ = phase.time_ns;
    on_ = phase.on;
  }

  std::uint64_t uncaptured_until(std::uint64_t time_ns) const {
    return closed_ns_ + (!on_ && time_ns > off_since_ns_ ? time_ns - off_since_ns_ : 0);
  }

 private:
  bool on_ = true;
  std::uint64_t off_since_ns_ = 0;
  std::uint64_t closed_ns_ = 0;
};

}  // namespace gpuprof::timeline
