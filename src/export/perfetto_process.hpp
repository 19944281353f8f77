// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The events of one process as tracks and slices.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "export/perfetto_lanes.hpp"
#include "export/perfetto_packets.hpp"
#include "gpuprof/report.hpp"
#include "trace/event_stream.hpp"

namespace gpuprof::perfetto {

// What a trace says once about its process. To be complete before events are written.
struct ProcessFacts : trace::Visitor {
  using trace::Visitor::on;
  void on(const trace::ProcessInfo& record) override { info = record; }
  void on(const trace::Device& record) override { devices[record.id] = record; }
  void on(const trace::ThreadName& record) override { thread_names[record.thread] = record.name; }
  void on(const trace::Context& record) override { contexts[record.id] = record; }
  void on(const trace::Stream& record) override { streams[{record.context, record.id}] = record; }
  void on(const trace::NvtxCategory& record) override { categories[{record.domain, record.id}] = record.name; }
  void on(const trace::ProcessEndRecord& record) override { end = record; }

  std::optional<trace::ProcessInfo> info;
  std::optional<trace::ProcessEndRecord> end;
  std::map<std::uint32_t, trace::Device> devices;
  std::map<std::uint32_t, std::string> thread_names;
  std::map<std::uint32_t, trace::Context> contexts;
  std::map<std::pair<std::uint32_t, std::uint32_t>, trace::Stream> streams;
  std::map<std::pair<std::string, std::uint32_t>, std::string> categories;
};

// How a process is shown.
struct ProcessLabel {
  std::int32_t pid = 0;   // unique in the whole trace, even where the real one is not
  std::int32_t rank = 0;  // position among the processes
  std::string name;
};

// Counters by kernel, as the report has them.
using KernelCounters = std::map<KernelKey, const KernelReport*>;

class ProcessTracks : public trace::EventVisitor {
 public:
  // Everything has to outlive the object; `facts`, `dictionaries` and `span` must be complete before the first event.
  ProcessTracks(PacketWriter& writer, ProcessLabel label, const ProcessFacts& facts,
                const trace::Dictionaries& dictionaries, const trace::EventSpan& span, const KernelCounters& counters);
  ~ProcessTracks() override;

  void on(const trace::Operation& operation) override;
  void on(const trace::ApiCall& call) override;
  void on(const trace::Synchronization& record) override;
  void on(const trace::NvtxEvent& event) override;
  void on(const trace::Overhead& record) override;
  void on(const trace::Jit& record) override;
  void on(const trace::MemoryEvent& event) override;
  void on(const trace::CapturePhase& phase) override;

  // Ends what is still open. To be called once, after the last event.
  void finish();

  std::uint64_t unusable() const { return unusable_; }  // host records whose end lies before their start

 private:
  // A row of slices that may overlap: tracks of one name, which the viewer shows as one row.
  struct Row {
    Track track;  // of every lane, but for the uuid
    Lanes lanes;
    std::vector<std::uint64_t> uuids;
  };
  struct Thread {
    std::uint64_t uuid = 0;
    std::unique_ptr<NestedSlices> calls;
    Row crossing;  // calls that are not nested
  };
  struct RangeStack {
    std::uint64_t uuid = 0;
    std::uint64_t depth = 0;
  };
  struct OpenRange {
    Row* row = nullptr;
    std::size_t lane = 0;
  };
  struct RecentCall {
    std::uint32_t correlation = 0;
    std::uint32_t thread = 0;
    std::uint64_t start_ns = 0;
    std::uint64_t end_ns = 0;
  };
  // Ids of the annotations' names.
  struct Keys {
    explicit Keys(PacketWriter& writer);
    std::uint64_t grid, block, cluster, registers, static_shared, dynamic_shared, local, counters;
    std::uint64_t stream, context, correlation, graph, node, bytes, bandwidth, source, destination;
    std::uint64_t result, event, category, payload, color, thread;
  };

  std::uint64_t process();
  Thread& thread(std::uint32_t id);
  std::uint64_t device(std::uint32_t id);
  Row& queue(std::uint32_t id);
  Row make_row(std::uint64_t parent, std::string name, std::int32_t rank) const;
  Row& process_row(std::optional<Row>& row, const char* name, std::int32_t rank);
  Row& domain_row(std::map<std::uint32_t, Row>& rows, const char* what, std::uint32_t domain, std::int32_t rank);
  std::uint64_t lane_track(Row& row, std::size_t lane);
  void put(Row& row, const Slice& slice);
  std::string stream_name(const trace::Queue& queue) const;

  std::uint64_t fixed_name(const std::string& text);
  std::uint64_t text_name(std::uint32_t string_id);      // as the program gave it
  std::uint64_t kernel_name(std::uint32_t string_id);    // demangled
  std::uint64_t function_name(std::uint32_t string_id);  // of the API
  bool function_starts_work(std::uint32_t string_id);
  const std::string& shape_annotations(std::uint32_t shape);
  std::string domain_title(const char* what, std::uint32_t domain) const;
  void close_range(const OpenRange& range, std::uint64_t time_ns);
  void describe_range(const trace::NvtxEvent& event);
  std::uint64_t flow_of(std::uint32_t correlation) const;
  bool first_of_launch(std::uint32_t correlation);
  bool usable(std::uint64_t start_ns, std::uint64_t end_ns);

  PacketWriter& writer_;
  ProcessLabel label_;
  const ProcessFacts& facts_;
  const trace::Dictionaries& dictionaries_;
  const trace::EventSpan& span_;
  const KernelCounters& counters_;

  std::uint64_t process_uuid_ = 0;
  std::map<std::uint32_t, std::uint64_t> device_uuids_;
  std::unordered_map<std::uint32_t, Thread> threads_;
  std::vector<std::optional<Row>> queues_;
  std::optional<Row> host_graphs_;
  std::optional<Row> waits_;
  std::optional<Row> overheads_;
  std::optional<Row> jits_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, RangeStack> range_stacks_;  // by thread and domain
  std::map<std::uint32_t, Row> ranges_;                                         // by domain
  std::map<std::uint32_t, Row> marks_;
  std::unordered_map<std::uint64_t, OpenRange> open_ranges_;
  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> memory_;  // by kind: track, bytes
  std::uint64_t capture_uuid_ = 0;
  bool capture_known_ = false;
  bool capture_gap_ = false;

  std::unordered_map<std::string, std::uint64_t> fixed_names_;
  std::vector<std::uint64_t> text_names_;
  std::vector<std::uint64_t> kernel_names_;
  std::vector<std::uint64_t> function_names_;
  std::vector<std::uint8_t> starts_work_;  // by string id: 0 not looked at, 1 no, 2 yes
  std::vector<std::string> shape_annotations_;
  std::vector<RecentCall> recent_calls_;
  std::vector<std::uint32_t> recent_launches_;
  Annotations annotations_;
  std::uint64_t unusable_ = 0;
  Keys keys_;
};

}  // namespace gpuprof::perfetto
