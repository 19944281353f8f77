// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Did the host clock jump while a process was recorded?

#include <cstdint>
#include <cstdlib>

#include "gpuprof/report.hpp"
#include "gpuprof/trace.hpp"

namespace gpuprof::timeline {

// Watches the difference between REALTIME, the clock of all stamps, and MONOTONIC. Slewing moves both, so it stays the
// same until somebody sets the clock. A difference that is back at the next sample was no jump: the thread that read
// the two clocks was interrupted in between.
class ClockCheck {
 public:
  // In the order in which they were taken.
  void add(const trace::ClockSample& sample) {
    if (sample.realtime_ns == 0 || sample.monotonic_ns == 0) return;
    ++report_.samples;
    const auto difference_ns = static_cast<std::int64_t>(sample.realtime_ns - sample.monotonic_ns);
    if (undecided_) {
      if (jumped(before_jump_ns_, difference_ns)) {
        count(last_ns_ - before_jump_ns_, report_);
      } else {
        last_ns_ = before_jump_ns_;
      }
      undecided_ = false;
    }
    if (report_.samples > 1 && jumped(last_ns_, difference_ns)) {
      before_jump_ns_ = last_ns_;
      undecided_ = true;
    }
    last_ns_ = difference_ns;
  }

  // pid is left to the caller.
  ClockReport report() const {
    ClockReport report = report_;
    if (undecided_) count(last_ns_ - before_jump_ns_, report);
    return report;
  }

 private:
  static constexpr std::int64_t kJumpNs = 1'000'000;

  static bool jumped(std::int64_t from_ns, std::int64_t to_ns) { return std::llabs(to_ns - from_ns) > kJumpNs; }
  static void count(std::int64_t jump_ns, ClockReport& report) {
    ++report.jumps;
    if (std::llabs(jump_ns) > std::llabs(report.largest_jump_ns)) report.largest_jump_ns = jump_ns;
  }

  ClockReport report_;
  std::int64_t last_ns_ = 0;         // difference of the newest sample
  std::int64_t before_jump_ns_ = 0;  // of the one before it
  bool undecided_ = false;           // the newest one has jumped; the next one tells
};

}  // namespace gpuprof::timeline
