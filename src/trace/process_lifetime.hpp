// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which time stamps of a trace are worth anything: the span of time in which a process's records can lie, as far as its
// trace says.

#include <algorithm>
#include <cstdint>

namespace gpuprof::trace {

class ProcessLifetime {
 public:
  // 2^63: CUPTI has delivered 0x8000000000000000 for stamps it could not convert.
  static constexpr std::uint64_t kImpossibleNs = std::uint64_t{1} << 63;

  // The host clock when the process loaded the collector; 0: unknown.
  void started(std::uint64_t time_ns) {
    earliest_ns_ = time_ns > kSlackNs ? time_ns - kSlackNs : 0;
    if (time_ns != 0) latest_ns_ = std::max(latest_ns_, plus_slack(time_ns));
  }

  // The host clock was seen at this time: the process was alive.
  void alive(std::uint64_t time_ns) {
    if (time_ns >= kImpossibleNs || time_ns <= newest_ns_) return;
    newest_ns_ = time_ns;
    latest_ns_ = std::max(latest_ns_, plus_slack(time_ns));
  }

  // Outside in any case, whatever the rest of the file says.
  bool too_early(std::uint64_t start_ns) const { return start_ns < earliest_ns_; }

  // Later than everything seen so far. May still turn out to be right while the file is being read.
  bool too_late(std::uint64_t end_ns) const { return end_ns > latest_ns_; }

  // Outside now that the whole file has been read. Without any host time there is nothing to judge by.
  bool too_late_at_last(std::uint64_t end_ns) const {
    return end_ns >= kImpossibleNs || (newest_ns_ != 0 && too_late(end_ns));
  }

  // A record from `start_ns` to `end_ns` may be used, now that the whole file has been read.
  bool contains(std::uint64_t start_ns, std::uint64_t end_ns) const {
    return start_ns != 0 && end_ns >= start_ns && !too_early(start_ns) && !too_late_at_last(end_ns);
  }

 private:
  static constexpr std::uint64_t kSlackNs = 60'000'000'000;

  static std::uint64_t plus_slack(std::uint64_t time_ns) {
    return time_ns < kImpossibleNs ? time_ns + kSlackNs : time_ns;
  }

  std::uint64_t earliest_ns_ = 0;
  std::uint64_t latest_ns_ = 0;
  std::uint64_t newest_ns_ = 0;
};

inline bool has_duration(std::uint64_t start_ns, std::uint64_t end_ns) {
  return start_ns != 0 && end_ns >= start_ns && end_ns < ProcessLifetime::kImpossibleNs;
}

}  // namespace gpuprof::trace
