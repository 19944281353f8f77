// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/dictionary.hpp"

#include <algorithm>
#include <array>
#include <protozero/pbf_writer.hpp>
#include <span>

#include "trace/column.hpp"

namespace gpuprof::trace {
namespace {

constexpr std::size_t kStringFrameBytes = 1 << 20;

std::uint32_t frame_end(std::uint32_t first, std::uint32_t size) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(size, first + kMaxFrameRecords));
}

void append(Column& column, const Dim3& dim) {
  column.append(dim.x);
  column.append(dim.y);
  column.append(dim.z);
}

// Field 1: first_id, then one field for each column that holds anything.
std::string message_of(std::uint32_t first_id, std::span<const Column> columns) {
  std::string payload;
  protozero::pbf_writer message{payload};
  message.add_uint32(1, first_id);
  protozero::pbf_tag_type tag = 2;
  for (const Column& column : columns) {
    const std::string_view bytes = column.bytes();
    if (!bytes.empty()) message.add_bytes(tag, bytes.data(), bytes.size());
    ++tag;
  }
  return payload;
}

void leave_out_zeros(std::span<Column> columns) {
  for (Column& column : columns) {
    if (column.all_zero()) column.clear();
  }
}

}  // namespace

std::string encode(const StringTable& strings, std::uint32_t first, std::uint32_t& next) {
  std::string payload;
  protozero::pbf_writer message{payload};
  message.add_uint32(1, first);
  const std::uint32_t end = frame_end(first, strings.size());
  for (next = first; next < end && payload.size() < kStringFrameBytes; ++next) message.add_bytes(2, strings[next]);
  return payload;
}

std::string encode(const ShapeTable& shapes, std::uint32_t first, std::uint32_t& next) {
  std::array<Column, 9> columns;
  bool clusters = false;
  next = frame_end(first, shapes.size());
  for (std::uint32_t id = first; id < next; ++id) {
    const KernelShape& shape = shapes[id];
    columns[0].append(shape.name);
    append(columns[1], shape.grid);
    append(columns[2], shape.block);
    append(columns[3], shape.cluster);
    columns[4].append(shape.static_shared_bytes);
    columns[5].append(shape.dynamic_shared_bytes);
    columns[6].append(shape.registers_per_thread);
    columns[7].append(shape.local_bytes_per_thread);
    columns[8].append(shape.launch_type);
    clusters |= shape.cluster != Dim3{};
  }
  if (!clusters) columns[3].clear();
  leave_out_zeros(std::span{columns}.subspan(4));
  return message_of(first, columns);
}

std::string encode(const QueueTable& queues, std::uint32_t first, std::uint32_t& next) {
  std::array<Column, 3> columns;
  next = frame_end(first, queues.size());
  for (std::uint32_t id = first; id < next; ++id) {
    columns[0].append(queues[id].device);
    columns[1].append(queues[id].context);
    columns[2].append(queues[id].stream);
  }
  // The first column stays: its length is the number of entries.
  leave_out_zeros(std::span{columns}.subspan(1));
  return message_of(first, columns);
}

}  // namespace gpuprof::trace
