// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hand-made timelines for the device sweep: a trace file is written, read back in time order, and swept. Times are
// nanoseconds after the process's start.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gpuprof/timeline.hpp"
#include "support/trace_builder.hpp"
#include "timeline/device_sweep.hpp"

namespace gpuprof::test {

class SweepTrace {
 public:
  static constexpr std::uint64_t kStart = TraceBuilder::kStartNs;

  SweepTrace() : builder_(std::make_unique<TraceBuilder>(path())) { builder_->process(1); }

  // A call of `thread`. Returns its correlation.
  std::uint32_t call(std::string_view function, std::uint64_t start_ns, std::uint64_t end_ns,
                     std::uint32_t thread = 1) {
    writer().add(
        trace::ApiCall{kStart + start_ns, kStart + end_ns, writer().string_id(function), thread, ++correlation_, 0});
    return correlation_;
  }

  void kernel(std::uint64_t start_ns, std::uint64_t end_ns, std::uint32_t correlation = 0,
              std::string_view name = "gemm", std::uint32_t device = 0, std::uint32_t graph = 0) {
    trace::KernelShape shape;
    shape.name = writer().string_id(name);
    writer().add(trace::Kernel{kStart + start_ns, kStart + end_ns, writer().shape_id(shape),
                               writer().queue_id({device, 1, 7}), correlation, graph, 0});
  }

  void copy(std::uint64_t start_ns, std::uint64_t end_ns, std::uint32_t correlation = 0, std::uint32_t device = 0) {
    writer().add(trace::Copy{kStart + start_ns, kStart + end_ns, 64, writer().queue_id({device, 1, 8}), correlation, 1,
                             2, 3, 0});
  }

  void range(std::string_view name, std::uint64_t start_ns, std::uint64_t end_ns, std::uint32_t thread = 1,
             std::string_view domain = "") {
    push(name, start_ns, thread, domain);
    pop(end_ns, thread, domain);
  }
  void push(std::string_view name, std::uint64_t time_ns, std::uint32_t thread = 1, std::string_view domain = "") {
    nvtx(trace::NvtxKind::push, name, time_ns, thread, domain);
  }
  void pop(std::uint64_t time_ns, std::uint32_t thread = 1, std::string_view domain = "") {
    nvtx(trace::NvtxKind::pop, "", time_ns, thread, domain);
  }

  void capture(bool on, std::uint64_t time_ns) {
    writer().write(trace::CapturePhase{kStart + time_ns, on, trace::CaptureReason::share});
  }

  trace::Writer& writer() { return builder_->writer(); }

  // Ends the process at `end_ns` and sweeps; `also` gets every event too. To be called once.
  std::vector<DeviceTimeline> sweep(std::uint64_t end_ns, trace::EventVisitor* also = nullptr) {
    builder_->exit(end_ns);
    builder_.reset();
    trace::Dictionaries dictionaries;
    trace::EventSpan span;
    timeline::DeviceSweep sweep{dictionaries, span};
    trace::EventVisitor nothing;
    trace::EventFanOut both{{&sweep, also != nullptr ? also : &nothing}};
    trace::read_events(path(), dictionaries, both, nullptr, &span);
    return sweep.take();
  }

 private:
  std::string path() const { return folder_.file("1.trace"); }

  void nvtx(trace::NvtxKind kind, std::string_view name, std::uint64_t time_ns, std::uint32_t thread,
            std::string_view domain) {
    writer().add(trace::NvtxEvent{kStart + time_ns, kind, thread, writer().string_id(name), writer().string_id(domain),
                                  0, 0, 0, trace::NvtxPayload::none, 0});
  }

  TraceFolder folder_;
  std::unique_ptr<TraceBuilder> builder_;
  std::uint32_t correlation_ = 0;
};

// "cause/detail time gaps" for each, sorted by text.
inline std::vector<std::string> idle_lines(const DeviceTimeline& row) {
  std::vector<std::string> lines;
  for (const IdleTime& idle : row.idle) {
    lines.push_back(std::string(to_string(idle.cause)) + (idle.detail.empty() ? "" : "/" + idle.detail) + " " +
                    std::to_string(idle.time_ns) + " " + std::to_string(idle.gaps));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

// The two promises of every row.
inline bool adds_up(const DeviceTimeline& row) {
  const std::uint64_t parts = row.compute_ns + row.compute_and_copy_ns + row.compute_and_communication_ns +
                              row.communication_ns + row.communication_and_copy_ns + row.copy_ns + row.idle_ns;
  std::uint64_t causes = 0;
  for (const IdleTime& idle : row.idle) causes += idle.time_ns;
  return parts == row.wall_ns &&
         causes == row.communication_ns + row.copy_ns + row.communication_and_copy_ns + row.idle_ns;
}

}  // namespace gpuprof::test
