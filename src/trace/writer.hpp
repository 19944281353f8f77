// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes a trace file: dictionaries and columnar batches, appended frame by frame. Used inside the profiled program, so
// it needs only libc and libstdc++, never throws past its interface except std::bad_alloc, and reports failure by
// value.
//
// Not thread-safe: one thread owns a writer.

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "gpuprof/trace.hpp"

namespace gpuprof::trace {

class Writer {
 public:
  // Creates `path` (which must not exist) and writes the file header. Returns null and sets errno on failure.
  static std::unique_ptr<Writer> create(const std::string& path);

  // Flushes as far as possible and closes the file.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Dictionary ids; a new entry is written with the next flush, before anything that refers to it.
  std::uint32_t string_id(std::string_view bytes);
  std::uint32_t shape_id(const KernelShape& shape);
  std::uint32_t queue_id(const Queue& queue);

  // Columnar records are collected until flush() or until a batch is full.
  void add(const Kernel& record);
  void add(const ApiCall& record);
  void add(const Copy& record);
  void add(const Set& record);
  void add(const Synchronization& record);
  void add(const Overhead& record);
  void add(const GraphExecution& record);
  void add(const Jit& record);
  void add(const MemoryEvent& record);
  void add(const MemoryPoolEvent& record);
  void add(const UnifiedMemory& record);
  void add(const NvtxEvent& record);
  void add(const TelemetrySample& record);

  // Single messages are written at once, after everything collected so far.
  void write(const ProcessInfo& record);
  void write(const CuptiInfo& record);
  void write(const Device& record);
  void write(const ClockSample& record);
  void write(const LedgerSample& record);
  void write(const NoticeRecord& record);
  void write(const ProcessEndRecord& record);
  void write(const CounterPlan& record);
  void write(const CounterGroups& record);
  void write(const CounterWindow& record);
  void write(const ThreadName& record);
  void write(const NvtxCategory& record);
  void write(const Context& record);
  void write(const Stream& record);
  void write(const CapturePhase& record);
  void write(const LaunchCounts& record);
  void write(const TelemetryDevice& record);
  void write(const TelemetryXid& record);

  // Writes everything collected so far. After a failed write the file is cut back to its last whole frame, error() is
  // the errno of that failure, a notice of it is written if there is room for one, and every later call does nothing.
  // In a forked child nothing is ever written: the file belongs to the parent.
  void flush();

  // The flight recorder: from now on batches are remembered, so that discard_before() can take them back.
  void remember_batches() { remembers_ = true; }

  // Takes back every batch that was written before `time_ns` (CLOCK_REALTIME) and gives its space back to the file
  // system where that can be done. Returns the number of kernel records among them.
  std::uint64_t discard_before(std::uint64_t time_ns);

  int error() const { return error_; }
  std::uint64_t bytes_written() const { return offset_; }

 private:
  explicit Writer(int fd);

  template <typename Batch, typename Record>
  void collect(Batch& batch, const Record& record);
  template <typename Batch>
  void flush_batch(Batch& batch);
  template <typename Record>
  void write_single(std::uint32_t kind, const Record& record);

  bool usable() const;
  void write_frame(std::uint32_t kind, const std::string& payload);
  bool append(std::uint32_t kind, const std::string& payload);
  void flush_dictionaries();

  struct WrittenBatch {
    std::uint64_t time_ns;  // when it was written
    std::uint64_t offset;
    std::uint32_t payload_bytes;
    std::uint32_t kernels;
  };

  int fd_;
  int owner_pid_;
  int error_ = 0;
  std::uint64_t offset_ = 0;
  bool remembers_ = false;
  std::deque<WrittenBatch> written_batches_;

  struct Dictionary;
  struct Batches;
  std::unique_ptr<Dictionary> dictionary_;
  std::unique_ptr<Batches> batches_;
};

}  // namespace gpuprof::trace
