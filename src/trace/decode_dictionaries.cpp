// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "trace/column_reader.hpp"
#include "trace/frame_decoder.hpp"

namespace gpuprof::trace {
namespace {

Dim3 next_dim(ColumnCursor& cursor) {
  Dim3 dim;
  dim.x = cursor.value32();
  dim.y = cursor.value32();
  dim.z = cursor.value32();
  return dim;
}

// The value of field 1, which all dictionary messages begin with.
std::uint32_t first_id(std::string_view payload) {
  std::uint32_t id = 0;
  protozero::pbf_reader message{payload.data(), payload.size()};
  while (message.next(1, protozero::pbf_wire_type::varint)) id = message.get_uint32();
  return id;
}

}  // namespace

void FrameDecoder::decode_strings(std::string_view payload) {
  require(first_id(payload) == dictionaries_.string_count());
  std::vector<std::string> strings;
  protozero::pbf_reader message{payload.data(), payload.size()};
  while (message.next(2, protozero::pbf_wire_type::length_delimited)) {
    require(strings.size() < kMaxFrameRecords);
    strings.push_back(message.get_bytes());
  }
  for (std::string& string : strings) dictionaries_.strings_.push_back(std::move(string));
}

void FrameDecoder::decode_shapes(std::string_view payload) {
  require(first_id(payload) == dictionaries_.shape_count());
  const MessageColumns<9> columns{payload, 2};
  ColumnCursor name = columns.cursor(0);
  ColumnCursor grid = columns.cursor(1, 3);
  ColumnCursor block = columns.cursor(2, 3);
  ColumnCursor cluster = columns.cursor(3, 3);
  ColumnCursor static_shared = columns.cursor(4);
  ColumnCursor dynamic_shared = columns.cursor(5);
  ColumnCursor registers = columns.cursor(6);
  ColumnCursor local = columns.cursor(7);
  ColumnCursor launch_type = columns.cursor(8);
  std::vector<KernelShape> shapes(columns.records());
  for (KernelShape& shape : shapes) {
    shape.name = name.value32();
    shape.grid = next_dim(grid);
    shape.block = next_dim(block);
    if (columns.has(3)) shape.cluster = next_dim(cluster);
    shape.static_shared_bytes = static_shared.value32();
    shape.dynamic_shared_bytes = dynamic_shared.value32();
    shape.registers_per_thread = registers.value32();
    shape.local_bytes_per_thread = local.value32();
    shape.launch_type = launch_type.value32();
    require(shape.name < dictionaries_.string_count());
  }
  require_at_end(name, grid, block, cluster, static_shared, dynamic_shared, registers, local, launch_type);
  dictionaries_.shapes_.insert(dictionaries_.shapes_.end(), shapes.begin(), shapes.end());
}

void FrameDecoder::decode_queues(std::string_view payload) {
  require(first_id(payload) == dictionaries_.queue_count());
  const MessageColumns<3> columns{payload, 2};
  ColumnCursor device = columns.cursor(0);
  ColumnCursor context = columns.cursor(1);
  ColumnCursor stream = columns.cursor(2);
  std::vector<Queue> queues(columns.records());
  for (Queue& queue : queues) {
    queue.device = device.value32();
    queue.context = context.value32();
    queue.stream = stream.value32();
  }
  require_at_end(device, context, stream);
  dictionaries_.queues_.insert(dictionaries_.queues_.end(), queues.begin(), queues.end());
}

}  // namespace gpuprof::trace
