// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/decode.hpp"

#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

#include "trace/column_reader.hpp"

namespace gpuprof::trace {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

pbf_reader reader_of(std::string_view payload) {
  return pbf_reader{payload.data(), payload.size()};
}

std::string_view as_string_view(const protozero::data_view& view) {
  return {view.data(), view.size()};
}

// Reads a message field by field. Each overload of on() takes field `tag` if it is the current one and has the wire
// type that the target needs; done() skips what nobody took.
class Fields {
 public:
  explicit Fields(std::string_view payload) : reader_(reader_of(payload)) {}

  bool next() {
    if (pending_) reader_.skip();
    pending_ = reader_.next();
    return pending_;
  }

  Fields& on(std::uint32_t tag, std::uint32_t& target) {
    if (take(tag, pbf_wire_type::varint)) target = reader_.get_uint32();
    return *this;
  }
  Fields& on(std::uint32_t tag, std::uint64_t& target) {
    if (take(tag, pbf_wire_type::varint)) target = reader_.get_uint64();
    return *this;
  }
  Fields& on_signed(std::uint32_t tag, std::int32_t& target) {
    if (take(tag, pbf_wire_type::varint)) target = reader_.get_sint32();
    return *this;
  }
  Fields& on(std::uint32_t tag, bool& target) {
    if (take(tag, pbf_wire_type::varint)) target = reader_.get_uint64() != 0;
    return *this;
  }
  Fields& on(std::uint32_t tag, std::string& target) {
    if (take(tag, pbf_wire_type::length_delimited)) target = reader_.get_bytes();
    return *this;
  }
  Fields& on(std::uint32_t tag, std::vector<std::string>& target) {
    if (take(tag, pbf_wire_type::length_delimited)) target.push_back(reader_.get_bytes());
    return *this;
  }
  Fields& on(std::uint32_t tag, Dim3& target) {
    if (!take(tag, pbf_wire_type::length_delimited)) return *this;
    const std::string_view column = as_string_view(reader_.get_view());
    require(count_varints(column) == 3);
    ColumnCursor cursor{column};
    target.x = cursor.value32();
    target.y = cursor.value32();
    target.z = cursor.value32();
    require(cursor.at_end());
    return *this;
  }
  // Lists of metric names, one MetricGroup each.
  Fields& on(std::uint32_t tag, std::vector<std::vector<std::string>>& target) {
    if (!take(tag, pbf_wire_type::length_delimited)) return *this;
    Fields group{as_string_view(reader_.get_view())};
    std::vector<std::string> metrics;
    while (group.next()) group.on(1, metrics);
    target.push_back(std::move(metrics));
    return *this;
  }
  Fields& on(std::uint32_t tag, std::vector<std::uint32_t>& target) {
    if (!take(tag, pbf_wire_type::length_delimited)) return *this;
    for (const std::uint32_t value : reader_.get_packed_uint32()) target.push_back(value);
    return *this;
  }
  Fields& on(std::uint32_t tag, std::vector<std::uint64_t>& target) {
    if (!take(tag, pbf_wire_type::length_delimited)) return *this;
    for (const std::uint64_t value : reader_.get_packed_uint64()) target.push_back(value);
    return *this;
  }
  Fields& on(std::uint32_t tag, std::vector<double>& target) {
    if (!take(tag, pbf_wire_type::length_delimited)) return *this;
    for (const double value : reader_.get_packed_double()) target.push_back(value);
    return *this;
  }
  Fields& on(std::uint32_t tag, std::vector<CounterPlan::Kernel>& target) {
    if (!take(tag, pbf_wire_type::length_delimited)) return *this;
    Fields fields{as_string_view(reader_.get_view())};
    CounterPlan::Kernel kernel;
    while (fields.next()) {
      fields.on(1, kernel.mangled_name).on(2, kernel.grid).on(3, kernel.block).on(4, kernel.dynamic_shared_bytes);
    }
    target.push_back(std::move(kernel));
    return *this;
  }

 private:
  bool take(std::uint32_t tag, pbf_wire_type type) {
    if (!pending_ || reader_.tag() != tag || reader_.wire_type() != type) return false;
    pending_ = false;
    return true;
  }

  pbf_reader reader_;
  bool pending_ = false;
};

}  // namespace

ProcessInfo decode_process_info(std::string_view payload) {
  ProcessInfo record;
  Fields fields{payload};
  while (fields.next()) {
    fields.on(1, record.pid).on(2, record.parent_pid).on(3, record.start_ticks).on(4, record.executable);
    fields.on(5, record.arguments).on(6, record.hostname).on(7, record.stage).on(8, record.collector_version);
    fields.on(9, record.time_ns).on(10, record.labels);
  }
  return record;
}

CuptiInfo decode_cupti_info(std::string_view payload) {
  CuptiInfo record;
  Fields fields{payload};
  while (fields.next()) fields.on(1, record.path).on(2, record.version);
  return record;
}

Device decode_device(std::string_view payload) {
  Device record;
  Fields fields{payload};
  while (fields.next()) {
    fields.on(1, record.id).on(2, record.name).on(3, record.chip).on(4, record.uuid).on(5, record.compute_major);
    fields.on(6, record.compute_minor).on(7, record.sm_count).on(8, record.memory_bytes).on(9, record.l2_bytes);
    fields.on(10, record.peak_dram_bytes_per_second).on(11, record.max_sm_clock_khz);
  }
  return record;
}

