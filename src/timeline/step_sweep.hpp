// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The repeating step of one process, by the period of the kernels it launches.

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "gpuprof/report.hpp"
#include "timeline/busy_clock.hpp"
#include "timeline/duration_counts.hpp"
#include "trace/event_stream.hpp"

namespace gpuprof::timeline {

// Looks for the period in the first kernels of the busiest stream, by shape, or by name where shapes vary from step to
// step. A step is from the start of one anchor kernel to the start of the next on that stream, as far as it was
// recorded throughout and holds between half and twice the period's number of kernels: pauses and evaluations are no
// steps.
class StepSweep : public trace::EventVisitor {
 public:
  using trace::EventVisitor::on;

  // 16 MB of samples at most; a step of 100,000 kernels is found.
  static constexpr std::size_t kMaxSamples = std::size_t{1} << 19;
  static constexpr std::size_t kMaxQueues = 4;  // streams that are looked at for a period

  explicit StepSweep(const trace::Dictionaries& dictionaries) : dictionaries_(dictionaries) {}

  void on(const trace::Operation& operation) override;
  void on(const trace::CapturePhase& phase) override;

  // To be called once after the last event. Empty when nothing repeats. pid and rank are left to the caller.
  std::optional<StepReport> take();

 private:
  struct Launch {
    std::uint64_t start_ns = 0;
    std::uint64_t busy_ns = 0;  // until the start
    std::uint32_t queue = 0;
    std::uint32_t shape = 0;
    std::uint32_t segment = 0;  // counts interruptions of the recording
  };
  struct Mark {
    Launch launch;
    std::uint64_t kernels = 0;            // of the process before it
    std::uint64_t kernels_in_stream = 0;  // of the anchor's stream before it
  };

  void decide();
  bool decide_by(std::uint32_t queue, bool by_name);
  std::vector<std::uint32_t> busiest_queues() const;
  std::uint32_t id_of(std::uint32_t shape) const { return by_name_ ? dictionaries_.shape(shape).name : shape; }
  void follow(const Launch& launch);

  const trace::Dictionaries& dictionaries_;
  BusyClock busy_;
  std::deque<std::uint64_t> interruptions_;  // times at which recording stops, still to come
  std::uint32_t segment_ = 0;

  bool decided_ = false;
  std::vector<Launch> samples_;               // until decided
  std::vector<std::uint64_t> queue_time_ns_;  // of the samples, by queue

  std::uint64_t period_ = 0;  // 0: none
  std::uint32_t anchor_ = 0;
  std::uint32_t queue_ = 0;
  bool by_name_ = false;
  std::uint32_t anchor_shape_ = 0;
  std::optional<Mark> last_;
  std::uint64_t kernels_ = 0;  // followed so far
  std::uint64_t kernels_in_stream_ = 0;

  DurationCounts durations_;
  std::uint64_t idle_ns_ = 0;
  std::uint64_t step_kernels_ = 0;
};

}  // namespace gpuprof::timeline
