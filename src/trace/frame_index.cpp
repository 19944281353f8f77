// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/frame_index.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "trace/event_time.hpp"
#include "trace/frame_decoder.hpp"
#include "trace/frame_walk.hpp"

namespace gpuprof::trace {
namespace {

struct TimeRange {
  std::uint64_t first_ns = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t last_ns = 0;

  bool empty() const { return first_ns > last_ns; }
  void add(std::uint64_t start_ns, std::uint64_t end_ns) {
    first_ns = std::min(first_ns, start_ns);
    last_ns = std::max(last_ns, end_ns);
  }
};

template <typename Record, typename Usable>
TimeRange range_of(std::span<const Record> records, const Usable& usable) {
  TimeRange range;
  for (const Record& record : records) {
    if (usable(start_of(record), end_of(record))) range.add(start_of(record), end_of(record));
  }
  return range;
}

// Takes the frames' times down and hands everything on.
class Indexer : public Visitor {
 public:
  Indexer(FrameIndex& index, Visitor* records) : index_(index), next_(records != nullptr ? *records : nothing_) {}

  void begin_frame(std::uint64_t offset, const FrameView& frame) {
    current_ = {offset, static_cast<std::uint32_t>(frame.payload.size()), frame.kind, 0, 0};
  }

  void on(const ProcessInfo& record) override {
    if (record.time_ns != 0 && record.time_ns < ProcessLifetime::kImpossibleNs) {
      index_.lifetime.started(record.time_ns);
      process_.add(record.time_ns, record.time_ns);
    }
    next_.on(record);
  }
  void on(const ClockSample& record) override {
    index_.lifetime.alive(record.realtime_ns);
    index_.lifetime.alive(record.cupti_ns);
    next_.on(record);
  }
  void on(const ProcessEndRecord& record) override {
    index_.lifetime.alive(record.time_ns);
    if (record.time_ns != 0 && record.time_ns < ProcessLifetime::kImpossibleNs) {
      process_.add(record.time_ns, record.time_ns);
    }
    next_.on(record);
  }
  void on(const CapturePhase& record) override {
    index_.phases.push_back(record);
    next_.on(record);
  }

  void on(std::span<const ApiCall> records) override {
    const TimeRange range = note(records);
    if (!range.empty()) index_.lifetime.alive(range.last_ns);
    next_.on(records);
  }
  void on(std::span<const Kernel> records) override { note(records), next_.on(records); }
  void on(std::span<const Copy> records) override { note(records), next_.on(records); }
  void on(std::span<const Set> records) override { note(records), next_.on(records); }
  void on(std::span<const GraphExecution> records) override { note(records), next_.on(records); }
  void on(std::span<const Synchronization> records) override { note(records), next_.on(records); }
  void on(std::span<const Overhead> records) override { note(records), next_.on(records); }
  void on(std::span<const Jit> records) override { note(records), next_.on(records); }
  void on(std::span<const MemoryEvent> records) override { note(records), next_.on(records); }
  void on(std::span<const NvtxEvent> records) override { note(records), next_.on(records); }

  void on(const CuptiInfo& record) override { next_.on(record); }
  void on(const Device& record) override { next_.on(record); }
  void on(const LedgerSample& record) override { next_.on(record); }
  void on(const NoticeRecord& record) override { next_.on(record); }
  void on(const CounterPlan& record) override { next_.on(record); }
  void on(const CounterGroups& record) override { next_.on(record); }
  void on(const CounterWindow& record) override { next_.on(record); }
  void on(std::span<const MemoryPoolEvent> records) override { next_.on(records); }
  void on(std::span<const UnifiedMemory> records) override { next_.on(records); }
  void on(std::span<const TelemetrySample> records) override { next_.on(records); }
  void on(const ThreadName& record) override { next_.on(record); }
  void on(const NvtxCategory& record) override { next_.on(record); }
  void on(const Context& record) override { next_.on(record); }
  void on(const Stream& record) override { next_.on(record); }
  void on(const LaunchCounts& record) override { next_.on(record); }
  void on(const TelemetryDevice& record) override { next_.on(record); }
  void on(const TelemetryXid& record) override { next_.on(record); }

