// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/record_sink.hpp"

#include <string_view>

namespace gpuprof::collector {
namespace {

// Kernels that CUPTI itself launches while counters are collected. They are not the program's.
constexpr std::string_view kProfilerKernels[] = {"WaitNs"};

bool is_profiler_kernel(std::string_view name) {
  for (std::string_view own : kProfilerKernels) {
    // The name comes plain or mangled.
    if (name == own || (name.substr(0, 2) == "_Z" && name.find(own) != std::string_view::npos && name.size() < 24)) {
      return true;
    }
  }
  return false;
}

}  // namespace

void RecordSink::on_kernel(trace::Kernel record, const char* mangled_name, const trace::KernelShape& shape,
                           const trace::Queue& queue) {
  const std::string_view name = mangled_name;
  if (is_profiler_kernel(name)) {
    ++profiler_kernels_;
    return;
  }
  ++kernel_records_;
  if (record.graph != 0) graphs_.add_kernel(record.graph, record.graph_node);
  trace::KernelShape named = shape;
  named.name = writer_.string_id(name);
  record.shape = writer_.shape_id(named);
  record.queue = writer_.queue_id(queue);
  writer_.add(record);
}

void RecordSink::on_api_call(trace::ApiCall record, std::uint32_t domain_function) {
  auto [found, is_new] = function_ids_.try_emplace(domain_function, 0);
  if (is_new) {
    char name[128];
    found->second = writer_.string_id(stream_.function_name(domain_function, name, sizeof(name)));
  }
  record.function = found->second;
  writer_.add(record);
}

void RecordSink::on_copy(trace::Copy record, const trace::Queue& queue) {
  record.queue = writer_.queue_id(queue);
  writer_.add(record);
}

void RecordSink::on_set(trace::Set record, const trace::Queue& queue) {
  record.queue = writer_.queue_id(queue);
  writer_.add(record);
}

void RecordSink::on_synchronization(const trace::Synchronization& record) {
  writer_.add(record);
}

void RecordSink::on_overhead(const trace::Overhead& record) {
  writer_.add(record);
}

void RecordSink::on_device(const trace::Device& record) {
  trace::Device named = record;
  named.chip = client_.chip_name(record.id);
  writer_.write(named);
}

void RecordSink::on_graph_execution(trace::GraphExecution record, const trace::Queue& queue) {
  ++graph_executions_;
  record.queue = writer_.queue_id(queue);
  writer_.add(record);
}

void RecordSink::on_jit(const trace::Jit& record) {
  writer_.add(record);
}

void RecordSink::on_memory(trace::MemoryEvent record, const trace::Queue& queue) {
  record.queue = writer_.queue_id(queue);
  writer_.add(record);
}

void RecordSink::on_memory_pool(const trace::MemoryPoolEvent& record) {
  writer_.add(record);
}

void RecordSink::on_unified_memory(const trace::UnifiedMemory& record) {
  writer_.add(record);
}

void RecordSink::on_context(const trace::Context& record) {
  writer_.write(record);
}

void RecordSink::on_stream(const trace::Stream& record) {
  writer_.write(record);
}

}  // namespace gpuprof::collector
