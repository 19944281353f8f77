// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Did the host clock jump while a process was recorded?

#include <cstdint>
#include <cstdlib>
#include <optional>

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
    if (before_jump_ns_) {
      if (!jumped(*before_jump_ns_, difference_ns))
        last_ns_ = *before_jump_ns_;
      else
        count(last_ns_.value_or(0) - *before_jump_ns_, report_);
      before_jump_ns_.reset();
    }
    if (last_ns_ && jumped(*last_ns_, difference_ns)) before_jump_ns_ = last_ns_;
    last_ns_ = difference_ns;
  }

  // pid is left to the caller.
  ClockReport report() const {
    ClockReport report = report_;
    if (before_jump_ns_) count(last_ns_.value_or(0) - *before_jump_ns_, report);
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
  std::optional<std::int64_t> last_ns_;         // difference of the newest sample
  std::optional<std::int64_t> before_jump_ns_;  // of the one before, when the newest one has jumped
};

}  // namespace gpuprof::timeline
