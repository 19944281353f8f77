// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// Everything that is written comes back.

#include <cmath>
#include <limits>

#include "everything.hpp"
#include "support/catch2_compat.hpp"
#include "support/trace_builder.hpp"

namespace gpuprof::trace {
namespace {

using test::Everything;
using test::TraceBuilder;
using test::TraceFolder;

constexpr std::uint64_t kMax64 = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint32_t kMax32 = std::numeric_limits<std::uint32_t>::max();

TEST_CASE("single messages come back field by field") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  ProcessInfo info{7,      3,          123456789, "/bin/p\xff",          {"p", "", "a b"},
                   "host", "counters", "0.1.0",   TraceBuilder::kStartNs};
  Device device{1, "NVIDIA H200", "GH100", "GPU-1", 9, 0, 132, kMax64, 50 << 20, 4'800'000'000'000, 1'980'000};
  const LedgerSample ledger{1, 2, 3, 4, 5, 6, 7, 9, 10};
  CounterPlan plan;
  plan.groups = {{"gpu__time_duration.sum", "dram__bytes.sum"}, {}, {"sm__cycles.avg"}};
  plan.kernels = {{"_Z3foov", {1, 2, 3}, {4, 5, 6}, 7}, {"bar", {kMax32, 1, 1}, {1024, 1, 1}, 0}};
  plan.samples = 0;
  plan.window_launches = 500;
  CounterWindow window{1, 2, 0, 100, 200, 2, true, 0, 1, {0, 0}, {1.5, std::nan(""), -0.0, 1e300}};
  CounterWindow graph_window{1, 2, 1, 300, 400, 1, false, 9, 0, {0}, {2.0}};
  {
    const auto writer = Writer::create(path);
    REQUIRE(writer);
    writer->write(info);
    writer->write(CuptiInfo{"/lib/libcupti.so", 130001});
    writer->write(device);
    writer->write(ClockSample{kMax64, 2, 3});
    writer->write(ledger);
    writer->write(NoticeRecord{NoticeCode::second_cupti, 5, "a and b"});
    writer->write(plan);
    writer->write(CounterGroups{1, "GH100", plan.groups});
    KernelShape shape;
    shape.name = writer->string_id("foo");
    CHECK(writer->shape_id(shape) == 0);
    writer->write(window);
    writer->write(graph_window);
    writer->write(ProcessEndRecord{99, 15});
    CHECK(writer->error() == 0);
    CHECK(writer->bytes_written() == test::bytes_of(path).size());
  }
  Dictionaries dictionaries;
  Everything all;
  const ReadResult result = read_file(path, dictionaries, all);
  CHECK(result.state == FileState::whole);
  CHECK(result.bytes == result.good_bytes);
  CHECK(result.unknown_frames == 0);

