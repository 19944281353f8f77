// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "trace/column_reader.hpp"
#include "trace/frame_decoder.hpp"

namespace gpuprof::trace {

std::size_t count_varints(std::string_view column) {
  // Eight bytes at a time, because every byte of a file passes here. A multiplication adds the eight up in its highest
  // byte; not every x86-64 counts bits in one instruction.
  constexpr std::uint64_t kEveryByte = 0x0101010101010101U;
  std::size_t count = 0;
  for (; column.size() >= sizeof(std::uint64_t); column.remove_prefix(sizeof(std::uint64_t))) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, column.data(), sizeof(bytes));
    count += (~bytes >> 7 & kEveryByte) * kEveryByte >> 56;
  }
  for (const char byte : column) count += (static_cast<unsigned char>(byte) & 0x80U) == 0 ? 1 : 0;
  return count;
}

namespace {

std::uint64_t end_of(std::uint64_t start_ns, std::int64_t duration_ns) {
  return start_ns + static_cast<std::uint64_t>(duration_ns);
}

}  // namespace

void FrameDecoder::parse_kernels(std::string_view payload) {
  const MessageColumns<8> columns{payload};
  ColumnCursor start = columns.cursor(0);
  ColumnCursor duration = columns.cursor(1);
  ColumnCursor shape = columns.cursor(2);
  ColumnCursor version_1_queue = columns.cursor(3);
  ColumnCursor correlation = columns.cursor(4);
  ColumnCursor graph = columns.cursor(5);
  ColumnCursor node = columns.cursor(6);
  ColumnCursor queue = columns.cursor(7);
  const bool version_1 = columns.has(3);
  const std::size_t shapes = dictionaries_.shape_count();
  const std::size_t queues = dictionaries_.queue_count();
  kernels_.resize(columns.records());
  for (Kernel& record : kernels_) {
    record.start_ns = start.delta();
    record.end_ns = end_of(record.start_ns, duration.signed_value());
    record.shape = shape.value32();
    record.queue = version_1 ? version_1_queue.value32() : queue.delta32();
    record.correlation = correlation.delta32();
    record.graph = graph.value32();
    record.graph_node = node.delta();
    require(record.shape < shapes && record.queue < queues);
  }
  require_at_end(start, duration, shape, version_1 ? version_1_queue : queue, correlation, graph, node);
}

void FrameDecoder::parse_api_calls(std::string_view payload) {
  const MessageColumns<6> columns{payload};
  ColumnCursor start = columns.cursor(0);
  ColumnCursor duration = columns.cursor(1);
  ColumnCursor function = columns.cursor(2);
  ColumnCursor thread = columns.cursor(3);
  ColumnCursor correlation = columns.cursor(4);
  ColumnCursor result = columns.cursor(5);
  const std::size_t strings = dictionaries_.string_count();
  api_calls_.resize(columns.records());
  for (ApiCall& record : api_calls_) {
    record.start_ns = start.delta();
    record.end_ns = end_of(record.start_ns, duration.signed_value());
    record.function = function.value32();
    record.thread = thread.delta32();
    record.correlation = correlation.delta32();
    record.result = result.value32();
    require(record.function < strings);
  }
  require_at_end(start, duration, function, thread, correlation, result);
}

void FrameDecoder::parse_copies(std::string_view payload) {
  const MessageColumns<11> columns{payload};
  ColumnCursor start = columns.cursor(0);
  ColumnCursor duration = columns.cursor(1);
  ColumnCursor bytes = columns.cursor(2);
  ColumnCursor queue = columns.cursor(3);
  ColumnCursor correlation = columns.cursor(4);
  ColumnCursor kind = columns.cursor(5);
  ColumnCursor source = columns.cursor(6);
  ColumnCursor destination = columns.cursor(7);
  ColumnCursor graph = columns.cursor(8);
  ColumnCursor source_device = columns.cursor(9);
  ColumnCursor destination_device = columns.cursor(10);
  copies_.resize(columns.records());
  for (Copy& record : copies_) {
    record.start_ns = start.delta();
    record.end_ns = end_of(record.start_ns, duration.signed_value());
    record.bytes = bytes.value();
    record.queue = queue.value32();
    record.correlation = correlation.delta32();
    record.kind = kind.value32();
    record.source = source.value32();
    record.destination = destination.value32();
    record.graph = graph.value32();
    record.source_device_plus_1 = source_device.value32();
    record.destination_device_plus_1 = destination_device.value32();
    require(record.queue < dictionaries_.queue_count());
  }
  require_at_end(start, duration, bytes, queue, correlation, kind, source, destination, graph, source_device,
                 destination_device);
}

void FrameDecoder::parse_sets(std::string_view payload) {
  const MessageColumns<7> columns{payload};
  ColumnCursor start = columns.cursor(0);
  ColumnCursor duration = columns.cursor(1);
  ColumnCursor bytes = columns.cursor(2);
  ColumnCursor queue = columns.cursor(3);
  ColumnCursor correlation = columns.cursor(4);
  ColumnCursor memory = columns.cursor(5);
  ColumnCursor graph = columns.cursor(6);
  sets_.resize(columns.records());
  for (Set& record : sets_) {
    record.start_ns = start.delta();
    record.end_ns = end_of(record.start_ns, duration.signed_value());
    record.bytes = bytes.value();
    record.queue = queue.value32();
    record.correlation = correlation.delta32();
    record.memory = memory.value32();
    record.graph = graph.value32();
    require(record.queue < dictionaries_.queue_count());
  }
  require_at_end(start, duration, bytes, queue, correlation, memory, graph);
}

void FrameDecoder::parse_synchronizations(std::string_view payload) {
  const MessageColumns<7> columns{payload};
  ColumnCursor start = columns.cursor(0);
  ColumnCursor duration = columns.cursor(1);
  ColumnCursor type = columns.cursor(2);
  ColumnCursor context = columns.cursor(3);
  ColumnCursor stream = columns.cursor(4);
  ColumnCursor correlation = columns.cursor(5);
  ColumnCursor event = columns.cursor(6);
  synchronizations_.resize(columns.records());
  for (Synchronization& record : synchronizations_) {
    record.start_ns = start.delta();
    record.end_ns = end_of(record.start_ns, duration.signed_value());
    record.type = type.value32();
    record.context = context.value32();
    record.stream = stream.value32();
    record.correlation = correlation.delta32();
    record.event = event.value32();
  }
  require_at_end(start, duration, type, context, stream, correlation, event);
}

void FrameDecoder::parse_overheads(std::string_view payload) {
  const MessageColumns<4> columns{payload};
  ColumnCursor start = columns.cursor(0);
  ColumnCursor duration = columns.cursor(1);
  ColumnCursor kind = columns.cursor(2);
  ColumnCursor thread = columns.cursor(3);
  overheads_.resize(columns.records());
  for (Overhead& record : overheads_) {
    record.start_ns = start.delta();
    record.end_ns = end_of(record.start_ns, duration.signed_value());
    record.kind = kind.value32();
    record.thread = thread.value32();
  }
  require_at_end(start, duration, kind, thread);
}

}  // namespace gpuprof::trace
