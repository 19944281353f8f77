// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Activity tracing: buffers lent to CUPTI, and their decoding into trace records on the collector's own thread.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "cupti/client.hpp"
#include "gpuprof/trace.hpp"

namespace gpuprof::cupti {

// Receives decoded records. Ids of dictionaries (shape, queue, function) are not set: the parts they stand for are
// given beside the record, and name pointers are valid during the call only.
class ActivitySink {
 public:
  virtual ~ActivitySink() = default;
  virtual void on_kernel(trace::Kernel record, const char* mangled_name, const trace::KernelShape& shape,
                         const trace::Queue& queue) = 0;
  // `domain_function` identifies the function: equal values mean equal functions. See ActivityStream::function_name.
  virtual void on_api_call(trace::ApiCall record, std::uint32_t domain_function) = 0;
  virtual void on_copy(trace::Copy record, const trace::Queue& queue) = 0;
  virtual void on_set(trace::Set record, const trace::Queue& queue) = 0;
  virtual void on_synchronization(const trace::Synchronization& record) = 0;
  virtual void on_overhead(const trace::Overhead& record) = 0;
  virtual void on_device(const trace::Device& record) = 0;
  virtual void on_graph_execution(trace::GraphExecution record, const trace::Queue& queue) = 0;
  virtual void on_jit(const trace::Jit& record) = 0;
  virtual void on_memory(trace::MemoryEvent record, const trace::Queue& queue) = 0;
  virtual void on_memory_pool(const trace::MemoryPoolEvent& record) = 0;
  virtual void on_unified_memory(const trace::UnifiedMemory& record) = 0;
  virtual void on_context(const trace::Context& record) = 0;
  virtual void on_stream(const trace::Stream& record) = 0;
};

struct ActivityOptions {
  std::size_t buffer_bytes = 0;
  // Most memory that buffers may take together: a base, and as much again for every thread that asks for buffers.
  std::size_t limit_bytes = 0;
  std::size_t limit_bytes_per_thread = 0;
  std::size_t device_buffers = 0;  // most buffers for stamps that CUPTI may take per context; 0: CUPTI's own limit
  bool whole_graphs = false;       // one record a graph launch instead of one a node
  bool memory = false;             // allocations, releases and pools
  bool unified_memory = false;     // traffic and faults of managed memory
  bool all_api = false;            // every API call instead of the default set
  bool paused = false;             // start without recording
};

struct BufferCounts {
  std::uint64_t completed = 0;
  std::uint64_t foreign = 0;  // completed buffers that were not lent by us
};

class ActivityStream {
 public:
  // Registers the buffer callbacks and enables the activity kinds. There is one stream per process and it is never
  // destroyed: CUPTI may complete a buffer until the process is gone. Returns null and fills `failure`.
  static ActivityStream* start(const Client& client, const ActivityOptions& options, Failure& failure);

  // Stops and resumes the recording of device work and API calls. pause() asks for the complete buffers first: what is
  // still inside CUPTI when a kind is disabled would get wrong times. May be called inside a callback.
  void pause();
  void resume();

  // Asks CUPTI for the buffers whose records are complete. Must not be called from a callback.
  void flush();

  // Asks for everything, including records of work still running, whose end is then 0 for good.
  void flush_unfinished();

  // Decodes the buffers completed so far. Returns the number of records. One thread at a time.
  std::size_t process(ActivitySink& sink);

  // Waits until a buffer is completed, `milliseconds` have passed, or wake() is called.
  void wait(unsigned milliseconds);
  void wake();

  // Records of any kind dropped by CUPTI since the last call.
  std::uint64_t take_dropped();

  BufferCounts counts() const;

  // "cudaLaunchKernel": the function's name without its version suffix.
  const char* function_name(std::uint32_t domain_function, char* buffer, std::size_t buffer_bytes) const;

 private:
  struct State;
  explicit ActivityStream(const Client& client);
  ~ActivityStream() = delete;

  const Client& client_;
  State* state_;
};

}  // namespace gpuprof::cupti
