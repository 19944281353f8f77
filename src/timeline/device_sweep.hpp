// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How one process used its devices over time: what ran side by side, why nothing computed, how long launches took and
// how much work waited. One sweep over the events in time order, linear in their number. Memory does not depend on it.

#include <cstdint>
#include <memory>
#include <vector>

#include "gpuprof/timeline.hpp"
#include "trace/event_stream.hpp"

namespace gpuprof::timeline {

class DeviceSweep : public trace::EventVisitor {
 public:
  using trace::EventVisitor::on;

  // Both are read while events arrive: they have to be complete before the first event, as read_events makes them.
  DeviceSweep(const trace::Dictionaries& dictionaries, const trace::EventSpan& span);
  ~DeviceSweep() override;
  DeviceSweep(const DeviceSweep&) = delete;
  DeviceSweep& operator=(const DeviceSweep&) = delete;

  void on(const trace::Operation& operation) override;
  void on(const trace::ApiCall& call) override;
  void on(const trace::NvtxEvent& event) override;
  void on(const trace::CapturePhase& phase) override;

  // One row for each device with an operation, by ordinal. The caller fills in pid and rank. To be called once, after
  // the last event.
  std::vector<DeviceTimeline> take();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gpuprof::timeline
