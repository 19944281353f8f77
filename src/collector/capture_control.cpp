// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/capture_control.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include "collector/process.hpp"

namespace gpuprof::collector {
namespace {

constexpr std::uint64_t kNsPerMs = 1'000'000;
// A stretch of --trace-share: a tenth of the time so far, so that a short program gets several, within these bounds. A
// switch costs well under a millisecond, and a stretch should hold a few steps of a training loop.
constexpr std::uint64_t kShortestWindowNs = 20 * kNsPerMs;
constexpr std::uint64_t kLongestWindowNs = 200 * kNsPerMs;
// How long a switch waits for launches in progress. One can be held up in the driver until the device has room.
constexpr auto kSwitchPatience = std::chrono::milliseconds(5);
// How long a launch waits for a switch: should CUPTI ever make a switch wait for a launch, both go on.
constexpr auto kLaunchPatience = std::chrono::milliseconds(50);
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

bool starts_recording(const Options& options) {
  return options.delay_ms == 0 && options.capture_range.empty();
}

}  // namespace

CaptureControl::CaptureControl(const Options& options)
    : active_(options.delay_ms != 0 || options.duration_ms != 0 || !options.capture_range.empty() ||
              options.max_bytes != 0 || options.share_percent != 0),
      delay_ns_(options.delay_ms * kNsPerMs),
      duration_ns_(options.duration_ms * kNsPerMs),
      max_bytes_(options.max_bytes),
      share_percent_(options.share_percent),
      delay_passed_(options.delay_ms == 0),
      range_open_(options.capture_range.empty()),
      recording_(starts_recording(options)),
      range_seen_(options.capture_range.empty()) {}

void CaptureControl::start(cupti::ActivityStream& stream, std::uint64_t now_ns) {
  const std::lock_guard lock(mutex_);
  stream_ = &stream;
  started_ns_ = now_ns;
  if (recording()) first_recorded_ns_ = now_ns;
  if (!recording()) {
    const auto reason = delay_passed_ ? trace::CaptureReason::none : trace::CaptureReason::delay;
    phases_.push_back({realtime_ns(), false, reason});
  }
  // A range may have opened before CUDA was initialised.
  apply(trace::CaptureReason::nvtx_range);
}

void CaptureControl::context_created(std::uint64_t now_ns) {
  if (!active_) return;
  const std::lock_guard lock(mutex_);
  if (context_ns_ != 0) return;
  context_ns_ = now_ns;
  share_change_ns_ = now_ns + share_window_ns(now_ns);
}

bool CaptureControl::enter() {
  if (!active_) return true;
  launches_in_progress_.fetch_add(1);
  if (switching_.load()) wait_for_switch();
  return recording();
}

void CaptureControl::wait_for_switch() {
  const auto deadline = std::chrono::steady_clock::now() + kLaunchPatience;
  while (switching_.load() && std::chrono::steady_clock::now() < deadline) {
    launches_in_progress_.fetch_sub(1);
    while (switching_.load() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    launches_in_progress_.fetch_add(1);
  }
}

void CaptureControl::exit() {
  if (active_) launches_in_progress_.fetch_sub(1);
}

void CaptureControl::range_changed(bool open, trace::CaptureReason reason) {
  if (open) range_seen_ = true;
  const std::lock_guard lock(mutex_);
  range_open_ = open;
  apply(reason);
}

void CaptureControl::update(std::uint64_t now_ns, std::uint64_t trace_bytes) {
  if (!active_) return;
  const std::lock_guard lock(mutex_);
  if (stream_ == nullptr) return;
  if (!delay_passed_ && now_ns - started_ns_ >= delay_ns_) {
    delay_passed_ = true;
    apply(trace::CaptureReason::delay);
  }
  if (context_ns_ == 0) return;
  apply(last_reason_);  // what had to wait for the context
  // A switch just now may have been later than `now_ns`.
  if (duration_ns_ != 0 && !duration_over_ && first_recorded_ns_ != 0 && now_ns >= first_recorded_ns_ + duration_ns_) {
    duration_over_ = true;
    apply(trace::CaptureReason::duration);
  }
  if (max_bytes_ != 0 && !size_limit_reached_ && trace_bytes >= max_bytes_) {
    size_limit_reached_ = true;
    apply(trace::CaptureReason::size_limit);
  }
  if (share_percent_ != 0 && now_ns >= share_change_ns_) {
    share_on_ = !share_on_;
    const std::uint64_t window_ns = share_window_ns(now_ns);
    share_change_ns_ = now_ns + (share_on_ ? window_ns : window_ns * (100 - share_percent_) / share_percent_);
    apply(trace::CaptureReason::share);
  }
}

std::uint64_t CaptureControl::share_window_ns(std::uint64_t now_ns) const {
  return std::clamp((now_ns - context_ns_) / 10, kShortestWindowNs, kLongestWindowNs);
}

std::uint64_t CaptureControl::next_change_ns() const {
  std::uint64_t next_ns = kNever;
  if (!delay_passed_) next_ns = std::min(next_ns, started_ns_ + delay_ns_);
  if (context_ns_ == 0) return next_ns;
  if (duration_ns_ != 0 && !duration_over_ && first_recorded_ns_ != 0) {
    next_ns = std::min(next_ns, first_recorded_ns_ + duration_ns_);
  }
  if (share_percent_ != 0) next_ns = std::min(next_ns, share_change_ns_);
  return next_ns;
}

unsigned CaptureControl::wait_ms(std::uint64_t now_ns, unsigned at_most) const {
  if (!active_) return at_most;
  const std::lock_guard lock(mutex_);
  if (stream_ == nullptr) return at_most;
  const std::uint64_t next_ns = next_change_ns();
  if (next_ns <= now_ns) return 0;
  return static_cast<unsigned>(std::min<std::uint64_t>(at_most, (next_ns - now_ns) / kNsPerMs + 1));
}

std::vector<trace::CapturePhase> CaptureControl::take_phases() {
  const std::lock_guard lock(mutex_);
  std::vector<trace::CapturePhase> taken;
  taken.swap(phases_);
  return taken;
}

void CaptureControl::apply(trace::CaptureReason reason) {
  last_reason_ = reason;
  const bool on = delay_passed_ && !duration_over_ && range_open_ && share_on_ && !size_limit_reached_;
  const bool possible = stream_ != nullptr && (on || context_ns_ != 0);
  if (possible && on != recording()) switch_to(on, reason);
}

void CaptureControl::switch_to(bool on, trace::CaptureReason reason) {
  switching_ = true;
  const auto deadline = std::chrono::steady_clock::now() + kSwitchPatience;
  while (launches_in_progress_.load() != 0 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  // Only what lies between the stamps of two phases is claimed to be recorded.
  if (on) {
    stream_->resume();
    phases_.push_back({realtime_ns(), true, reason});
    if (first_recorded_ns_ == 0) first_recorded_ns_ = monotonic_ns();
  } else {
    phases_.push_back({realtime_ns(), false, reason});
    stream_->pause();
  }
  recording_.store(on, std::memory_order_release);
  switching_ = false;
}

}  // namespace gpuprof::collector
