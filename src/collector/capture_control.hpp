// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Decides when device work is recorded: a delay, a duration, a range of the program, a share of the time, a limit on
// the size of the trace.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "collector/options.hpp"
#include "cupti/activity.hpp"
#include "gpuprof/trace.hpp"

namespace gpuprof::collector {

class CaptureControl {
 public:
  explicit CaptureControl(const Options& options);

  // False when everything is recorded from the first to the last moment: no launch needs to be gated then.
  bool active() const { return active_; }
  bool recording() const { return recording_.load(std::memory_order_acquire); }

  // The stream exists and records if recording() says so.
  void start(cupti::ActivityStream& stream, std::uint64_t now_ns);

  // The process's first context exists: CUDA is initialised. Nothing is switched off before. Disabling API functions
  // while CUDA is being initialised left them without records for good when they were enabled again (measured with
  // CUDA 13.0 under PyTorch), and there is nothing to leave out yet.
  void context_created(std::uint64_t now_ns);

  // Around every launch, on the launching thread. enter() returns whether the launch is recorded. While recording is
  // switched it waits, so that each launch is clearly on one side; a switch waits for the launches in progress.
  bool enter();
  void exit();

  // The range of --capture-range has opened or closed; any thread of the program.
  void range_changed(bool open, trace::CaptureReason reason);

  // Times are checked here. On the collector's thread. `trace_bytes`: size of the trace so far.
  void update(std::uint64_t now_ns, std::uint64_t trace_bytes);

  // Milliseconds until update() has something to do; at most `at_most`.
  unsigned wait_ms(std::uint64_t now_ns, unsigned at_most) const;

  // Switches since the last call.
  std::vector<trace::CapturePhase> take_phases();

  bool size_limit_reached() const { return size_limit_reached_; }
  // A range was waited for and never opened.
  bool never_started() const { return !range_seen_.load(); }

 private:
  void wait_for_switch();
  void apply(trace::CaptureReason reason);
  void switch_to(bool on, trace::CaptureReason reason);
  std::uint64_t share_window_ns(std::uint64_t now_ns) const;
  std::uint64_t next_change_ns() const;

  const bool active_;
  const std::uint64_t delay_ns_;
  const std::uint64_t duration_ns_;
  const std::uint64_t max_bytes_;
  const unsigned share_percent_;

  mutable std::mutex mutex_;  // everything below but the atomics
  cupti::ActivityStream* stream_ = nullptr;
  std::uint64_t started_ns_ = 0;
  std::uint64_t context_ns_ = 0;  // when the first context was created; 0: there is none yet
  std::uint64_t first_recorded_ns_ = 0;
  std::uint64_t share_change_ns_ = 0;
  bool delay_passed_;
  bool duration_over_ = false;
  bool range_open_;
  bool share_on_ = true;
  bool size_limit_reached_ = false;
  trace::CaptureReason last_reason_ = trace::CaptureReason::none;
  std::vector<trace::CapturePhase> phases_;

  std::atomic<bool> recording_;
  std::atomic<bool> range_seen_;
  std::atomic<bool> switching_{false};
  std::atomic<int> launches_in_progress_{0};
};

}  // namespace gpuprof::collector