ClockSample decode_clock_sample(std::string_view payload) {
  ClockSample record;
  Fields fields{payload};
  while (fields.next()) fields.on(1, record.cupti_ns).on(2, record.realtime_ns).on(3, record.monotonic_ns);
  return record;
}

LedgerSample decode_ledger(std::string_view payload) {
  LedgerSample record;
  Fields fields{payload};
  while (fields.next()) {
    fields.on(1, record.kernel_launches).on(2, record.graph_launches).on(3, record.graph_kernel_nodes);
    fields.on(4, record.graphs_of_unknown_size).on(5, record.kernel_records).on(6, record.profiler_kernels);
    fields.on(7, record.dropped_by_cupti).on(9, record.buffers_completed);
    fields.on(10, record.foreign_buffers).on(11, record.uncaptured_kernel_launches);
    fields.on(12, record.uncaptured_graph_launches).on(13, record.uncaptured_graph_kernels);
    fields.on(14, record.graph_executions).on(15, record.kernels_overwritten).on(16, record.nvtx_events);
    fields.on(17, record.nvtx_dropped);
  }
  return record;
}

NoticeRecord decode_notice(std::string_view payload) {
  NoticeRecord record;
  std::uint32_t code = 0;
  Fields fields{payload};
  while (fields.next()) fields.on(1, code).on(2, record.time_ns).on(3, record.detail);
  record.code = static_cast<NoticeCode>(code);
  return record;
}

ProcessEndRecord decode_process_end(std::string_view payload) {
  ProcessEndRecord record;
  Fields fields{payload};
  while (fields.next()) fields.on(1, record.time_ns).on(2, record.signal);
  return record;
}

CounterPlan decode_counter_plan(std::string_view payload) {
  CounterPlan record;
  // A field that is not in the message is 0, whatever the struct's default is.
  record.samples = 0;
  record.window_launches = 0;
  Fields fields{payload};
  while (fields.next()) {
    fields.on(1, record.groups).on(2, record.kernels).on(3, record.samples).on(4, record.window_launches);
    fields.on(5, record.graphs);
  }
  return record;
}

CounterGroups decode_counter_groups(std::string_view payload) {
  CounterGroups record;
  Fields fields{payload};
  while (fields.next()) fields.on(1, record.device).on(2, record.chip).on(3, record.groups);
  return record;
}

CounterWindow decode_counter_window(std::string_view payload) {
  CounterWindow record;
  Fields fields{payload};
  while (fields.next()) {
    fields.on(1, record.device).on(2, record.context).on(3, record.group).on(4, record.start_ns).on(5, record.end_ns);
    fields.on(6, record.ranges_delivered).on(7, record.discarded).on(8, record.graph).on(9, record.launches);
    fields.on(10, record.values).on(11, record.warm_up_launches);
  }
  return record;
}

ThreadName decode_thread_name(std::string_view payload) {
  ThreadName record;
  Fields fields{payload};
  while (fields.next()) fields.on(1, record.thread).on(2, record.name);
  return record;
}

NvtxCategory decode_nvtx_category(std::string_view payload) {
  NvtxCategory record;
  Fields fields{payload};
  while (fields.next()) fields.on(1, record.domain).on(2, record.id).on(3, record.name);
  return record;
}

Context decode_context(std::string_view payload) {
  Context record;
  Fields fields{payload};
  while (fields.next()) fields.on(1, record.id).on(2, record.device).on(3, record.null_stream);
  return record;
}

Stream decode_stream(std::string_view payload) {
  Stream record;
  Fields fields{payload};
  while (fields.next()) {
    fields.on(1, record.context).on(2, record.id).on_signed(3, record.priority).on(4, record.flags);
  }
  return record;
}

CapturePhase decode_capture_phase(std::string_view payload) {
  CapturePhase record;
  std::uint32_t reason = 0;
  Fields fields{payload};
  while (fields.next()) fields.on(1, record.time_ns).on(2, record.on).on(3, reason);
  record.reason = static_cast<CaptureReason>(reason);
  return record;
}

LaunchCounts decode_launch_counts(std::string_view payload) {
  LaunchCounts record;
  Fields fields{payload};
  while (fields.next()) fields.on(1, record.shapes).on(2, record.launches);
  require(record.shapes.size() == record.launches.size());
  return record;
}

TelemetryDevice decode_telemetry_device(std::string_view payload) {
  TelemetryDevice record;
  Fields fields{payload};
  while (fields.next()) {
    fields.on(1, record.index).on(2, record.name).on(3, record.uuid).on(4, record.max_sm_clock_mhz);
    fields.on(5, record.power_limit_mw);
  }
  return record;
}

TelemetryXid decode_telemetry_xid(std::string_view payload) {
  TelemetryXid record;
  Fields fields{payload};
  while (fields.next()) fields.on(1, record.time_ns).on(2, record.device).on(3, record.xid);
  return record;
}

}  // namespace gpuprof::trace
