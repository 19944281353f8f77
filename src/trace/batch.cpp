// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/batch.hpp"

#include <protozero/pbf_writer.hpp>

namespace gpuprof::trace {
namespace {

std::int64_t duration(std::uint64_t start_ns, std::uint64_t end_ns) {
  return static_cast<std::int64_t>(end_ns - start_ns);
}

}  // namespace

template <std::size_t kColumns>
std::string Batch<kColumns>::take_payload() {
  std::size_t total = 0;
  for (const Column& column : columns_) total += column.bytes().size() + protozero::max_varint_length;
  std::string payload;
  payload.reserve(total);
  protozero::pbf_writer message{payload};
  for (std::size_t i = 0; i < kColumns; ++i) {
    const std::string_view bytes = columns_[i].bytes();
    if (i == 0 || !columns_[i].all_zero()) {
      message.add_bytes(static_cast<protozero::pbf_tag_type>(i + 1), bytes.data(), bytes.size());
    }
    columns_[i].clear();
  }
  records_ = 0;
  return payload;
}

template class Batch<4>;
template class Batch<6>;
template class Batch<7>;
template class Batch<9>;

void append(KernelBatch& batch, const Kernel& record) {
  auto& column = batch.next_record();
  column[0].put_delta(record.start_ns);
  column[1].put_signed(duration(record.start_ns, record.end_ns));
  column[2].put(record.shape);
  column[3].put(record.queue);
  column[4].put_delta(record.correlation);
  column[5].put(record.graph);
  column[6].put_delta(record.graph_node);
}

void append(ApiCallBatch& batch, const ApiCall& record) {
  auto& column = batch.next_record();
  column[0].put_delta(record.start_ns);
  column[1].put_signed(duration(record.start_ns, record.end_ns));
  column[2].put(record.function);
  column[3].put_delta(record.thread);
  column[4].put_delta(record.correlation);
  column[5].put(record.result);
}

void append(CopyBatch& batch, const Copy& record) {
  auto& column = batch.next_record();
  column[0].put_delta(record.start_ns);
  column[1].put_signed(duration(record.start_ns, record.end_ns));
  column[2].put(record.bytes);
  column[3].put(record.queue);
  column[4].put_delta(record.correlation);
  column[5].put(record.kind);
  column[6].put(record.source);
  column[7].put(record.destination);
  column[8].put(record.graph);
}

void append(SetBatch& batch, const Set& record) {
  auto& column = batch.next_record();
  column[0].put_delta(record.start_ns);
  column[1].put_signed(duration(record.start_ns, record.end_ns));
  column[2].put(record.bytes);
  column[3].put(record.queue);
  column[4].put_delta(record.correlation);
  column[5].put(record.memory);
  column[6].put(record.graph);
}

void append(SynchronizationBatch& batch, const Synchronization& record) {
  auto& column = batch.next_record();
  column[0].put_delta(record.start_ns);
  column[1].put_signed(duration(record.start_ns, record.end_ns));
  column[2].put(record.type);
  column[3].put(record.context);
  column[4].put(record.stream);
  column[5].put_delta(record.correlation);
}

void append(OverheadBatch& batch, const Overhead& record) {
  auto& column = batch.next_record();
  column[0].put_delta(record.start_ns);
  column[1].put_signed(duration(record.start_ns, record.end_ns));
  column[2].put(record.kind);
  column[3].put(record.thread);
}

}  // namespace gpuprof::trace
