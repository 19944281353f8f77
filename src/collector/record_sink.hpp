// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Takes decoded activity records into the trace file.

#include <array>
#include <cstdint>
#include <unordered_map>

#include "collector/graph_book.hpp"
#include "cupti/activity.hpp"
#include "trace/writer.hpp"

namespace gpuprof::collector {

class RecordSink : public cupti::ActivitySink {
 public:
  RecordSink(const cupti::Client& client, const cupti::ActivityStream& stream, GraphBook& graphs, trace::Writer& writer)
      : client_(client), stream_(stream), graphs_(graphs), writer_(writer) {}

  void on_kernel(trace::Kernel record, const char* mangled_name, const trace::KernelShape& shape,
                 const trace::Queue& queue) override;
  void on_api_call(trace::ApiCall record, std::uint32_t domain_function) override;
  void on_copy(trace::Copy record, const trace::Queue& queue) override;
  void on_set(trace::Set record, const trace::Queue& queue) override;
  void on_synchronization(const trace::Synchronization& record) override;
  void on_overhead(const trace::Overhead& record) override;
  void on_device(const trace::Device& record) override;
  void on_graph_execution(trace::GraphExecution record, const trace::Queue& queue) override;
  void on_jit(const trace::Jit& record) override;
  void on_memory(trace::MemoryEvent record, const trace::Queue& queue) override;
  void on_memory_pool(const trace::MemoryPoolEvent& record) override;
  void on_unified_memory(const trace::UnifiedMemory& record) override;
  void on_context(const trace::Context& record) override;
  void on_stream(const trace::Stream& record) override;

  std::uint64_t kernel_records() const { return kernel_records_; }
  std::uint64_t profiler_kernels() const { return profiler_kernels_; }
  std::uint64_t graph_executions() const { return graph_executions_; }

 private:
  const cupti::Client& client_;
  const cupti::ActivityStream& stream_;
  GraphBook& graphs_;
  trace::Writer& writer_;
  std::unordered_map<std::uint32_t, std::uint32_t> function_ids_;  // domain_function -> string id
  std::uint64_t kernel_records_ = 0;
  std::uint64_t profiler_kernels_ = 0;
  std::uint64_t graph_executions_ = 0;
};

}  // namespace gpuprof::collector
