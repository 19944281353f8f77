// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// Events of a file come in time order, joined to their launches, whatever the order of the records is.
#include "trace/event_stream.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <random>

#include "everything.hpp"
#include "support/catch2_compat.hpp"
#include "support/trace_builder.hpp"
#include "trace/process_lifetime.hpp"

namespace gpuprof::trace {
namespace {

using test::Everything;
using test::TraceBuilder;
using test::TraceFolder;

constexpr std::uint64_t kStart = TraceBuilder::kStartNs;
constexpr std::uint64_t kLead = EventVisitor::kHostLeadNs;

// One line an event: what it is, its time after the process's start, and for operations the launching function.
class Log : public EventVisitor {
 public:
  explicit Log(const Dictionaries& dictionaries) : dictionaries_(dictionaries) {}

  void on(const Operation& event) override {
    static const char* const kKinds[] = {"kernel", "copy", "set", "graph"};
    std::string text = kKinds[static_cast<int>(event.kind)];
    text += "<-";
    if (event.launch != nullptr) text += dictionaries_.string(event.launch->function);
    add(text, event.start_ns);
    operations.push_back(event);
  }
  void on(const ApiCall& event) override { add(std::string(dictionaries_.string(event.function)), event.start_ns); }
  void on(const Synchronization& event) override { add("synchronization", event.start_ns); }
  void on(const NvtxEvent& event) override { add("nvtx", event.time_ns); }
  void on(const Overhead& event) override { add("overhead", event.start_ns); }
  void on(const Jit& event) override { add("jit", event.start_ns); }
  void on(const MemoryEvent& event) override { add("memory", event.time_ns); }
  void on(const CapturePhase& event) override { add(event.on ? "capture on" : "capture off", event.time_ns); }

  std::vector<std::string> lines;
  std::vector<Operation> operations;  // their launches are of no use any more

 private:
  void add(const std::string& text, std::uint64_t time_ns) {
    lines.push_back(text + " " + std::to_string(time_ns - kStart));
  }

  const Dictionaries& dictionaries_;
};

struct Events {
  std::vector<std::string> lines;
  std::vector<Operation> operations;
  EventSpan span;
  ReadResult read;
};

Events events_of(const std::string& path, Visitor* records = nullptr) {
  Dictionaries dictionaries;
  Log log{dictionaries};
  Events events;
  events.read = read_events(path, dictionaries, log, records, &events.span);
  events.lines = log.lines;
  events.operations = log.operations;
  return events;
}

using Lines = std::vector<std::string>;

test::LaunchOptions launched_as(std::uint32_t correlation, std::uint32_t graph = 0) {
  test::LaunchOptions options;
  options.correlation = correlation;
  options.graph = graph;
  return options;
}

TEST_CASE("events come in time order with host events up to the lead earlier") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  TraceBuilder(path)
      .process(1)
      .kernel("b", 2 * kLead, 10, launched_as(2))
      .kernel("a", 5, 10, launched_as(1))
      .api("cudaLaunchKernel", 5 + kLead + 1, 1, 9)
      .api("cudaLaunchKernel", 0, 3, 1)
      .api("cudaLaunchKernel", 5 + kLead, 1, 2)
      .synchronization(3, 7, 1)
      .exit(3 * kLead);
  const Events events = events_of(path);
  CHECK(events.lines == Lines{"cudaLaunchKernel 0", "synchronization 7", "cudaLaunchKernel 1000005",
                              "kernel<-cudaLaunchKernel 5", "cudaLaunchKernel 1000006",
                              "kernel<-cudaLaunchKernel 2000000"});
  CHECK(events.span.first_ns == kStart);
  CHECK(events.span.last_ns == kStart + 3 * kLead);
  CHECK(events.read.state == FileState::whole);
}

TEST_CASE("every kind of event is delivered") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  {
    TraceBuilder builder{path};
    builder.process(1).api("cudaGraphLaunch", 10, 5, 3).copy(1, 2, 3, 40, 5, 4096).set(3, 50, 5, 64);
    Writer& writer = builder.writer();
    const std::uint32_t name = writer.string_id("range");
    writer.add(NvtxEvent{kStart + 2, NvtxKind::push, 1, name, name, 0, 0, 0, NvtxPayload::none, 0});
    writer.add(Overhead{kStart + 3, kStart + 4, 1, 1});
    writer.add(Jit{kStart + 4, kStart + 5, 1, 1, 1, 0});
    writer.add(MemoryEvent{kStart + 5, 1, 1, 0, 1, 3, 0, 0});
    writer.add(GraphExecution{kStart + 30, kStart + 39, 0, 3, 8});
    writer.write(CapturePhase{kStart + 1, true, CaptureReason::delay});
  }
  const Events events = events_of(path);
  CHECK(events.lines == Lines{"capture on 1", "nvtx 2", "overhead 3", "jit 4", "memory 5", "cudaGraphLaunch 10",
                              "graph<-cudaGraphLaunch 30", "copy<- 40", "set<- 50"});
  REQUIRE(events.operations.size() == 3);
  CHECK(events.operations[0].graph == 8);
  CHECK(events.operations[1].bytes == 4096);
  CHECK(events.operations[1].copy_kind == 1);
  CHECK(events.operations[1].source == 2);
  CHECK(events.operations[1].destination == 3);
  CHECK(events.operations[2].bytes == 64);
  CHECK(events.operations[2].destination == 3);
}

