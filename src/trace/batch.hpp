// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Columnar batches under construction, one per record kind.

#include <array>
#include <cstddef>
#include <string>

#include "gpuprof/trace.hpp"
#include "trace/column.hpp"
#include "trace/format.hpp"

namespace gpuprof::trace {

// Records of one kind; column i is field i + 1 of the kind's message.
template <std::size_t kColumns>
class Batch {
 public:
  explicit Batch(FrameKind kind) : kind_(kind) {}

  FrameKind kind() const { return kind_; }
  std::size_t size() const { return records_; }
  bool empty() const { return records_ == 0; }
  bool full() const { return records_ >= kMaxFrameRecords; }

  // The columns, ready to take one value each.
  std::array<Column, kColumns>& next_record() {
    for (Column& column : columns_) column.make_room();
    ++records_;
    return columns_;
  }

  // The message; the batch is empty afterwards. Zeros at the end of a column are left out, but never in the first one:
  // its length is the number of records.
  std::string take_payload();

 private:
  FrameKind kind_;
  std::size_t records_ = 0;
  std::array<Column, kColumns> columns_;
};

using KernelBatch = Batch<8>;
using ApiCallBatch = Batch<6>;
using CopyBatch = Batch<11>;
using SetBatch = Batch<7>;
using SynchronizationBatch = Batch<7>;
using OverheadBatch = Batch<4>;
using GraphExecutionBatch = Batch<5>;
using JitBatch = Batch<6>;
using MemoryEventBatch = Batch<8>;
using MemoryPoolEventBatch = Batch<7>;
using UnifiedMemoryBatch = Batch<7>;
using NvtxEventBatch = Batch<10>;
using TelemetrySampleBatch = Batch<15>;

void append(KernelBatch& batch, const Kernel& record);
void append(ApiCallBatch& batch, const ApiCall& record);
void append(CopyBatch& batch, const Copy& record);
void append(SetBatch& batch, const Set& record);
void append(SynchronizationBatch& batch, const Synchronization& record);
void append(OverheadBatch& batch, const Overhead& record);
void append(GraphExecutionBatch& batch, const GraphExecution& record);
void append(JitBatch& batch, const Jit& record);
void append(MemoryEventBatch& batch, const MemoryEvent& record);
void append(MemoryPoolEventBatch& batch, const MemoryPoolEvent& record);
void append(UnifiedMemoryBatch& batch, const UnifiedMemory& record);
void append(NvtxEventBatch& batch, const NvtxEvent& record);
void append(TelemetrySampleBatch& batch, const TelemetrySample& record);

}  // namespace gpuprof::trace
