// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/thread_history.hpp"

#include <algorithm>
#include <limits>

namespace gpuprof::timeline {

void IntervalHistory::add(const NamedInterval& interval) {
  NamedInterval rest = interval;
  if (!intervals_.empty()) rest.start_ns = std::max(rest.start_ns, intervals_.back().end_ns);
  if (rest.start_ns < rest.end_ns) intervals_.push_back(rest);
}

std::span<const NamedInterval> IntervalHistory::from(std::uint64_t start_ns) const {
  const auto first =
      std::partition_point(intervals_.begin(), intervals_.end(),
                           [start_ns](const NamedInterval& interval) { return interval.end_ns <= start_ns; });
  return {first, intervals_.end()};
}

void IntervalHistory::forget_before(std::uint64_t time_ns) {
  const auto kept = intervals_.end() - static_cast<std::ptrdiff_t>(from(time_ns).size());
  intervals_.erase(intervals_.begin(), kept);
  if (intervals_.size() >= kMost) intervals_.erase(intervals_.begin(), intervals_.begin() + kMost / 2);
  // Twice what is needed, so that forgetting costs a constant time an interval.
  limit_ = std::clamp(2 * intervals_.size(), kFirstLimit, kMost);
}

void ThreadHistory::push(const trace::NvtxEvent& event, bool is_input) {
  if (open_.size() >= kMostOpen) {
    ++deeper_;
    return;
  }
  open_.push_back({event.domain, is_input});
  if (!is_input || ++open_inputs_ > 1) return;
  input.add({event.time_ns, std::numeric_limits<std::uint64_t>::max(), event.name});
}

void ThreadHistory::pop(const trace::NvtxEvent& event) {
  if (deeper_ > 0) {
    --deeper_;
    return;
  }
  const auto newest = std::find_if(open_.rbegin(), open_.rend(),
                                   [&event](const OpenRange& range) { return range.domain == event.domain; });
  if (newest == open_.rend()) return;
  const bool was_input = newest->is_input;
  open_.erase(std::next(newest).base());
  if (was_input && --open_inputs_ == 0) input.end_newest(event.time_ns);
}

}  // namespace gpuprof::timeline