TEST_CASE("an operation is joined to the runtime call, else to the driver call, never by correlation 0") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  TraceBuilder(path)
      .process(1)
      .api("cuLaunchKernel", 12, 2, 1)
      .api("cudaLaunchKernel", 10, 5, 1)
      .api("cuLaunchKernelEx", 20, 5, 2)
      .api("cudaMalloc", 25, 5, 0)
      // The driver record with the earlier start, as clocks may have it.
      .api("cuLaunchKernel", 28, 2, 4)
      .api("cudaLaunchKernel", 29, 5, 4)
      .kernel("k", 100, 1, launched_as(1))
      .kernel("k", 110, 1, launched_as(2))
      .kernel("k", 120, 1, launched_as(0))
      .kernel("k", 130, 1, launched_as(3))
      .kernel("k", 140, 1, launched_as(4));
  const Events events = events_of(path);
  REQUIRE(events.lines.size() == 11);
  CHECK(Lines(events.lines.begin() + 6, events.lines.end()) == Lines{"kernel<-cudaLaunchKernel 100",
                                                                     "kernel<-cuLaunchKernelEx 110", "kernel<- 120",
                                                                     "kernel<- 130", "kernel<-cudaLaunchKernel 140"});
}

TEST_CASE("all operations of a graph launch are joined to it, whatever else is launched in between") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  constexpr std::uint32_t kOthers = 300'000;
  {
    TraceBuilder builder{path};
    builder.process(1).api("cudaGraphLaunch", 1, 1, 7);
    for (std::uint32_t i = 0; i < kOthers; ++i) builder.api("cudaLaunchKernel", 10 + i, 1, 8 + i);
    for (std::uint64_t i = 0; i < 10; ++i) builder.kernel("k", 400'000 + i, 1, launched_as(7, 5));
    builder.kernel("k", 500'000, 1, launched_as(8)).kernel("k", 500'001, 1, launched_as(7 + kOthers));
  }
  const Events events = events_of(path);
  const Lines last(events.lines.end() - 12, events.lines.end());
  CHECK(last.front() == "kernel<-cudaGraphLaunch 400000");
  CHECK(last[9] == "kernel<-cudaGraphLaunch 400009");
  CHECK(last[10] == "kernel<-cudaLaunchKernel 500000");
  CHECK(last[11] == "kernel<-cudaLaunchKernel 500001");
}

TEST_CASE("a launch that the host clock puts too late is not known in time") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  TraceBuilder(path)
      .process(1)
      .kernel("k", 100, 1, launched_as(1))
      .api("cudaLaunchKernel", 900, 5, 1)
      .kernel("k", 2000, 1, launched_as(2))
      .api("cudaLaunchKernel", 2001 + kLead, 5, 2);
  CHECK(events_of(path).lines ==
        Lines{"cudaLaunchKernel 900", "kernel<-cudaLaunchKernel 100", "kernel<- 2000", "cudaLaunchKernel 1002001"});
}

