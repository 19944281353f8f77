// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/device_sweep.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>

#include "timeline/device_front.hpp"
#include "timeline/idle_attribution.hpp"
#include "timeline/thread_history.hpp"

namespace gpuprof::timeline {
namespace {

// The answer of a predicate on names, asked once for each id.
class NameTest {
 public:
  NameTest(const trace::Dictionaries& dictionaries, bool (*predicate)(std::string_view))
      : dictionaries_(dictionaries), predicate_(predicate) {}

  bool operator()(std::uint32_t id) {
    while (answers_.size() <= id) {
      answers_.push_back(predicate_(dictionaries_.string(static_cast<std::uint32_t>(answers_.size()))) ? 1 : 0);
    }
    return answers_[id] != 0;
  }

 private:
  const trace::Dictionaries& dictionaries_;
  bool (*predicate_)(std::string_view);
  std::vector<std::uint8_t> answers_;
};

// CUPTI gives this where an operation has no device: a graph that begins on the host.
constexpr std::uint32_t kNoDevice = 0xffffffff;

}  // namespace

class DeviceSweep::Impl {
 public:
  Impl(const trace::Dictionaries& dictionaries, const trace::EventSpan& span)
      : dictionaries_(dictionaries),
        span_(span),
        waits_(dictionaries, waits_for_device),
        input_(dictionaries, is_input_range),
        communicates_(dictionaries, is_communication_kernel) {}

  void on(const trace::Operation& operation) {
    DeviceFront* front = front_of(operation.queue);
    if (front == nullptr) return;
    front->add(operation, work_of(operation), operation.launch != nullptr ? find(operation.launch->thread) : nullptr);
  }

  void on(const trace::ApiCall& call) {
    if (!waits_(call.function)) return;
    IntervalHistory& waits = threads_[call.thread].waits;
    if (waits.full()) waits.forget_before(oldest_front_ns());
    waits.add({call.start_ns, call.end_ns, call.function});
  }

  void on(const trace::NvtxEvent& event) {
    if (event.kind != trace::NvtxKind::push && event.kind != trace::NvtxKind::pop) return;
    ThreadHistory& thread = threads_[event.thread];
    if (event.kind == trace::NvtxKind::pop) {
      thread.pop(event);
      return;
    }
    if (thread.input.full()) thread.input.forget_before(oldest_front_ns());
    thread.push(event, input_(event.name));
  }

  void on(const trace::CapturePhase& phase) { capture_.add(phase); }

  std::vector<DeviceTimeline> take() {
    std::vector<DeviceTimeline> rows;
    for (auto& [device, front] : fronts_) rows.push_back(front->finish(span_.last_ns, dictionaries_));
    return rows;
  }

 private:
  // Null when the operation has no device. Devices without an operation get no front, and no row.
  DeviceFront* front_of(std::uint32_t queue) {
    if (by_queue_.size() <= queue) by_queue_.resize(dictionaries_.queue_count());
    DeviceFront*& known = by_queue_[queue];
    const std::uint32_t device = known == nullptr ? dictionaries_.queue(queue).device : kNoDevice;
    if (device == kNoDevice) return known;
    std::unique_ptr<DeviceFront>& front = fronts_[device];
    if (!front) front = std::make_unique<DeviceFront>(device, span_.first_ns, capture_);
    return known = front.get();
  }

  WorkClass work_of(const trace::Operation& operation) {
    switch (operation.kind) {
      case trace::OperationKind::copy:
      case trace::OperationKind::set:
        return WorkClass::copy;
      case trace::OperationKind::kernel:
        return communicates_(dictionaries_.shape(operation.shape).name) ? WorkClass::communication : WorkClass::compute;
      case trace::OperationKind::graph:
        break;
    }
    return WorkClass::compute;
  }

  const ThreadHistory* find(std::uint32_t thread) {
    // Nearly always the thread of the operation before. Elements of the map stay where they are.
    if (newest_thread_ == nullptr || newest_thread_id_ != thread) {
      const auto found = threads_.find(thread);
      newest_thread_ = found != threads_.end() ? &found->second : nullptr;
      newest_thread_id_ = thread;
    }
    return newest_thread_;
  }

  std::uint64_t oldest_front_ns() const {
    std::uint64_t oldest_ns = fronts_.empty() ? 0 : ~std::uint64_t{0};
    for (const auto& [device, front] : fronts_) oldest_ns = std::min(oldest_ns, front->front_ns());
    return oldest_ns;
  }

  const trace::Dictionaries& dictionaries_;
  const trace::EventSpan& span_;
  NameTest waits_;
  NameTest input_;
  NameTest communicates_;
  CaptureTimes capture_;
  std::map<std::uint32_t, std::unique_ptr<DeviceFront>> fronts_;  // by device
  std::vector<DeviceFront*> by_queue_;
  std::unordered_map<std::uint32_t, ThreadHistory> threads_;
  const ThreadHistory* newest_thread_ = nullptr;
  std::uint32_t newest_thread_id_ = 0;
};

DeviceSweep::DeviceSweep(const trace::Dictionaries& dictionaries, const trace::EventSpan& span)
    : impl_(std::make_unique<Impl>(dictionaries, span)) {}

DeviceSweep::~DeviceSweep() = default;

void DeviceSweep::on(const trace::Operation& operation) {
  impl_->on(operation);
}

void DeviceSweep::on(const trace::ApiCall& call) {
  impl_->on(call);
}

void DeviceSweep::on(const trace::NvtxEvent& event) {
  impl_->on(event);
}

void DeviceSweep::on(const trace::CapturePhase& phase) {
  impl_->on(phase);
}

std::vector<DeviceTimeline> DeviceSweep::take() {
  return impl_->take();
}

}  // namespace gpuprof::timeline