  // The process's own stamps.
  const TimeRange& process() const { return process_; }

 private:
  template <typename Record>
  TimeRange note(std::span<const Record> records) {
    const TimeRange range = range_of(records, has_duration);
    if (!range.empty()) {
      current_.first_ns = range.first_ns;
      current_.last_ns = range.last_ns;
      index_.frames.push_back(current_);
    }
    return range;
  }

  FrameIndex& index_;
  Visitor nothing_;
  Visitor& next_;
  IndexedFrame current_;
  TimeRange process_;
};

// The times of a frame once more, by what the whole file says about the process's lifetime.
class Remeasure : public Visitor {
 public:
  using Visitor::on;
  explicit Remeasure(const ProcessLifetime& lifetime) : lifetime_(lifetime) {}

  void on(std::span<const ApiCall> records) override { measure(records); }
  void on(std::span<const Kernel> records) override { measure(records); }
  void on(std::span<const Copy> records) override { measure(records); }
  void on(std::span<const Set> records) override { measure(records); }
  void on(std::span<const GraphExecution> records) override { measure(records); }
  void on(std::span<const Synchronization> records) override { measure(records); }
  void on(std::span<const Overhead> records) override { measure(records); }
  void on(std::span<const Jit> records) override { measure(records); }
  void on(std::span<const MemoryEvent> records) override { measure(records); }
  void on(std::span<const NvtxEvent> records) override { measure(records); }

  const TimeRange& range() const { return range_; }

 private:
  template <typename Record>
  void measure(std::span<const Record> records) {
    range_ = range_of(
        records, [this](std::uint64_t start_ns, std::uint64_t end_ns) { return lifetime_.contains(start_ns, end_ns); });
  }

  const ProcessLifetime& lifetime_;
  TimeRange range_;
};

// Frames with a record outside the lifetime are rare, so they are read again rather than kept in detail.
void leave_out_wrong_clocks(const MappedFile& file, Dictionaries& dictionaries, FrameIndex& index) {
  Remeasure remeasure{index.lifetime};
  FrameDecoder decoder{dictionaries, remeasure};
  std::erase_if(index.frames, [&](IndexedFrame& frame) {
    if (index.lifetime.contains(frame.first_ns, frame.last_ns)) return false;
    if (decoder.decode(frame.kind, file.bytes().substr(frame.offset, frame.size)) != FrameDecoder::Outcome::delivered) {
      return true;
    }
    frame.first_ns = remeasure.range().first_ns;
    frame.last_ns = remeasure.range().last_ns;
    return remeasure.range().empty();
  });
}

}  // namespace

FrameIndex index_frames(MappedFile& file, const std::string& path, Dictionaries& dictionaries, Visitor* records) {
  FrameIndex index;
  Indexer indexer{index, records};
  FrameDecoder decoder{dictionaries, indexer};
  index.read = walk_frames(file.bytes(), path, [&](const FrameView& frame, std::uint64_t offset) {
    indexer.begin_frame(offset, frame);
    const FrameDecoder::Outcome outcome = decoder.decode(frame.kind, frame.payload);
    file.used(frame.bytes());
    return outcome;
  });
  leave_out_wrong_clocks(file, dictionaries, index);

  TimeRange span = indexer.process();
  for (const IndexedFrame& frame : index.frames) span.add(frame.first_ns, frame.last_ns);
  std::erase_if(index.phases,
                [&index](const CapturePhase& phase) { return !index.lifetime.contains(phase.time_ns, phase.time_ns); });
  std::stable_sort(index.phases.begin(), index.phases.end(),
                   [](const CapturePhase& a, const CapturePhase& b) { return a.time_ns < b.time_ns; });
  if (!span.empty()) index.span = {span.first_ns, span.last_ns};
  return index;
}

}  // namespace gpuprof::trace