  REQUIRE(all.processes.size() == 1);
  CHECK(all.processes[0].pid == 7);
  CHECK(all.processes[0].parent_pid == 3);
  CHECK(all.processes[0].start_ticks == info.start_ticks);
  CHECK(all.processes[0].executable == info.executable);
  CHECK(all.processes[0].arguments == info.arguments);
  CHECK(all.processes[0].hostname == "host");
  CHECK(all.processes[0].stage == "counters");
  CHECK(all.processes[0].collector_version == "0.1.0");
  CHECK(all.processes[0].time_ns == info.time_ns);
  REQUIRE(all.cupti.size() == 1);
  CHECK(all.cupti[0].path == "/lib/libcupti.so");
  CHECK(all.cupti[0].version == 130001);
  REQUIRE(all.devices.size() == 1);
  CHECK(all.devices[0].name == device.name);
  CHECK(all.devices[0].memory_bytes == kMax64);
  CHECK(all.devices[0].peak_dram_bytes_per_second == device.peak_dram_bytes_per_second);
  CHECK(all.devices[0].max_sm_clock_khz == device.max_sm_clock_khz);
  REQUIRE(all.clocks.size() == 1);
  CHECK(all.clocks[0].cupti_ns == kMax64);
  CHECK(all.clocks[0].monotonic_ns == 3);
  REQUIRE(all.ledgers.size() == 1);
  CHECK(all.ledgers[0].kernel_launches == 1);
  CHECK(all.ledgers[0].graph_kernel_nodes == 3);
  CHECK(all.ledgers[0].foreign_buffers == 10);
  REQUIRE(all.notices.size() == 1);
  CHECK(all.notices[0].code == NoticeCode::second_cupti);
  CHECK(all.notices[0].detail == "a and b");
  REQUIRE(all.plans.size() == 1);
  CHECK(all.plans[0].groups == plan.groups);
  CHECK(all.plans[0].samples == 0);
  CHECK(all.plans[0].window_launches == 500);
  REQUIRE(all.plans[0].kernels.size() == 2);
  CHECK(all.plans[0].kernels[0].grid == Dim3{1, 2, 3});
  CHECK(all.plans[0].kernels[0].block == Dim3{4, 5, 6});
  CHECK(all.plans[0].kernels[0].dynamic_shared_bytes == 7);
  CHECK(all.plans[0].kernels[1].grid.x == kMax32);
  REQUIRE(all.groups.size() == 1);
  CHECK(all.groups[0].groups == plan.groups);
  REQUIRE(all.windows.size() == 2);
  CHECK(all.windows[0].discarded);
  CHECK(all.windows[0].launches == window.launches);
  REQUIRE(all.windows[0].values.size() == 4);
  CHECK(all.windows[0].values[0] == 1.5);
  CHECK(std::isnan(all.windows[0].values[1]));
  CHECK(std::signbit(all.windows[0].values[2]));
  CHECK(all.windows[0].values[3] == 1e300);
  CHECK(all.windows[0].warm_up_launches == 1);
  CHECK(all.windows[1].graph == 9);
  REQUIRE(all.ends.size() == 1);
  CHECK(all.ends[0].signal == 15);

  CounterPlan read_back;
  CHECK(read_plan(path, read_back));
  CHECK(read_back.groups == plan.groups);
  CHECK_FALSE(read_plan(folder.file("missing"), read_back));
}

TEST_CASE("raw kernel times come back, whatever they are") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  const std::vector<Kernel> kernels{
      {0, 0, 0, 0, 0, 0, 0},
      {100, 0, 0, 0, 1, 0, 0},
      {200, 100, 0, 0, kMax32, 0, 0},
      {kMax64, 1, 0, 0, 0, kMax32, kMax64},
      {std::uint64_t{1} << 63, kMax64, 0, 0, 5, 1, 0},
      {TraceBuilder::kStartNs, TraceBuilder::kStartNs, 0, 0, 4, 0, 1},
  };
  {
    TraceBuilder builder{path};
    builder.writer().queue_id({0, 1, 7});
    builder.writer().shape_id({builder.writer().string_id("k"), {}, {}, {}, 0, 0, 0, 0, 0});
    for (const Kernel& kernel : kernels) builder.writer().add(kernel);
  }
  Dictionaries dictionaries;
  Everything all;
  CHECK(read_file(path, dictionaries, all).state == FileState::whole);
  REQUIRE(all.kernels.size() == kernels.size());
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    INFO("kernel " << i);
    CHECK(all.kernels[i].start_ns == kernels[i].start_ns);
    CHECK(all.kernels[i].end_ns == kernels[i].end_ns);
    CHECK(all.kernels[i].correlation == kernels[i].correlation);
    CHECK(all.kernels[i].graph == kernels[i].graph);
    CHECK(all.kernels[i].graph_node == kernels[i].graph_node);
  }
}

TEST_CASE("records that are all zero are not lost") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  {
    TraceBuilder builder{path};
    builder.writer().queue_id({0, 0, 0});
    builder.writer().shape_id({builder.writer().string_id(""), {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0, 0});
    for (int i = 0; i < 3; ++i) builder.writer().add(Kernel{});
    builder.writer().add(Overhead{});
  }
  Dictionaries dictionaries;
  Everything all;
  CHECK(read_file(path, dictionaries, all).state == FileState::whole);
  CHECK(all.kernels.size() == 3);
  CHECK(all.overheads.size() == 1);
  CHECK(dictionaries.string(0).empty());
  CHECK(dictionaries.queue(0) == Queue{});
  CHECK(dictionaries.shape(0).grid == Dim3{0, 0, 0});
  CHECK(dictionaries.shape(0).cluster == Dim3{0, 0, 0});
}

