// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/encode.hpp"

#include <array>
#include <protozero/pbf_writer.hpp>
#include <vector>

namespace gpuprof::trace {
namespace {

using protozero::pbf_writer;

// Field `tag`: a MetricGroup for each group. Built apart, because protozero drops a nested message that stays empty and
// the groups after it would move up.
void add_groups(pbf_writer& message, protozero::pbf_tag_type tag, const std::vector<std::vector<std::string>>& groups) {
  for (const std::vector<std::string>& group : groups) {
    std::string payload;
    pbf_writer metrics{payload};
    for (const std::string& metric : group) metrics.add_bytes(1, metric);
    message.add_message(tag, payload);
  }
}

void add_dim(pbf_writer& message, protozero::pbf_tag_type tag, const Dim3& dim) {
  const std::array<std::uint32_t, 3> values{dim.x, dim.y, dim.z};
  message.add_packed_uint32(tag, values.begin(), values.end());
}

}  // namespace

std::string encode(const ProcessInfo& record) {
  std::string payload;
  pbf_writer message{payload};
  message.add_uint32(1, record.pid);
  message.add_uint32(2, record.parent_pid);
  message.add_uint64(3, record.start_ticks);
  message.add_bytes(4, record.executable);
  for (const std::string& argument : record.arguments) message.add_bytes(5, argument);
  message.add_bytes(6, record.hostname);
  message.add_bytes(7, record.stage);
  message.add_bytes(8, record.collector_version);
  message.add_uint64(9, record.time_ns);
  for (const std::string& label : record.labels) message.add_bytes(10, label);
  return payload;
}

std::string encode(const CuptiInfo& record) {
  std::string payload;
  pbf_writer message{payload};
  message.add_bytes(1, record.path);
  message.add_uint32(2, record.version);
  return payload;
}

std::string encode(const Device& record) {
  std::string payload;
  pbf_writer message{payload};
  message.add_uint32(1, record.id);
  message.add_bytes(2, record.name);
  message.add_bytes(3, record.chip);
  message.add_bytes(4, record.uuid);
  message.add_uint32(5, record.compute_major);
  message.add_uint32(6, record.compute_minor);
  message.add_uint32(7, record.sm_count);
  message.add_uint64(8, record.memory_bytes);
  message.add_uint64(9, record.l2_bytes);
  message.add_uint64(10, record.peak_dram_bytes_per_second);
  message.add_uint32(11, record.max_sm_clock_khz);
  return payload;
}

std::string encode(const ClockSample& record) {
  std::string payload;
  pbf_writer message{payload};
  message.add_uint64(1, record.cupti_ns);
  message.add_uint64(2, record.realtime_ns);
  message.add_uint64(3, record.monotonic_ns);
  return payload;
}

std::string encode(const LedgerSample& record) {
  std::string payload;
  pbf_writer message{payload};
  message.add_uint64(1, record.kernel_launches);
  message.add_uint64(2, record.graph_launches);
  message.add_uint64(3, record.graph_kernel_nodes);
  message.add_uint64(4, record.graphs_of_unknown_size);
  message.add_uint64(5, record.kernel_records);
  message.add_uint64(6, record.profiler_kernels);
  message.add_uint64(7, record.dropped_by_cupti);
  message.add_uint64(9, record.buffers_completed);
  message.add_uint64(10, record.foreign_buffers);
  message.add_uint64(11, record.uncaptured_kernel_launches);
  message.add_uint64(12, record.uncaptured_graph_launches);
  message.add_uint64(13, record.uncaptured_graph_kernels);
  message.add_uint64(14, record.graph_executions);
  message.add_uint64(15, record.kernels_overwritten);
  message.add_uint64(16, record.nvtx_events);
  message.add_uint64(17, record.nvtx_dropped);
  return payload;
}

std::string encode(const NoticeRecord& record) {
  std::string payload;
  pbf_writer message{payload};
  message.add_uint32(1, static_cast<std::uint32_t>(record.code));
  message.add_uint64(2, record.time_ns);
  message.add_bytes(3, record.detail);
  return payload;
}

std::string encode(const ProcessEndRecord& record) {
  std::string payload;
  pbf_writer message{payload};
  message.add_uint64(1, record.time_ns);
  message.add_uint32(2, record.signal);
  return payload;
}

std::string encode(const CounterPlan& record) {
  std::string payload;
  pbf_writer message{payload};
  add_groups(message, 1, record.groups);
  for (const CounterPlan::Kernel& kernel : record.kernels) {
    pbf_writer planned{message, 2};
    planned.add_bytes(1, kernel.mangled_name);
    add_dim(planned, 2, kernel.grid);
    add_dim(planned, 3, kernel.block);
    planned.add_uint32(4, kernel.dynamic_shared_bytes);
  }
  message.add_uint32(3, record.samples);
  message.add_uint32(4, record.window_launches);
  message.add_bool(5, record.graphs);
  return payload;
}

std::string encode(const CounterGroups& record) {
  std::string payload;
  pbf_writer message{payload};
  message.add_uint32(1, record.device);
  message.add_bytes(2, record.chip);
  add_groups(message, 3, record.groups);
  return payload;
}

std::string encode(const CounterWindow& record) {
  std::string payload;
  pbf_writer message{payload};
  message.add_uint32(1, record.device);
  message.add_uint32(2, record.context);
  message.add_uint32(3, record.group);
  message.add_uint64(4, record.start_ns);
  message.add_uint64(5, record.end_ns);
  message.add_uint32(6, record.ranges_delivered);
  message.add_bool(7, record.discarded);
  message.add_uint32(8, record.graph);
  message.add_packed_uint32(9, record.launches.begin(), record.launches.end());
  message.add_packed_double(10, record.values.begin(), record.values.end());
  message.add_uint32(11, record.warm_up_launches);
  return payload;
}

std::string encode(const ThreadName& record) {
  std::string payload;
  pbf_writer message{payload};
  message.add_uint32(1, record.thread);
  message.add_bytes(2, record.name);
  return payload;
}

std::string encode(const NvtxCategory& record) {
  std::string payload;
  pbf_writer message{payload};
  message.add_bytes(1, record.domain);
  message.add_uint32(2, record.id);
  message.add_bytes(3, record.name);
  return payload;
}

std::string encode(const Context& record) {
  std::string payload;
  pbf_writer message{payload};
  message.add_uint32(1, record.id);
  message.add_uint32(2, record.device);
  message.add_uint32(3, record.null_stream);
  return payload;
}

std::string encode(const Stream& record) {
  std::string payload;
  pbf_writer message{payload};
  message.add_uint32(1, record.context);
  message.add_uint32(2, record.id);
  message.add_sint32(3, record.priority);
  message.add_uint32(4, record.flags);
  return payload;
}

std::string encode(const CapturePhase& record) {
  std::string payload;
  pbf_writer message{payload};
  message.add_uint64(1, record.time_ns);
  message.add_bool(2, record.on);
  message.add_uint32(3, static_cast<std::uint32_t>(record.reason));
  return payload;
}

std::string encode(const LaunchCounts& record) {
  std::string payload;
  pbf_writer message{payload};
  message.add_packed_uint32(1, record.shapes.begin(), record.shapes.end());
  message.add_packed_uint64(2, record.launches.begin(), record.launches.end());
  return payload;
}

std::string encode(const TelemetryDevice& record) {
  std::string payload;
  pbf_writer message{payload};
  message.add_uint32(1, record.index);
  message.add_bytes(2, record.name);
  message.add_bytes(3, record.uuid);
  message.add_uint32(4, record.max_sm_clock_mhz);
  message.add_uint32(5, record.power_limit_mw);
  return payload;
}

std::string encode(const TelemetryXid& record) {
  std::string payload;
  pbf_writer message{payload};
  message.add_uint64(1, record.time_ns);
  message.add_uint32(2, record.device);
  message.add_uint64(3, record.xid);
  return payload;
}

}  // namespace gpuprof::trace
