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
    const std::string_view bytes = i == 0 ? columns_[i].bytes() : columns_[i].used_bytes();
    if (!bytes.empty()) {
      message.add_bytes(static_cast<protozero::pbf_tag_type>(i + 1), bytes.data(), bytes.size());
    }
    columns_[i].clear();
  }
  records_ = 0;
  return payload;
}

template class Batch<4>;
template class Batch<5>;
template class Batch<6>;
template class Batch<7>;
template class Batch<8>;
template class Batch<10>;
template class Batch<11>;
template class Batch<15>;

void append(KernelBatch& batch, const Kernel& record) {
  auto& column = batch.next_record();
  column[0].put_delta(record.start_ns);
  column[1].put_signed(duration(record.start_ns, record.end_ns));
  column[2].put(record.shape);
  // Column 3 was the queue in format version 1.
  column[4].put_delta(record.correlation);
  column[5].put(record.graph);
  column[6].put_delta(record.graph_node);
  column[7].put_delta(record.queue);
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
  column[9].put(record.source_device_plus_1);
  column[10].put(record.destination_device_plus_1);
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
  column[6].put(record.event);
}

void append(OverheadBatch& batch, const Overhead& record) {
  auto& column = batch.next_record();
  column[0].put_delta(record.start_ns);
  column[1].put_signed(duration(record.start_ns, record.end_ns));
  column[2].put(record.kind);
  column[3].put(record.thread);
}

void append(GraphExecutionBatch& batch, const GraphExecution& record) {
  auto& column = batch.next_record();
  column[0].put_delta(record.start_ns);
  column[1].put_signed(duration(record.start_ns, record.end_ns));
  column[2].put_delta(record.queue);
  column[3].put_delta(record.correlation);
  column[4].put_delta(record.graph);
}

void append(JitBatch& batch, const Jit& record) {
  auto& column = batch.next_record();
  column[0].put_delta(record.start_ns);
  column[1].put_signed(duration(record.start_ns, record.end_ns));
  column[2].put(record.entry);
  column[3].put(record.operation);
  column[4].put_delta(record.thread);
  column[5].put_delta(record.correlation);
}

void append(MemoryEventBatch& batch, const MemoryEvent& record) {
  auto& column = batch.next_record();
  column[0].put_delta(record.time_ns);
  column[1].put(record.bytes);
  column[2].put_delta(record.address);
  column[3].put_delta(record.pool);
  column[4].put(record.operation);
  column[5].put(record.kind);
  column[6].put_delta(record.queue);
  column[7].put_delta(record.correlation);
}

void append(MemoryPoolEventBatch& batch, const MemoryPoolEvent& record) {
  auto& column = batch.next_record();
  column[0].put_delta(record.time_ns);
  column[1].put_delta(record.address);
  column[2].put(record.size_bytes);
  column[3].put(record.used_bytes);
  column[4].put(record.operation);
  column[5].put(record.type);
  column[6].put(record.device);
}

void append(UnifiedMemoryBatch& batch, const UnifiedMemory& record) {
  auto& column = batch.next_record();
  column[0].put_delta(record.start_ns);
  column[1].put_signed(duration(record.start_ns, record.end_ns));
  column[2].put(record.value);
  column[3].put_delta(record.address);
  column[4].put(record.kind);
  column[5].put(record.source);
  column[6].put(record.destination);
}

void append(NvtxEventBatch& batch, const NvtxEvent& record) {
  auto& column = batch.next_record();
  column[0].put_delta(record.time_ns);
  column[1].put(static_cast<std::uint32_t>(record.kind));
  column[2].put_delta(record.thread);
  column[3].put(record.name);
  column[4].put_delta(record.domain);
  column[5].put_delta(record.range);
  column[6].put(record.category);
  column[7].put(record.color);
  column[8].put(static_cast<std::uint32_t>(record.payload_type));
  column[9].put(record.payload);
}

void append(TelemetrySampleBatch& batch, const TelemetrySample& record) {
  auto& column = batch.next_record();
  column[0].put_delta(record.time_ns);
  column[1].put(record.device);
  column[2].put(record.missing);
  column[3].put(record.sm_clock_mhz);
  column[4].put(record.memory_clock_mhz);
  column[5].put(record.power_mw);
  column[6].put(record.temperature_c);
  column[7].put(record.gpu_utilization_pct);
  column[8].put(record.memory_utilization_pct);
  column[9].put(record.memory_used_bytes);
  column[10].put(record.pcie_tx_bytes_per_second);
  column[11].put(record.pcie_rx_bytes_per_second);
  column[12].put(record.throttle_reasons);
  column[13].put(record.ecc_corrected);
  column[14].put(record.ecc_uncorrected);
}

}  // namespace gpuprof::trace