TEST_CASE("what has no usable time is left out, and its stamps do not count in the span") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  constexpr std::uint64_t kMinute = 60'000'000'000;
  TraceBuilder(path)
      .process(1)
      .raw_kernel("untimed", 0, 0)
      .raw_kernel("unfinished", kStart + 5, 0)
      .raw_kernel("negative", kStart + 5, kStart + 4)
      .raw_kernel("early", kStart - 2 * kMinute, kStart + 5)
      .raw_kernel("late", kStart + 5, kStart + 5 * kMinute)
      .raw_kernel("impossible", kStart, ProcessLifetime::kImpossibleNs)
      .raw_kernel("good", kStart + 7, kStart + 8)
      .raw_kernel("zero length", kStart + 9, kStart + 9)
      .raw_kernel("a little early", kStart - 100, kStart + 1)
      .exit(1000);
  Everything all;
  const Events events = events_of(path, &all);
  CHECK(events.lines.size() == 3);
  CHECK(events.lines[1] == "kernel<- 7");
  CHECK(events.lines[2] == "kernel<- 9");
  CHECK(events.span.first_ns == kStart - 100);
  CHECK(events.span.last_ns == kStart + 1000);
  CHECK(all.kernels.size() == 9);
}

TEST_CASE("records that end after everything known so far are judged by the whole file") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  constexpr std::uint64_t kLate = 300'000'000'000;
  {
    TraceBuilder builder{path};
    builder.process(1).kernel("k", kLate, 5);
    builder.writer().flush();
    builder.clock(kLate);
  }
  const Events events = events_of(path);
  CHECK(events.lines == Lines{"kernel<- 300000000000"});
  CHECK(events.span.last_ns == kStart + kLate + 5);
}

TEST_CASE("a file without events gives the process's span, one without frames none") {
  const TraceFolder folder;
  TraceBuilder(folder.file("1.trace")).process(1).exit(77);
  TraceBuilder{folder.file("2.trace")};
  CHECK(events_of(folder.file("1.trace")).span.last_ns == kStart + 77);
  CHECK(events_of(folder.file("2.trace")).span.last_ns == 0);
  CHECK(events_of(folder.file("2.trace")).read.state == FileState::empty);
}

// A file whose frames of records lie in it in another order: `order` counts those behind the dictionaries.
void write_permuted(const std::string& path, const std::vector<test::Frame>& frames,
                    const std::vector<std::size_t>& order) {
  std::ofstream file{path, std::ios::binary};
  file << test::file_start();
  std::vector<test::Frame> records;
  for (const test::Frame& frame : frames) {
    const auto kind = static_cast<FrameKind>(frame.kind);
    if (kind == FrameKind::process_info || kind == FrameKind::strings || kind == FrameKind::kernel_shapes ||
        kind == FrameKind::queues) {
      file << test::frame(frame.kind, frame.payload);
    } else {
      records.push_back(frame);
    }
  }
  REQUIRE(records.size() == order.size());
  for (const std::size_t i : order) file << test::frame(records[i].kind, records[i].payload);
}

