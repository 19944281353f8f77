// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// What single records are worth: classes of stamps, host clocks, allocations. Through summarize().

#include <string>

#include "notices.hpp"
#include "scene.hpp"
#include "support/catch2_compat.hpp"
#include "timeline/clock_check.hpp"

namespace gpuprof::timeline {
namespace {

using test::has_notice;
using test::notice_with;
using test::Scene;
using test::summary_of_scene;
using test::TraceBuilder;

constexpr std::uint64_t kStart = TraceBuilder::kStartNs;
constexpr std::uint64_t kMinute = 60'000'000'000;

RecordClasses classes_of(const Summary& summary, const std::string& kind) {
  for (const RecordClasses& classes : summary.ledger.records) {
    if (classes.kind == kind) return classes;
  }
  return {};
}

// One record of each class, and two usable ones: one of them an hour after the start, which only the process's end
// shows to be right.
template <typename Record>
void add_one_of_each(trace::Writer& writer, Record record) {
  const auto add = [&](std::uint64_t start_ns, std::uint64_t end_ns) {
    record.start_ns = start_ns;
    record.end_ns = end_ns;
    writer.add(record);
  };
  add(kStart + 10, kStart + 15);
  add(kStart + 60 * kMinute, kStart + 60 * kMinute + 7);
  add(0, 0);
  add(kStart + 20, 0);
  add(kStart + 30, kStart + 29);
  add(kStart - 2 * kMinute, kStart + 40);
}

TEST_CASE("records of every kind are counted by what their stamps are worth") {
  const Summary summary = summary_of_scene(61 * kMinute, [](Scene& scene) {
    trace::Writer& writer = scene.builder().writer();
    trace::Copy copy;
    copy.queue = writer.queue_id({0, 1, 7});
    copy.bytes = 1;
    add_one_of_each(writer, copy);
    copy.start_ns = kStart + 50;
    copy.end_ns = kStart + 70 * kMinute;  // after the process's end by more than a minute
    writer.add(copy);
    trace::Set set;
    set.queue = copy.queue;
    add_one_of_each(writer, set);
    trace::GraphExecution execution;
    execution.queue = copy.queue;
    add_one_of_each(writer, execution);
    trace::ApiCall call;
    call.function = writer.string_id("cudaMalloc");
    add_one_of_each(writer, call);
    add_one_of_each(writer, trace::Synchronization{0, 0, 3});
  });
  for (const char* kind : {"copies", "sets", "graph_executions", "api_calls", "synchronizations"}) {
    CAPTURE(kind);
    const RecordClasses classes = classes_of(summary, kind);
    CHECK(classes.stored == 2);
    CHECK(classes.untimed == 1);
    CHECK(classes.unfinished == 1);
    CHECK(classes.negative == 1);
    CHECK(classes.wrong_clock == (std::string(kind) == "copies" ? 2 : 1));
  }
  CHECK(classes_of(summary, "kernels").kind.empty());  // there are none
  CHECK(summary.totals.copy_time_ns == 12);
  CHECK(summary.totals.synchronization_time_ns == 12);
  CHECK(summary.ledger.copies == 7);
  CHECK_FALSE(has_notice(summary.notices, "timeline.no_kernels"));  // whole graphs ran
}

TEST_CASE("classes are summed over processes") {
  const test::TraceFolder folder;
  for (int pid = 1; pid <= 2; ++pid) {
    Scene scene{folder.file(std::to_string(pid) + "-1.trace"), static_cast<std::uint32_t>(pid)};
    scene.launch("a", 10, 100, 5);
    scene.builder().raw_kernel("a", 0, 0);
    trace::LedgerSample untimed;
    untimed.kernel_launches = 1;
    scene.exit(10'000, untimed);
  }
  const Summary summary = summarize(folder.path());
  CHECK(classes_of(summary, "kernels").stored == 2);
  CHECK(classes_of(summary, "kernels").untimed == 2);
  CHECK(classes_of(summary, "api_calls").stored == 2);
  CHECK(summary.ledger.records.size() == 2);
}

trace::ClockSample sample(std::int64_t realtime_ns, std::int64_t monotonic_ns) {
  return {0, kStart + static_cast<std::uint64_t>(realtime_ns), 1'000 + static_cast<std::uint64_t>(monotonic_ns)};
}

ClockReport clock_report(std::initializer_list<trace::ClockSample> samples) {
  ClockCheck check;
  for (const trace::ClockSample& each : samples) check.add(each);
  return check.report();
}

TEST_CASE("a clock that is set has jumped, one that ticks has not") {
  constexpr std::int64_t kMs = 1'000'000;
  CHECK(clock_report({}).jumps == 0);
  CHECK(clock_report({sample(0, 0), sample(500 * kMs, 500 * kMs), sample(900 * kMs, 901 * kMs)}).jumps == 0);
  const ClockReport forward = clock_report(
      {sample(0, 0), sample(100 * kMs, 100 * kMs), sample(3'200 * kMs, 200 * kMs), sample(3'300 * kMs, 300 * kMs)});
  CHECK(forward.samples == 4);
  CHECK(forward.jumps == 1);
  CHECK(forward.largest_jump_ns == 3'000 * kMs);
  const ClockReport both = clock_report(
      {sample(0, 0), sample(105 * kMs, 100 * kMs), sample(205 * kMs, 200 * kMs), sample(295 * kMs, 300 * kMs)});
  CHECK(both.jumps == 2);
  CHECK(both.largest_jump_ns == -10 * kMs);
  // At the last sample it cannot be told from one that goes on.
  CHECK(clock_report({sample(0, 0), sample(102 * kMs, 100 * kMs)}).jumps == 1);
  // The thread slept between reading the two clocks.
  CHECK(clock_report({sample(0, 0), sample(100 * kMs, 105 * kMs), sample(200 * kMs, 200 * kMs)}).jumps == 0);
  // Samples without one of the clocks say nothing.
  CHECK(clock_report({sample(0, 0), {0, kStart, 0}, sample(1, 1)}).samples == 2);
}

TEST_CASE("a jump of the clock is reported for its process") {
  const Summary summary = summary_of_scene(10'000, [](Scene& scene) {
    scene.launch("a", 10, 100, 5);
    for (const trace::ClockSample& each :
         {sample(0, 0), sample(2'000, 1'000), sample(-2'000'000, 2'000), sample(-1'999'000, 3'000)}) {
      scene.builder().writer().write(each);
    }
  });
  REQUIRE(summary.ledger.clocks.size() == 1);
  CHECK(summary.ledger.clocks[0].pid == 1);
  CHECK(summary.ledger.clocks[0].jumps == 1);
  CHECK(summary.ledger.clocks[0].largest_jump_ns == -2'003'000);
  CHECK_THAT(notice_with(summary.notices, "clock.jumped").text, ContainsSubstring("set 1 time while process 1"));
}

TEST_CASE("memory in use by kind") {
  constexpr std::uint32_t kPinned = 2;
  constexpr std::uint32_t kDevice = 3;
  const test::TraceFolder folder;
  for (std::uint32_t pid = 1; pid <= 2; ++pid) {
    Scene scene{folder.file(std::to_string(pid) + "-1.trace"), pid};
    scene.launch("a", 10, 100, 5);
    trace::Writer& writer = scene.builder().writer();
    std::uint64_t time_ns = kStart;
    const auto event = [&](std::uint32_t operation, std::uint32_t kind, std::uint64_t address, std::uint64_t bytes) {
      trace::MemoryEvent record;
      record.time_ns = ++time_ns;
      record.operation = operation;
      record.kind = kind;
      record.address = address;
      record.bytes = bytes;
      record.queue = writer.queue_id({0, 1, 7});
      writer.add(record);
    };
    event(2, kDevice, 0x500, 999);  // allocated before recording began
    event(1, kDevice, 0x100, 1'000 * pid);
    event(1, kDevice, 0x200, 500);
    event(2, kDevice, 0x100, 0);  // however large a release says it is
    event(1, kDevice, 0x300, 600);
    event(1, kPinned, 0x100, 64);
    event(1, kPinned, 0x100, 128);  // its release was not recorded
    event(2, kPinned, 0x100, 128);
    scene.exit(10'000);
  }
  const Summary summary = summarize(folder.path());
  REQUIRE(summary.memory.size() == 2);
  CHECK(summary.memory[0].kind == "device");
  CHECK(summary.memory[0].allocations == 6);
  CHECK(summary.memory[0].releases == 4);
  CHECK(summary.memory[0].allocated_bytes == 5'200);
  CHECK(summary.memory[0].peak_bytes == 2'500);  // of the second process
  CHECK(summary.memory[1].kind == "pinned");
  CHECK(summary.memory[1].peak_bytes == 128);
}

}  // namespace
}  // namespace gpuprof::timeline
