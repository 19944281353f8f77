// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// Batches other than those of every CUDA program: graphs as a whole, compilation, memory, NVTX, telemetry.

#include "trace/column_reader.hpp"
#include "trace/frame_decoder.hpp"

namespace gpuprof::trace {
namespace {

std::uint64_t end_of(std::uint64_t start_ns, std::int64_t duration_ns) {
  return start_ns + static_cast<std::uint64_t>(duration_ns);
}

}  // namespace

void FrameDecoder::parse_graph_executions(std::string_view payload) {
  const MessageColumns<5> columns{payload};
  ColumnCursor start = columns.cursor(0);
  ColumnCursor duration = columns.cursor(1);
  ColumnCursor queue = columns.cursor(2);
  ColumnCursor correlation = columns.cursor(3);
  ColumnCursor graph = columns.cursor(4);
  graph_executions_.resize(columns.records());
  for (GraphExecution& record : graph_executions_) {
    record.start_ns = start.delta();
    record.end_ns = end_of(record.start_ns, duration.signed_value());
    record.queue = queue.delta32();
    record.correlation = correlation.delta32();
    record.graph = graph.delta32();
    require(record.queue < dictionaries_.queue_count());
  }
  require_at_end(start, duration, queue, correlation, graph);
}

void FrameDecoder::parse_jits(std::string_view payload) {
  const MessageColumns<6> columns{payload};
  ColumnCursor start = columns.cursor(0);
  ColumnCursor duration = columns.cursor(1);
  ColumnCursor entry = columns.cursor(2);
  ColumnCursor operation = columns.cursor(3);
  ColumnCursor thread = columns.cursor(4);
  ColumnCursor correlation = columns.cursor(5);
  jits_.resize(columns.records());
  for (Jit& record : jits_) {
    record.start_ns = start.delta();
    record.end_ns = end_of(record.start_ns, duration.signed_value());
    record.entry = entry.value32();
    record.operation = operation.value32();
    record.thread = thread.delta32();
    record.correlation = correlation.delta32();
  }
  require_at_end(start, duration, entry, operation, thread, correlation);
}

void FrameDecoder::parse_memory_events(std::string_view payload) {
  const MessageColumns<8> columns{payload};
  ColumnCursor time = columns.cursor(0);
  ColumnCursor bytes = columns.cursor(1);
  ColumnCursor address = columns.cursor(2);
  ColumnCursor pool = columns.cursor(3);
  ColumnCursor operation = columns.cursor(4);
  ColumnCursor kind = columns.cursor(5);
  ColumnCursor queue = columns.cursor(6);
  ColumnCursor correlation = columns.cursor(7);
  memory_events_.resize(columns.records());
  for (MemoryEvent& record : memory_events_) {
    record.time_ns = time.delta();
    record.bytes = bytes.value();
    record.address = address.delta();
    record.pool = pool.delta();
    record.operation = operation.value32();
    record.kind = kind.value32();
    record.queue = queue.delta32();
    record.correlation = correlation.delta32();
    require(record.queue < dictionaries_.queue_count());
  }
  require_at_end(time, bytes, address, pool, operation, kind, queue, correlation);
}

void FrameDecoder::parse_memory_pool_events(std::string_view payload) {
  const MessageColumns<7> columns{payload};
  ColumnCursor time = columns.cursor(0);
  ColumnCursor address = columns.cursor(1);
  ColumnCursor size = columns.cursor(2);
  ColumnCursor used = columns.cursor(3);
  ColumnCursor operation = columns.cursor(4);
  ColumnCursor type = columns.cursor(5);
  ColumnCursor device = columns.cursor(6);
  memory_pool_events_.resize(columns.records());
  for (MemoryPoolEvent& record : memory_pool_events_) {
    record.time_ns = time.delta();
    record.address = address.delta();
    record.size_bytes = size.value();
    record.used_bytes = used.value();
    record.operation = operation.value32();
    record.type = type.value32();
    record.device = device.value32();
  }
  require_at_end(time, address, size, used, operation, type, device);
}

void FrameDecoder::parse_unified_memory(std::string_view payload) {
  const MessageColumns<7> columns{payload};
  ColumnCursor start = columns.cursor(0);
  ColumnCursor duration = columns.cursor(1);
  ColumnCursor value = columns.cursor(2);
  ColumnCursor address = columns.cursor(3);
  ColumnCursor kind = columns.cursor(4);
  ColumnCursor source = columns.cursor(5);
  ColumnCursor destination = columns.cursor(6);
  unified_memory_.resize(columns.records());
  for (UnifiedMemory& record : unified_memory_) {
    record.start_ns = start.delta();
    record.end_ns = end_of(record.start_ns, duration.signed_value());
    record.value = value.value();
    record.address = address.delta();
    record.kind = kind.value32();
    record.source = source.value32();
    record.destination = destination.value32();
  }
  require_at_end(start, duration, value, address, kind, source, destination);
}

void FrameDecoder::parse_nvtx_events(std::string_view payload) {
  const MessageColumns<10> columns{payload};
  ColumnCursor time = columns.cursor(0);
  ColumnCursor kind = columns.cursor(1);
  ColumnCursor thread = columns.cursor(2);
  ColumnCursor name = columns.cursor(3);
  ColumnCursor domain = columns.cursor(4);
  ColumnCursor range = columns.cursor(5);
  ColumnCursor category = columns.cursor(6);
  ColumnCursor color = columns.cursor(7);
  ColumnCursor payload_type = columns.cursor(8);
  ColumnCursor payload_value = columns.cursor(9);
  const std::size_t strings = dictionaries_.string_count();
  nvtx_events_.resize(columns.records());
  for (NvtxEvent& record : nvtx_events_) {
    record.time_ns = time.delta();
    record.kind = static_cast<NvtxKind>(kind.value32());
    record.thread = thread.delta32();
    record.name = name.value32();
    record.domain = domain.delta32();
    record.range = range.delta();
    record.category = category.value32();
    record.color = color.value32();
    record.payload_type = static_cast<NvtxPayload>(payload_type.value32());
    record.payload = payload_value.value();
    require(record.name < strings && record.domain < strings);
    require(record.kind <= NvtxKind::mark && record.payload_type <= NvtxPayload::real);
  }
  require_at_end(time, kind, thread, name, domain, range, category, color, payload_type, payload_value);
}

void FrameDecoder::parse_telemetry_samples(std::string_view payload) {
  const MessageColumns<15> columns{payload};
  ColumnCursor time = columns.cursor(0);
  ColumnCursor device = columns.cursor(1);
  ColumnCursor missing = columns.cursor(2);
  ColumnCursor sm_clock = columns.cursor(3);
  ColumnCursor memory_clock = columns.cursor(4);
  ColumnCursor power = columns.cursor(5);
  ColumnCursor temperature = columns.cursor(6);
  ColumnCursor gpu_utilization = columns.cursor(7);
  ColumnCursor memory_utilization = columns.cursor(8);
  ColumnCursor memory_used = columns.cursor(9);
  ColumnCursor pcie_tx = columns.cursor(10);
  ColumnCursor pcie_rx = columns.cursor(11);
  ColumnCursor throttle = columns.cursor(12);
  ColumnCursor corrected = columns.cursor(13);
  ColumnCursor uncorrected = columns.cursor(14);
  telemetry_samples_.resize(columns.records());
  for (TelemetrySample& record : telemetry_samples_) {
    record.time_ns = time.delta();
    record.device = device.value32();
    record.missing = missing.value32();
    record.sm_clock_mhz = sm_clock.value32();
    record.memory_clock_mhz = memory_clock.value32();
    record.power_mw = power.value32();
    record.temperature_c = temperature.value32();
    record.gpu_utilization_pct = gpu_utilization.value32();
    record.memory_utilization_pct = memory_utilization.value32();
    record.memory_used_bytes = memory_used.value();
    record.pcie_tx_bytes_per_second = pcie_tx.value();
    record.pcie_rx_bytes_per_second = pcie_rx.value();
    record.throttle_reasons = throttle.value();
    record.ecc_corrected = corrected.value();
    record.ecc_uncorrected = uncorrected.value();
  }
  require_at_end(time, device, missing, sm_clock, memory_clock, power, temperature, gpu_utilization, memory_utilization,
                 memory_used, pcie_tx, pcie_rx, throttle, corrected, uncorrected);
}

}  // namespace gpuprof::trace
