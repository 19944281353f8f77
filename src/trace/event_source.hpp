// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of the merge of a trace file's frames: positions in the common order, open frames, and what delivers.

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "trace/event_stream.hpp"
#include "trace/event_time.hpp"
#include "trace/frame_index.hpp"
#include "trace/launch_table.hpp"

namespace gpuprof::trace {

// Where an event stands among all others. Operations stand kHostLeadNs later than their time.
struct Position {
  std::uint64_t key_ns = 0;
  std::uint64_t tie = 0;     // rank_of() the kind, then the correlation
  std::uint64_t offset = 0;  // of its frame

  bool operator<(const Position& other) const {
    if (key_ns != other.key_ns) return key_ns < other.key_ns;
    return std::tie(tie, offset) < std::tie(other.tie, other.offset);
  }
};

template <typename Record>
std::uint64_t key_of(const Record& record) {
  return start_of(record) + (kOnDevice<Record> ? EventVisitor::kHostLeadNs : 0);
}

// At equal keys the host comes first. Kinds in the order of their numbers.
template <typename Record>
std::uint64_t rank_of(std::uint32_t kind) {
  return std::uint64_t{kind} << 32 | (kOnDevice<Record> ? std::uint64_t{1} << 63 : 0);
}

template <typename Record>
bool earlier(const Record& a, const Record& b) {
  if (start_of(a) != start_of(b)) return start_of(a) < start_of(b);
  return correlation_of(a) < correlation_of(b);
}

// Records of a frame are nearly in order: in that of completion, or a few sorted runs.
template <typename Record>
void sort_by_time(std::vector<Record>& records) {
  std::size_t moves_left = 4 * records.size();
  for (std::size_t i = 1; i < records.size(); ++i) {
    if (!earlier(records[i], records[i - 1])) continue;
    const Record record = records[i];
    std::size_t to = i;
    for (; to > 0 && earlier(record, records[to - 1]) && moves_left > 0; --to, --moves_left) {
      records[to] = records[to - 1];
    }
    records[to] = record;
    if (moves_left == 0) {
      // `records[to]` may have stopped too late, but never passed an equal one: the sort stays stable.
      std::stable_sort(records.begin(), records.end(), earlier<Record>);
      return;
    }
  }
}

// Delivers events, with operations joined to their launches.
struct Output {
  EventVisitor& visitor;
  LaunchTable launches;

  void deliver(const ApiCall& call) {
    launches.add(call);
    visitor.on(call);
  }
  template <typename Record>
  void deliver(const Record& record) {
    if constexpr (kOnDevice<Record>) {
      Operation operation = operation_of(record);
      operation.start_ns = record.start_ns;
      operation.end_ns = record.end_ns;
      operation.queue = record.queue;
      operation.correlation = record.correlation;
      operation.graph = record.graph;
      operation.launch = launches.find(record.correlation);
      visitor.on(operation);
    } else {
      visitor.on(record);
    }
  }

 private:
  static Operation operation_of(const Kernel& record) {
    Operation operation;
    operation.graph_node = record.graph_node;
    operation.shape = record.shape;
    return operation;
  }
  static Operation operation_of(const Copy& record) {
    Operation operation;
    operation.kind = OperationKind::copy;
    operation.bytes = record.bytes;
    operation.copy_kind = record.kind;
    operation.source = record.source;
    operation.destination = record.destination;
    return operation;
  }
  static Operation operation_of(const Set& record) {
    Operation operation;
    operation.kind = OperationKind::set;
    operation.bytes = record.bytes;
    operation.destination = record.memory;
    return operation;
  }
  static Operation operation_of(const GraphExecution&) {
    Operation operation;
    operation.kind = OperationKind::graph;
    return operation;
  }
};

// An open frame.
class Source {
 public:
  virtual ~Source() = default;
  // Delivers the event at position() and those behind it that stand before `limit`. False: the frame is exhausted.
  virtual bool deliver(Output& output, const Position& limit) = 0;
  const Position& position() const { return position_; }

 protected:
  Position position_;
};

template <typename Record>
class FrameSource : public Source {
 public:
  FrameSource(const IndexedFrame& frame, std::vector<Record> records, std::vector<std::vector<Record>>& spare)
      : records_(std::move(records)), spare_(spare), rank_(rank_of<Record>(frame.kind)) {
    position_.offset = frame.offset;
    move_to(0);
  }
  ~FrameSource() override { spare_.push_back(std::move(records_)); }
  FrameSource(const FrameSource&) = delete;
  FrameSource& operator=(const FrameSource&) = delete;

  bool deliver(Output& output, const Position& limit) override {
    do {
      output.deliver(records_[next_]);
      if (next_ + 1 == records_.size()) return false;
      move_to(next_ + 1);
    } while (position_ < limit);
    return true;
  }

 private:
  void move_to(std::size_t index) {
    next_ = index;
    position_.key_ns = key_of(records_[index]);
    position_.tie = rank_ | correlation_of(records_[index]);
  }

  std::vector<Record> records_;
  std::vector<std::vector<Record>>& spare_;  // memory for the next frame
  std::uint64_t rank_;
  std::size_t next_ = 0;
};

// The capture phases of the file, which are single messages and stand before everything of their time.
class PhaseSource : public Source {
 public:
  explicit PhaseSource(const std::vector<CapturePhase>& phases) : phases_(phases) {
    position_.key_ns = phases_.front().time_ns;
  }
  bool deliver(Output& output, const Position& limit) override {
    do {
      output.deliver(phases_[next_++]);
      if (next_ == phases_.size()) return false;
      position_.key_ns = phases_[next_].time_ns;
    } while (position_ < limit);
    return true;
  }

 private:
  const std::vector<CapturePhase>& phases_;
  std::size_t next_ = 0;
};

}  // namespace gpuprof::trace