TEST_CASE("the other columnar records come back") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  {
    TraceBuilder builder{path};
    Writer& writer = builder.writer();
    const std::uint32_t queue = writer.queue_id({3, 2, 1});
    writer.add(ApiCall{10, 20, writer.string_id("cudaMalloc"), kMax32, 8, 2});
    writer.add(ApiCall{5, 6, writer.string_id("cudaFree"), 1, 7, 0});
    writer.add(Copy{10, 20, kMax64, queue, 1, 2, 3, 4, 5});
    writer.add(Set{10, 20, 30, queue, 1, 3, 5});
    writer.add(Synchronization{10, 20, 3, 4, kMax32, 6});
    writer.add(Overhead{10, 20, 3, 4});
    writer.flush();
  }
  Dictionaries dictionaries;
  Everything all;
  CHECK(read_file(path, dictionaries, all).state == FileState::whole);
  REQUIRE(all.api_calls.size() == 2);
  CHECK(dictionaries.string(all.api_calls[0].function) == "cudaMalloc");
  CHECK(dictionaries.string(all.api_calls[1].function) == "cudaFree");
  CHECK(all.api_calls[0].thread == kMax32);
  CHECK(all.api_calls[0].result == 2);
  CHECK(all.api_calls[1].start_ns == 5);
  CHECK(all.api_calls[1].thread == 1);
  CHECK(all.api_calls[1].correlation == 7);
  REQUIRE(all.copies.size() == 1);
  CHECK(all.copies[0].bytes == kMax64);
  CHECK(all.copies[0].kind == 2);
  CHECK(all.copies[0].source == 3);
  CHECK(all.copies[0].destination == 4);
  CHECK(all.copies[0].graph == 5);
  REQUIRE(all.sets.size() == 1);
  CHECK(all.sets[0].memory == 3);
  CHECK(all.sets[0].graph == 5);
  REQUIRE(all.synchronizations.size() == 1);
  CHECK(all.synchronizations[0].stream == kMax32);
  CHECK(all.synchronizations[0].correlation == 6);
  REQUIRE(all.overheads.size() == 1);
  CHECK(all.overheads[0].thread == 4);
  CHECK(dictionaries.queue(all.copies[0].queue) == Queue{3, 2, 1});
}

TEST_CASE("dictionaries grow over the file and ids follow the bytes, not the memory") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  constexpr std::uint32_t kNames = 70'000;
  {
    TraceBuilder builder{path};
    Writer& writer = builder.writer();
    std::string name = "aaaa";
    const std::uint32_t first = writer.string_id(name);
    name = "bbbb";
    CHECK(writer.string_id(name) != first);
    name = "aaaa";
    CHECK(writer.string_id(name) == first);
    for (std::uint32_t i = 0; i < kNames; ++i) {
      builder.kernel("kernel" + std::to_string(i), i, 1, {{i + 1, 1, 1}, {128, 1, 1}, 0, i, i, 0});
    }
  }
  Dictionaries dictionaries;
  Everything all;
  CHECK(read_file(path, dictionaries, all).state == FileState::whole);
  REQUIRE(all.kernels.size() == kNames);
  CHECK(dictionaries.queue_count() == kNames);
  for (std::uint32_t i = 0; i < kNames; i += 997) {
    const KernelShape& shape = dictionaries.shape(all.kernels[i].shape);
    CHECK(dictionaries.string(shape.name) == "kernel" + std::to_string(i));
    CHECK(shape.grid.x == i + 1);
    CHECK(dictionaries.queue(all.kernels[i].queue).stream == i);
    CHECK(all.kernels[i].correlation == i);
  }
}

}  // namespace
}  // namespace gpuprof::trace
