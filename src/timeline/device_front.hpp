// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The moving front of one device's timeline: everything before it has been put into a part of the partition.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpuprof/timeline.hpp"
#include "timeline/capture_times.hpp"
#include "timeline/idle_attribution.hpp"
#include "timeline/idle_ledger.hpp"
#include "timeline/launch_latency.hpp"
#include "timeline/queue_depth.hpp"
#include "timeline/thread_history.hpp"
#include "trace/event_stream.hpp"

namespace gpuprof::timeline {

// What an operation does with the device.
enum class WorkClass : std::uint8_t { compute, communication, copy };

class DeviceFront {
 public:
  DeviceFront(std::uint32_t device, std::uint64_t first_ns, const CaptureTimes& capture)
      : capture_(capture), device_(device), first_ns_(first_ns), front_ns_(first_ns) {}

  // Operations in order of their start; `thread` is the history of the launching thread, null when unknown.
  void add(const trace::Operation& operation, WorkClass work, const ThreadHistory* thread);

  // Nothing before this time will be asked about.
  std::uint64_t front_ns() const { return front_ns_; }

  // The row, up to `last_ns`. The front is of no use afterwards.
  DeviceTimeline finish(std::uint64_t last_ns, const trace::Dictionaries& dictionaries);

 private:
  // Where a time without any operation belongs to.
  struct GapEnd {
    IdleCause cause = IdleCause::unexplained;  // start_up, shut_down, or unexplained for between operations
    const trace::ApiCall* launch = nullptr;
    const ThreadHistory* thread = nullptr;
  };

  void advance(std::uint64_t to_ns, const GapEnd& end);
  void add_busy(unsigned works, std::uint64_t start_ns, std::uint64_t end_ns);
  void add_without_compute(IdleCause cause, std::uint64_t start_ns, std::uint64_t end_ns);
  void add_gap(std::uint64_t start_ns, std::uint64_t end_ns, const GapEnd& end);

  const CaptureTimes& capture_;
  std::size_t capture_position_ = 0;
  std::uint32_t device_;
  std::uint64_t first_ns_;
  std::uint64_t front_ns_;
  // Of the operations that started before the front, the latest end by class. A class is at work from the front up to
  // there without a break: the operation that ends last has already started.
  std::array<std::uint64_t, 3> busy_until_ns_{};
  std::array<std::uint64_t, 8> busy_ns_{};  // by the set of classes at work
  std::uint64_t operations_ = 0;
  IdleLedger idle_;
  LaunchLatency latency_;
  QueueDepth depth_;
  std::vector<IdlePiece> pieces_;
};

}  // namespace gpuprof::timeline
