// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/event_stream.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "trace/event_source.hpp"
#include "trace/event_time.hpp"
#include "trace/format.hpp"
#include "trace/frame_decoder.hpp"
#include "trace/frame_index.hpp"
#include "trace/mapped_file.hpp"

namespace gpuprof::trace {
namespace {

bool on_device(std::uint32_t kind) {
  switch (static_cast<FrameKind>(kind)) {
    case FrameKind::kernels:
    case FrameKind::copies:
    case FrameKind::sets:
    case FrameKind::graph_executions:
      return true;
    default:
      return false;
  }
}

// Decodes frames into sources.
class Opener : public Visitor {
 public:
  using Visitor::on;
  Opener(Dictionaries& dictionaries, const ProcessLifetime& lifetime)
      : lifetime_(lifetime), decoder_(dictionaries, *this) {}

  // Null when nothing in the frame is usable.
  std::unique_ptr<Source> open(const IndexedFrame& frame, std::string_view payload) {
    frame_ = &frame;
    source_.reset();
    decoder_.decode(frame.kind, payload);
    return std::move(source_);
  }

  void on(std::span<const ApiCall> records) override { take(records, api_calls_); }
  void on(std::span<const Kernel> records) override { take(records, kernels_); }
  void on(std::span<const Copy> records) override { take(records, copies_); }
  void on(std::span<const Set> records) override { take(records, sets_); }
  void on(std::span<const GraphExecution> records) override { take(records, graph_executions_); }
  void on(std::span<const Synchronization> records) override { take(records, synchronizations_); }
  void on(std::span<const Overhead> records) override { take(records, overheads_); }
  void on(std::span<const Jit> records) override { take(records, jits_); }
  void on(std::span<const MemoryEvent> records) override { take(records, memory_events_); }
  void on(std::span<const NvtxEvent> records) override { take(records, nvtx_events_); }

 private:
  template <typename Record>
  void take(std::span<const Record> from, std::vector<std::vector<Record>>& spare) {
    std::vector<Record> records;
    if (!spare.empty()) {
      records.swap(spare.back());
      spare.pop_back();
    }
    records.clear();
    for (const Record& record : from) {
      if (lifetime_.contains(start_of(record), end_of(record))) records.push_back(record);
    }
    if (records.empty()) return;
    sort_by_time(records);
    source_ = std::make_unique<FrameSource<Record>>(*frame_, std::move(records), spare);
  }

  const ProcessLifetime& lifetime_;
  FrameDecoder decoder_;
  const IndexedFrame* frame_ = nullptr;
  std::unique_ptr<Source> source_;

  std::vector<std::vector<ApiCall>> api_calls_;
  std::vector<std::vector<Kernel>> kernels_;
  std::vector<std::vector<Copy>> copies_;
  std::vector<std::vector<Set>> sets_;
  std::vector<std::vector<GraphExecution>> graph_executions_;
  std::vector<std::vector<Synchronization>> synchronizations_;
  std::vector<std::vector<Overhead>> overheads_;
  std::vector<std::vector<Jit>> jits_;
  std::vector<std::vector<MemoryEvent>> memory_events_;
  std::vector<std::vector<NvtxEvent>> nvtx_events_;
};

Position first_position(const IndexedFrame& frame) {
  return {frame.first_ns + (on_device(frame.kind) ? EventVisitor::kHostLeadNs : 0), 0, 0};
}

// Merges frames, which are opened when their turn may have come.
class Merge {
 public:
  Merge(MappedFile& file, FrameIndex& index, Dictionaries& dictionaries)
      : file_(file), index_(index), opener_(dictionaries, index.lifetime) {
    std::stable_sort(index.frames.begin(), index.frames.end(), [](const IndexedFrame& a, const IndexedFrame& b) {
      return first_position(a) < first_position(b);
    });
  }

  void run(Output& output) {
    if (!index_.phases.empty()) push(std::make_unique<PhaseSource>(index_.phases));
    while (open_due_frames()) {
      const bool more = open_.front()->deliver(output, limit());
      if (more) {
        sift_down();
      } else {
        std::pop_heap(open_.begin(), open_.end(), later);
        open_.pop_back();
      }
    }
  }

 private:
  static bool later(const std::unique_ptr<Source>& a, const std::unique_ptr<Source>& b) {
    return b->position() < a->position();
  }

  void push(std::unique_ptr<Source> source) {
    open_.push_back(std::move(source));
    std::push_heap(open_.begin(), open_.end(), later);
  }

  // Opens every frame that may stand before the first open one. False when there is nothing left at all.
  bool open_due_frames() {
    for (; next_ < index_.frames.size(); ++next_) {
      const IndexedFrame& frame = index_.frames[next_];
      if (!open_.empty() && open_.front()->position() < first_position(frame)) break;
      std::unique_ptr<Source> source = opener_.open(frame, file_.bytes().substr(frame.offset, frame.size));
      file_.used(frame.size);
      if (source) push(std::move(source));
    }
    return !open_.empty();
  }

  // The first source may deliver up to here before the order has to be looked at again.
  Position limit() const {
    Position limit{~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}};
    for (std::size_t child = 1; child <= 2 && child < open_.size(); ++child) {
      limit = std::min(limit, open_[child]->position());
    }
    if (next_ < index_.frames.size()) limit = std::min(limit, first_position(index_.frames[next_]));
    return limit;
  }

  // Restores the heap after the first source has moved on.
  void sift_down() {
    std::size_t at = 0;
    for (;;) {
      std::size_t child = 2 * at + 1;
      if (child >= open_.size()) return;
      if (child + 1 < open_.size() && later(open_[child], open_[child + 1])) ++child;
      if (!later(open_[at], open_[child])) return;
      open_[at].swap(open_[child]);
      at = child;
    }
  }

  MappedFile& file_;
  FrameIndex& index_;
  Opener opener_;
  std::vector<std::unique_ptr<Source>> open_;  // a heap, the earliest first
  std::size_t next_ = 0;                       // frame to be opened
};

}  // namespace

ReadResult read_events(const std::string& path, Dictionaries& dictionaries, EventVisitor& visitor, Visitor* records,
                       EventSpan* span) {
  MappedFile file{path};
  FrameIndex index = index_frames(file, path, dictionaries, records);
  if (span != nullptr) *span = index.span;
  Output output{visitor, LaunchTable{dictionaries}};
  Merge{file, index, dictionaries}.run(output);
  return index.read;
}

}  // namespace gpuprof::trace
