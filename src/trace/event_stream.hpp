// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The events of one trace file in time order, for everything that sweeps over a timeline. A file is nearly in order:
// its frames are indexed by their earliest time, then merged, so memory depends on how far records are out of order and
// not on their number.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gpuprof/trace.hpp"
#include "trace/reader.hpp"

namespace gpuprof::trace {

enum class OperationKind : std::uint8_t { kernel, copy, set, graph };

// Work on a device with a usable duration: start <= end, within the process's lifetime.
struct Operation {
  OperationKind kind = OperationKind::kernel;
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint32_t queue = 0;
  std::uint32_t correlation = 0;
  std::uint32_t graph = 0;          // 0: not launched by a graph
  std::uint64_t graph_node = 0;     // kernels
  std::uint32_t shape = 0;          // kernels
  std::uint64_t bytes = 0;          // copies and sets
  std::uint32_t copy_kind = 0;      // copies
  std::uint32_t source = 0;         // memory kind; copies
  std::uint32_t destination = 0;    // memory kind; copies and sets
  const ApiCall* launch = nullptr;  // the call that put it on the device; null when unknown. Valid during the call only
};

// Host events (API calls, synchronisations, NVTX, overheads, compilation, memory, capture phases) come in order of
// their start; operations in order of theirs. Between the two, a host event is delivered up to kHostLeadNs early: the
// clocks of host and device differ by microseconds, and a launch has to be known before its kernel. Events of one kind
// with equal times come by their correlation, then in file order. Host events without a usable time (0, end before
// start, outside the process's lifetime) are left out like such operations. Every method has an empty default.
class EventVisitor {
 public:
  static constexpr std::uint64_t kHostLeadNs = 1'000'000;

  virtual ~EventVisitor() = default;
  virtual void on(const Operation&) {}
  virtual void on(const ApiCall&) {}
  virtual void on(const Synchronization&) {}
  virtual void on(const NvtxEvent&) {}
  virtual void on(const Overhead&) {}
  virtual void on(const Jit&) {}
  virtual void on(const MemoryEvent&) {}
  virtual void on(const CapturePhase&) {}
};

// Hands every event to several visitors, in the order of the list.
class EventFanOut : public EventVisitor {
 public:
  explicit EventFanOut(std::vector<EventVisitor*> visitors) : visitors_(std::move(visitors)) {}

  void on(const Operation& event) override { pass(event); }
  void on(const ApiCall& event) override { pass(event); }
  void on(const Synchronization& event) override { pass(event); }
  void on(const NvtxEvent& event) override { pass(event); }
  void on(const Overhead& event) override { pass(event); }
  void on(const Jit& event) override { pass(event); }
  void on(const MemoryEvent& event) override { pass(event); }
  void on(const CapturePhase& event) override { pass(event); }

 private:
  template <typename Event>
  void pass(const Event& event) {
    for (EventVisitor* visitor : visitors_) visitor->on(event);
  }

  std::vector<EventVisitor*> visitors_;
};

struct EventSpan {
  std::uint64_t first_ns = 0;  // earliest and latest host or device time of any event or of the process; 0, 0: none
  std::uint64_t last_ns = 0;
};

// Reads `path` twice: to index it, and to deliver its events in order. `dictionaries` is complete before the first
// event is delivered. `records` (may be null) receives every record of the file, of whatever kind and however stamped,
// in file order during indexing, as from read_file. Throws Error as read_file does. `span` is known before the first
// event is delivered. The memory of one call is given back at its end, so any number of files can be read in turn.
ReadResult read_events(const std::string& path, Dictionaries& dictionaries, EventVisitor& visitor,
                       Visitor* records = nullptr, EventSpan* span = nullptr);

}  // namespace gpuprof::trace
