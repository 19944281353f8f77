// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Turns the payloads of frames into records, checks every id against the dictionaries, and feeds the visitor.

#include <cstdint>
#include <string_view>
#include <vector>

#include "gpuprof/trace.hpp"
#include "trace/reader.hpp"

namespace gpuprof::trace {

class FrameDecoder {
 public:
  FrameDecoder(Dictionaries& dictionaries, Visitor& visitor) : dictionaries_(dictionaries), visitor_(visitor) {}

  enum class Outcome {
    delivered,
    unknown,  // a kind this version does not know; nothing was delivered
    damaged,  // nothing was delivered
  };

  // `kind` as in the frame header. The payload's checksum has been verified; its contents are still not trusted.
  // Exceptions of the visitor pass through.
  Outcome decode(std::uint32_t kind, std::string_view payload);

 private:
  void decode_strings(std::string_view payload);
  void decode_shapes(std::string_view payload);
  void decode_queues(std::string_view payload);

  // Parse one frame into the buffer below; every record is checked before any is delivered.
  void parse_kernels(std::string_view payload);
  void parse_api_calls(std::string_view payload);
  void parse_copies(std::string_view payload);
  void parse_sets(std::string_view payload);
  void parse_synchronizations(std::string_view payload);
  void parse_overheads(std::string_view payload);
  void parse_graph_executions(std::string_view payload);
  void parse_jits(std::string_view payload);
  void parse_memory_events(std::string_view payload);
  void parse_memory_pool_events(std::string_view payload);
  void parse_unified_memory(std::string_view payload);
  void parse_nvtx_events(std::string_view payload);
  void parse_telemetry_samples(std::string_view payload);
  void check_launches(const LaunchCounts& counts) const;
  void check_window(const CounterWindow& window) const;

  Dictionaries& dictionaries_;
  Visitor& visitor_;

  std::vector<Kernel> kernels_;
  std::vector<ApiCall> api_calls_;
  std::vector<Copy> copies_;
  std::vector<Set> sets_;
  std::vector<Synchronization> synchronizations_;
  std::vector<Overhead> overheads_;
  std::vector<GraphExecution> graph_executions_;
  std::vector<Jit> jits_;
  std::vector<MemoryEvent> memory_events_;
  std::vector<MemoryPoolEvent> memory_pool_events_;
  std::vector<UnifiedMemory> unified_memory_;
  std::vector<NvtxEvent> nvtx_events_;
  std::vector<TelemetrySample> telemetry_samples_;
};

}  // namespace gpuprof::trace
