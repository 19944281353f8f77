// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "export/perfetto_process.hpp"

#include <algorithm>
#include <bit>

#include "base/text.hpp"
#include "export/perfetto_names.hpp"
#include "trace/cupti_names.hpp"

namespace gpuprof::perfetto {
namespace {

// Calls and launches that a later event may refer to by their correlation id. Ids count up, so the newest ones are
// kept.
constexpr std::size_t kRecent = 4096;

constexpr std::uint32_t kNoStream = 0xFFFFFFFF;
constexpr std::uint32_t kAllocation = 1;
constexpr std::uint32_t kRelease = 2;

// Rows of a process, top to bottom; its devices come first.
constexpr std::int32_t kRangesRank = 1'000;
constexpr std::int32_t kMarksRank = 1'001;
constexpr std::int32_t kCaptureRank = 1'002;
constexpr std::int32_t kWaitsRank = 1'003;
constexpr std::int32_t kJitRank = 1'004;
constexpr std::int32_t kMemoryRank = 1'005;
constexpr std::int32_t kOverheadRank = 1'006;

}  // namespace

ProcessTracks::Keys::Keys(PacketWriter& writer)
    : grid(writer.annotation_name("grid")),
      block(writer.annotation_name("block")),
      cluster(writer.annotation_name("cluster")),
      registers(writer.annotation_name("registers per thread")),
      static_shared(writer.annotation_name("static shared memory")),
      dynamic_shared(writer.annotation_name("dynamic shared memory")),
      local(writer.annotation_name("local memory per thread")),
      counters(writer.annotation_name("counters")),
      stream(writer.annotation_name("stream")),
      context(writer.annotation_name("context")),
      correlation(writer.annotation_name("correlation")),
      graph(writer.annotation_name("graph")),
      node(writer.annotation_name("graph node")),
      bytes(writer.annotation_name("bytes")),
      bandwidth(writer.annotation_name("bandwidth (GB/s)")),
      source(writer.annotation_name("source")),
      destination(writer.annotation_name("destination")),
      result(writer.annotation_name("result")),
      event(writer.annotation_name("event")),
      category(writer.annotation_name("category")),
      payload(writer.annotation_name("payload")),
      color(writer.annotation_name("colour")),
      thread(writer.annotation_name("thread")) {}

ProcessTracks::ProcessTracks(PacketWriter& writer, ProcessLabel label, const ProcessFacts& facts,
                             const trace::Dictionaries& dictionaries, const trace::EventSpan& span,
                             const KernelCounters& counters)
    : writer_(writer),
      label_(std::move(label)),
      facts_(facts),
      dictionaries_(dictionaries),
      span_(span),
      counters_(counters),
      recent_calls_(kRecent),
      recent_launches_(kRecent),
      keys_(writer) {}

ProcessTracks::~ProcessTracks() = default;

void ProcessTracks::on(const trace::Operation& operation) {
  Slice slice;
  slice.start_ns = operation.start_ns;
  slice.end_ns = operation.end_ns;
  annotations_.clear();
  switch (operation.kind) {
    case trace::OperationKind::kernel:
      slice.category = Category::kernel;
      slice.name = kernel_name(dictionaries_.shape(operation.shape).name);
      annotations_.append(shape_annotations(operation.shape));
      break;
    case trace::OperationKind::copy:
      slice.category = Category::copy;
      slice.name = fixed_name(copy_name(operation.copy_kind));
      annotations_.add(keys_.source, trace::memory_kind_name(operation.source));
      annotations_.add(keys_.destination, trace::memory_kind_name(operation.destination));
      break;
    case trace::OperationKind::set:
      slice.category = Category::set;
      slice.name = fixed_name("Set " + trace::memory_kind_name(operation.destination));
      break;
    case trace::OperationKind::graph:
      slice.category = Category::graph;
      slice.name = fixed_name("Graph " + std::to_string(operation.graph));
      break;
  }
  if (operation.kind == trace::OperationKind::copy || operation.kind == trace::OperationKind::set) {
    annotations_.add(keys_.bytes, operation.bytes);
    if (operation.end_ns > operation.start_ns) {
      annotations_.add(keys_.bandwidth, static_cast<double>(operation.bytes) /
                                            static_cast<double>(operation.end_ns - operation.start_ns));
    }
  }
  const trace::Queue& where = dictionaries_.queue(operation.queue);
  annotations_.add(keys_.stream, std::uint64_t{where.stream});
  annotations_.add(keys_.context, std::uint64_t{where.context});
  if (operation.correlation != 0) annotations_.add(keys_.correlation, std::uint64_t{operation.correlation});
  if (operation.graph != 0) annotations_.add(keys_.graph, std::uint64_t{operation.graph});
  if (operation.graph_node != 0) annotations_.add(keys_.node, operation.graph_node);
  slice.annotations = annotations_.bytes();
  // An arrow needs a beginning before its end, or the viewer counts it as damage.
  const trace::ApiCall* launch = operation.launch;
  if (launch != nullptr && operation.correlation != 0 && launch->correlation == operation.correlation &&
      launch->end_ns >= launch->start_ns && launch->start_ns < operation.start_ns &&
      function_starts_work(launch->function) && first_of_launch(operation.correlation)) {
    slice.flow_in = flow_of(operation.correlation);
  }
  put(queue(operation.queue), slice);
}

void ProcessTracks::on(const trace::ApiCall& call) {
  if (!usable(call.start_ns, call.end_ns)) return;
  Slice slice;
  slice.start_ns = call.start_ns;
  slice.end_ns = call.end_ns;
  slice.category = Category::api;
  slice.name = function_name(call.function);
  annotations_.clear();
  if (call.correlation != 0) {
    annotations_.add(keys_.correlation, std::uint64_t{call.correlation});
    recent_calls_[call.correlation % kRecent] = {call.correlation, call.thread, call.start_ns, call.end_ns};
    if (function_starts_work(call.function)) slice.flow_out = flow_of(call.correlation);
  }
  if (call.result != 0) annotations_.add(keys_.result, std::uint64_t{call.result});
  slice.annotations = annotations_.bytes();
  thread(call.thread).calls->add(slice);
}

void ProcessTracks::on(const trace::Synchronization& record) {
  if (!usable(record.start_ns, record.end_ns)) return;
  Slice slice;
  slice.start_ns = record.start_ns;
  slice.end_ns = record.end_ns;
  slice.category = Category::synchronization;
  slice.name = fixed_name(wait_name(record.type));
  annotations_.clear();
  if (record.stream != kNoStream) annotations_.add(keys_.stream, std::uint64_t{record.stream});
  annotations_.add(keys_.context, std::uint64_t{record.context});
  if (record.event != 0) annotations_.add(keys_.event, std::uint64_t{record.event});
  if (record.correlation != 0) annotations_.add(keys_.correlation, std::uint64_t{record.correlation});
  slice.annotations = annotations_.bytes();
  // The record does not name its thread; that of the call it belongs to does.
  const RecentCall& call = recent_calls_[record.correlation % kRecent];
  if (record.correlation != 0 && call.correlation == record.correlation && call.start_ns <= slice.start_ns &&
      slice.start_ns <= call.end_ns) {
    slice.end_ns = std::min(slice.end_ns, call.end_ns);
    thread(call.thread).calls->add(slice);
  } else {
    put(process_row(waits_, "Waits", kWaitsRank), slice);
  }
}

void ProcessTracks::on(const trace::Overhead& record) {
  if (!usable(record.start_ns, record.end_ns)) return;
  Slice slice{record.start_ns, record.end_ns, fixed_name(overhead_name(record.kind)), Category::overhead, 0, 0, {}};
  annotations_.clear();
  if (record.thread != 0) annotations_.add(keys_.thread, std::uint64_t{record.thread});
  slice.annotations = annotations_.bytes();
  put(process_row(overheads_, "Overhead of recording", kOverheadRank), slice);
}

void ProcessTracks::on(const trace::Jit& record) {
  if (!usable(record.start_ns, record.end_ns)) return;
  Slice slice{record.start_ns, record.end_ns, fixed_name(jit_name(record)), Category::jit, 0, 0, {}};
  annotations_.clear();
  annotations_.add(keys_.thread, std::uint64_t{record.thread});
  if (record.correlation != 0) annotations_.add(keys_.correlation, std::uint64_t{record.correlation});
  slice.annotations = annotations_.bytes();
  put(process_row(jits_, "Just-in-time compilation", kJitRank), slice);
}

void ProcessTracks::on(const trace::MemoryEvent& event) {
  auto& [track, bytes] = memory_[event.kind];
  if (track == 0) {
    track = writer_.new_uuid();
    Track counter;
    counter.uuid = track;
    counter.parent = process();
    counter.name = "Memory allocated: " + trace::memory_kind_name(event.kind);
    counter.rank = kMemoryRank;
    counter.counter = Track::Counter{Unit::bytes, {}};
    writer_.describe(counter);
  }
  if (event.operation == kAllocation) bytes += event.bytes;
  // Allocations from before the recording are released too.
  if (event.operation == kRelease) bytes -= std::min(bytes, event.bytes);
  writer_.counter(track, event.time_ns, bytes);
}

void ProcessTracks::on(const trace::CapturePhase& phase) {
  if (capture_uuid_ == 0) {
    capture_uuid_ = writer_.new_uuid();
    Track track;
    track.uuid = capture_uuid_;
    track.parent = process();
    track.name = "Device work not recorded";
    track.rank = kCaptureRank;
    writer_.describe(track);
  }
  Slice slice{phase.time_ns, phase.time_ns, fixed_name("not recorded"), Category::capture, 0, 0, {}};
  if (phase.on) {
    if (!capture_known_ && span_.first_ns < phase.time_ns) {
      slice.start_ns = span_.first_ns;
      writer_.slice(capture_uuid_, slice);
    } else if (capture_gap_) {
      writer_.end(capture_uuid_, phase.time_ns);
    }
    capture_gap_ = false;
  } else if (!capture_gap_) {
    writer_.begin(capture_uuid_, slice);
    capture_gap_ = true;
  }
  capture_known_ = true;
}

void ProcessTracks::on(const trace::NvtxEvent& event) {
  Slice slice;
  slice.start_ns = event.time_ns;
  slice.category = Category::nvtx;
  switch (event.kind) {
    case trace::NvtxKind::push: {
      RangeStack& stack = range_stacks_[{event.thread, event.domain}];
      if (stack.uuid == 0) {
        stack.uuid = writer_.new_uuid();
        Track track;
        track.uuid = stack.uuid;
        track.parent = thread(event.thread).uuid;
        track.name = domain_title("NVTX", event.domain);
        writer_.describe(track);
      }
      ++stack.depth;
      slice.name = text_name(event.name);
      describe_range(event);
      slice.annotations = annotations_.bytes();
      writer_.begin(stack.uuid, slice);
      break;
    }
    case trace::NvtxKind::pop: {
      const auto stack = range_stacks_.find({event.thread, event.domain});
      // A pop without a push: the range was opened before the recording.
      if (stack == range_stacks_.end() || stack->second.depth == 0) return;
      --stack->second.depth;
      writer_.end(stack->second.uuid, event.time_ns);
      break;
    }
    case trace::NvtxKind::start: {
      Row& row = domain_row(ranges_, "NVTX ranges", event.domain, kRangesRank);
      if (const auto old = open_ranges_.find(event.range); old != open_ranges_.end())
        close_range(old->second, event.time_ns);
      const std::size_t lane = row.lanes.open();
      open_ranges_[event.range] = {&row, lane};
      slice.name = text_name(event.name);
      describe_range(event);
      annotations_.add(keys_.thread, std::uint64_t{event.thread});
      slice.annotations = annotations_.bytes();
      writer_.begin(lane_track(row, lane), slice);
      break;
    }
    case trace::NvtxKind::end:
      if (const auto range = open_ranges_.find(event.range); range != open_ranges_.end()) {
        close_range(range->second, event.time_ns);
        open_ranges_.erase(range);
      }
      break;
    case trace::NvtxKind::mark:
      slice.name = text_name(event.name);
      describe_range(event);
      annotations_.add(keys_.thread, std::uint64_t{event.thread});
      slice.annotations = annotations_.bytes();
      writer_.instant(lane_track(domain_row(marks_, "NVTX marks", event.domain, kMarksRank), 0), slice);
      break;
  }
}

void ProcessTracks::close_range(const OpenRange& range, std::uint64_t time_ns) {
  writer_.end(lane_track(*range.row, range.lane), time_ns);
  range.row->lanes.release(range.lane);
}

void ProcessTracks::describe_range(const trace::NvtxEvent& event) {
  annotations_.clear();
  if (event.category != 0) {
    const auto name = facts_.categories.find({std::string(dictionaries_.string(event.domain)), event.category});
    if (name != facts_.categories.end()) {
      annotations_.add(keys_.category, printable(name->second));
    } else {
      annotations_.add(keys_.category, std::uint64_t{event.category});
    }
  }
  if (event.color != 0) annotations_.add(keys_.color, std::uint64_t{event.color});
  switch (event.payload_type) {
    case trace::NvtxPayload::none:
      break;
    case trace::NvtxPayload::unsigned_integer:
      annotations_.add(keys_.payload, event.payload);
      break;
    case trace::NvtxPayload::signed_integer:
      annotations_.add(keys_.payload, static_cast<std::int64_t>(event.payload));
      break;
    case trace::NvtxPayload::real:
      annotations_.add(keys_.payload, std::bit_cast<double>(event.payload));
      break;
  }
}

void ProcessTracks::finish() {
  process();  // a process without events is shown, too
  for (auto& [id, thread] : threads_) thread.calls->flush();
  for (auto& [key, stack] : range_stacks_) {
    for (; stack.depth > 0; --stack.depth) writer_.end(stack.uuid, span_.last_ns);
  }
  for (const auto& [id, range] : open_ranges_) close_range(range, span_.last_ns);
  open_ranges_.clear();
  if (capture_gap_) writer_.end(capture_uuid_, span_.last_ns);
  capture_gap_ = false;
}

std::uint64_t ProcessTracks::flow_of(std::uint32_t correlation) const {
  return (std::uint64_t{static_cast<std::uint32_t>(label_.pid)} << 32) | correlation;
}

bool ProcessTracks::first_of_launch(std::uint32_t correlation) {
  std::uint32_t& newest = recent_launches_[correlation % kRecent];
  if (newest == correlation) return false;
  newest = correlation;
  return true;
}

bool ProcessTracks::usable(std::uint64_t start_ns, std::uint64_t end_ns) {
  const bool good = start_ns != 0 && start_ns <= end_ns;
  if (!good) ++unusable_;
  return good;
}

}  // namespace gpuprof::perfetto
