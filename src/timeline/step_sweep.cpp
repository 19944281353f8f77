// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/step_sweep.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "timeline/sequence_period.hpp"

namespace gpuprof::timeline {

void StepSweep::on(const trace::CapturePhase& phase) {
  if (!phase.on) interruptions_.push_back(phase.time_ns);
}

void StepSweep::on(const trace::Operation& operation) {
  // Interruptions are host events, which come before the last operations they concern.
  while (!interruptions_.empty() && interruptions_.front() <= operation.start_ns) {
    interruptions_.pop_front();
    ++segment_;
  }
  busy_.add(operation);
  if (operation.kind != trace::OperationKind::kernel || (decided_ && period_ == 0)) return;
  const Launch launch{operation.start_ns, busy_.busy_until(operation.start_ns), operation.queue, operation.shape,
                      segment_};
  if (decided_) return follow(launch);
  if (operation.queue >= queue_time_ns_.size()) queue_time_ns_.resize(operation.queue + std::size_t{1});
  queue_time_ns_[operation.queue] += operation.end_ns - operation.start_ns;
  samples_.push_back(launch);
  if (samples_.size() >= kMaxSamples) decide();
}

std::vector<std::uint32_t> StepSweep::busiest_queues() const {
  std::vector<std::uint32_t> queues(queue_time_ns_.size());
  std::iota(queues.begin(), queues.end(), 0U);
  std::stable_sort(queues.begin(), queues.end(), [this](std::uint32_t left, std::uint32_t right) {
    return queue_time_ns_[left] > queue_time_ns_[right];
  });
  if (queues.size() > kMaxQueues) queues.resize(kMaxQueues);
  return queues;
}

bool StepSweep::decide_by(std::uint32_t queue, bool by_name) {
  by_name_ = by_name;
  std::vector<std::uint32_t> sequence;
  for (const Launch& launch : samples_) {
    if (launch.queue == queue) sequence.push_back(id_of(launch.shape));
  }
  const std::optional<Period> period = find_period(sequence);
  if (!period) return false;
  period_ = period->length;
  anchor_ = period->anchor;
  queue_ = queue;
  return true;
}

void StepSweep::decide() {
  decided_ = true;
  if (samples_.empty()) return;
  // The busiest stream may hold nothing but one kernel: collectives that wait for the other ranks.
  for (const std::uint32_t queue : busiest_queues()) {
    if (!decide_by(queue, false) && !decide_by(queue, true)) continue;
    for (const Launch& launch : samples_) follow(launch);
    break;
  }
  std::vector<Launch>().swap(samples_);
}

void StepSweep::follow(const Launch& launch) {
  const std::uint64_t kernel = kernels_++;
  if (launch.queue != queue_) return;
  const std::uint64_t in_stream = kernels_in_stream_++;
  if (id_of(launch.shape) != anchor_) return;
  anchor_shape_ = launch.shape;
  if (last_ && last_->launch.segment == launch.segment) {
    const std::uint64_t length = in_stream - last_->kernels_in_stream;
    if (2 * length >= period_ && length <= 2 * period_) {
      const std::uint64_t wall_ns = launch.start_ns - last_->launch.start_ns;
      durations_.add(wall_ns);
      idle_ns_ += wall_ns - std::min(wall_ns, launch.busy_ns - last_->launch.busy_ns);
      step_kernels_ += kernel - last_->kernels;
    }
  }
  last_ = Mark{launch, kernel, in_stream};
}

std::optional<StepReport> StepSweep::take() {
  if (!decided_) decide();
  if (period_ == 0 || durations_.count() == 0) return std::nullopt;
  StepReport report;
  report.source = "kernel_sequence";
  report.name = short_kernel_name(demangle(std::string(dictionaries_.string(dictionaries_.shape(anchor_shape_).name))));
  report.count = durations_.count();
  report.time = durations_.stats();
  report.mean_idle_ns = static_cast<double>(idle_ns_) / static_cast<double>(report.count);
  report.mean_kernels = static_cast<double>(step_kernels_) / static_cast<double>(report.count);
  return report;
}

}  // namespace gpuprof::timeline