TEST_CASE("every order of the frames gives the same events") {
  const TraceFolder folder;
  {
    TraceBuilder builder{folder.file("1.trace")};
    builder.process(1);
    builder.kernel("k", 100, 10, launched_as(1)).kernel("k", 100, 20, launched_as(2)).copy(1, 1, 3, 100, 5, 8);
    builder.api("cudaLaunchKernel", 10, 5, 1).api("cuLaunchKernel", 11, 3, 1).synchronization(3, 10, 200);
    builder.writer().flush();
    builder.kernel("k", 90, 10, launched_as(3)).kernel("k", 100, 20, launched_as(4));
    builder.api("cudaLaunchKernel", 5, 4, 3).api("cudaLaunchKernel", 10, 5, 4);
    builder.clock(500).exit(1000);
  }
  const std::vector<test::Frame> frames = test::frames_of(test::bytes_of(folder.file("1.trace")));
  const Events expected = events_of(folder.file("1.trace"));
  CHECK(expected.lines.size() == 10);
  // Four kinds, two of them twice, a clock sample, the end.
  std::vector<std::size_t> order{0, 1, 2, 3, 4, 5, 6, 7};
  do {
    const std::string path = folder.file("permuted.trace");
    write_permuted(path, frames, order);
    const Events events = events_of(path);
    if (events.lines != expected.lines || events.span.last_ns != expected.span.last_ns) {
      CHECK(events.lines == expected.lines);
      CHECK(events.span.last_ns == expected.span.last_ns);
      FAIL("in the order " << order[0] << order[1] << order[2] << order[3] << order[4] << order[5] << order[6]);
    }
    // Every seventh of the 40,320 orders.
    for (int i = 0; i < 6; ++i) std::next_permutation(order.begin(), order.end());
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("a torn file delivers the events of its whole frames") {
  const TraceFolder folder;
  {
    TraceBuilder builder{folder.file("1.trace")};
    builder.process(1).kernel("k", 10, 5);
    builder.writer().flush();
    builder.kernel("k", 20, 5);
  }
  const std::string bytes = test::bytes_of(folder.file("1.trace"));
  std::ofstream{folder.file("2.trace"), std::ios::binary} << bytes.substr(0, bytes.size() - 1);
  const Events events = events_of(folder.file("2.trace"));
  CHECK(events.read.state == FileState::torn);
  CHECK(events.lines == Lines{"kernel<- 10"});
}

TEST_CASE("random records come out as if sorted") {
  std::mt19937 random{7};
  for (int round = 0; round < 30; ++round) {
    const TraceFolder folder;
    const std::string path = folder.file("1.trace");
    struct Expected {
      std::uint64_t key_ns;
      std::uint64_t rank;
      std::string line;
    };
    std::vector<Expected> expected;
    {
      TraceBuilder builder{path};
      builder.process(1);
      std::map<std::uint32_t, std::uint64_t> launches;
      const std::uint64_t width = round % 2 == 0 ? 50 : 10 * kLead;
      for (std::uint32_t i = 1; i <= 400; ++i) {
        const std::uint64_t time_ns = random() % width + i * width / 100;
        if (random() % 2 == 0) {
          builder.api("cudaLaunchKernel", time_ns, random() % 5, i);
          expected.push_back({time_ns, i, "cudaLaunchKernel " + std::to_string(time_ns)});
        } else {
          builder.kernel("k", time_ns, random() % 5, launched_as(1'000'000 + i));
          expected.push_back({time_ns + kLead, (std::uint64_t{1} << 32) + i, "kernel<- " + std::to_string(time_ns)});
        }
        if (random() % 20 == 0) builder.writer().flush();
      }
    }
    // At equal positions of host and device the order is not specified, so the kinds' rank must not be relied on.
    std::sort(expected.begin(), expected.end(), [](const Expected& a, const Expected& b) {
      return a.key_ns != b.key_ns ? a.key_ns < b.key_ns : a.line < b.line;
    });
    const Events events = events_of(path);
    REQUIRE(events.lines.size() == expected.size());
    Lines lines = events.lines;
    const auto key = [](const std::string& line) {
      return std::stoull(line.substr(line.rfind(' ') + 1)) + (line[0] == 'k' ? kLead : 0);
    };
    for (std::size_t i = 1; i < lines.size(); ++i) REQUIRE(key(lines[i - 1]) <= key(lines[i]));
    std::stable_sort(lines.begin(), lines.end(), [&key](const std::string& a, const std::string& b) {
      return key(a) != key(b) ? key(a) < key(b) : a < b;
    });
    for (std::size_t i = 0; i < lines.size(); ++i) REQUIRE(lines[i] == expected[i].line);
  }
}

TEST_CASE("a fan-out hands every event to all of its visitors") {
  const TraceFolder folder;
  TraceBuilder(folder.file("1.trace")).process(1).api("cudaMalloc", 1, 1).kernel("k", 2, 1).synchronization(1, 3, 1);
  Dictionaries dictionaries;
  Log first{dictionaries};
  Log second{dictionaries};
  EventFanOut both{{&first, &second}};
  read_events(folder.file("1.trace"), dictionaries, both);
  CHECK(first.lines == Lines{"cudaMalloc 1", "synchronization 3", "kernel<- 2"});
  CHECK(second.lines == first.lines);
}

}  // namespace
}  // namespace gpuprof::trace
