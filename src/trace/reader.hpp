// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads trace files, whole or torn. Every length is checked against what is left; a frame with a wrong checksum or an
// impossible length ends the file there, and everything before it is delivered.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpuprof/trace.hpp"

namespace gpuprof::trace {

// Receives the records of a file in file order. Every method has an empty default. Spans are valid during the call
// only.
class Visitor {
 public:
  virtual ~Visitor() = default;
  virtual void on(const ProcessInfo&) {}
  virtual void on(const CuptiInfo&) {}
  virtual void on(const Device&) {}
  virtual void on(std::span<const Kernel>) {}
  virtual void on(std::span<const ApiCall>) {}
  virtual void on(std::span<const Copy>) {}
  virtual void on(std::span<const Set>) {}
  virtual void on(std::span<const Synchronization>) {}
  virtual void on(std::span<const Overhead>) {}
  virtual void on(const ClockSample&) {}
  virtual void on(const LedgerSample&) {}
  virtual void on(const NoticeRecord&) {}
  virtual void on(const ProcessEndRecord&) {}
  virtual void on(const CounterPlan&) {}
  virtual void on(const CounterGroups&) {}
  virtual void on(const CounterWindow&) {}
  virtual void on(std::span<const GraphExecution>) {}
  virtual void on(std::span<const Jit>) {}
  virtual void on(std::span<const MemoryEvent>) {}
  virtual void on(std::span<const MemoryPoolEvent>) {}
  virtual void on(std::span<const UnifiedMemory>) {}
  virtual void on(std::span<const NvtxEvent>) {}
  virtual void on(std::span<const TelemetrySample>) {}
  virtual void on(const ThreadName&) {}
  virtual void on(const NvtxCategory&) {}
  virtual void on(const Context&) {}
  virtual void on(const Stream&) {}
  virtual void on(const CapturePhase&) {}
  virtual void on(const LaunchCounts&) {}
  virtual void on(const TelemetryDevice&) {}
  virtual void on(const TelemetryXid&) {}
};

// A file's dictionaries as far as they have been read. Ids are checked: a record that refers to an id which was not
// defined before it counts as damage, so a visitor may use at() without checking.
class Dictionaries {
 public:
  std::string_view string(std::uint32_t id) const { return strings_.at(id); }
  const KernelShape& shape(std::uint32_t id) const { return shapes_.at(id); }
  const Queue& queue(std::uint32_t id) const { return queues_.at(id); }
  std::size_t shape_count() const { return shapes_.size(); }
  std::size_t queue_count() const { return queues_.size(); }
  std::size_t string_count() const { return strings_.size(); }

 private:
  friend class FrameDecoder;
  std::vector<std::string> strings_;
  std::vector<KernelShape> shapes_;
  std::vector<Queue> queues_;
};

enum class FileState {
  whole,  // ends with a whole frame
  torn,   // a partial or damaged frame at the end: the writer was killed or the disk was full
  empty,  // no frame at all
};

struct ReadResult {
  FileState state = FileState::whole;
  std::uint64_t bytes = 0;       // size of the file
  std::uint64_t good_bytes = 0;  // up to the end of the last whole frame
  std::uint64_t frames = 0;
  std::uint64_t unknown_frames = 0;  // of kinds this version does not know; skipped
};

// Maps `path` and feeds `visitor`. `dictionaries` is filled while reading and may be used from within the visitor.
// Throws Error when the file cannot be opened, is not a gpuprof trace, or has a newer format version.
ReadResult read_file(const std::string& path, Dictionaries& dictionaries, Visitor& visitor);

// The same for bytes in memory; `name` is used in messages.
ReadResult read_bytes(std::string_view bytes, const std::string& name, Dictionaries& dictionaries, Visitor& visitor);

// Reads the counter plan the launcher wrote. Returns false when the file cannot be read or holds no whole plan: the
// collector has no one to throw to.
bool read_plan(const std::string& path, CounterPlan& plan);

}  // namespace gpuprof::trace
