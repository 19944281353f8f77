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
  ProcessInfo info{7,      3,          123456789, "/bin/p\xff",           {"p", "", "a b"},
                   "host", "counters", "0.1.0",   TraceBuilder::kStartNs, {}};
  Device device{1, "NVIDIA H200", "GH100", "GPU-1", 9, 0, 132, kMax64, 50 << 20, 4'800'000'000'000, 1'980'000};
  const LedgerSample ledger{1, 2, 3, 4, 5, 6, 7, 9, 10, 0, 0, 0, 0, 0, 0, 0};
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
    writer.add(Synchronization{10, 20, 3, 4, kMax32, 6, 7});
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
  CHECK(all.synchronizations[0].event == 7);
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

TEST_CASE("graphs as a whole, compilation, memory, NVTX and telemetry come back") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  constexpr std::uint64_t kStart = TraceBuilder::kStartNs;
  std::vector<GraphExecution> graphs;
  std::vector<NvtxEvent> nvtx;
  const std::vector<Jit> jits{{kStart, kStart + 5, 1, 2, 4711, 9}, {0, 0, 0, 0, kMax32, kMax32}};
  std::vector<MemoryEvent> memory;
  const std::vector<MemoryPoolEvent> pools{{kStart, kMax64, 1 << 30, 7, 2, 1, 3}, {1, 0, kMax64, 0, 0, 0, kMax32}};
  const std::vector<UnifiedMemory> unified{{kStart, 0, kMax64, 0x7f0000000000, 4, 1, 0}, {3, 9, 1, 2, 3, 4, kMax32}};
  const std::vector<TelemetrySample> samples{
      {kStart, 3, 0, 1980, 2619, 700'000, 61, 100, 55, kMax64, 1, 2, 0x8000000000000004, 5, 6},
      {kStart + 200'000'000, 3, 0x1fff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};
  {
    TraceBuilder builder{path};
    Writer& writer = builder.writer();
    const std::uint32_t queue = writer.queue_id({3, 2, 1});
    const std::uint32_t host_queue = writer.queue_id({kMax32, kMax32, 4});
    graphs = {{kStart, kStart + 10, host_queue, 5, 6}, {kStart - 9, 0, queue, kMax32, kMax32}};
    memory = {{kStart, kMax64, 0x7f0000000000, 0x10, 1, 3, queue, 12}, {kStart, 0, 0, 0, 2, 2, host_queue, 13}};
    const std::uint32_t step = writer.string_id("step {\"\xff\n}");
    const std::uint32_t domain = writer.string_id("NCCL");
    const std::uint32_t none = writer.string_id("");
    nvtx = {{kStart, NvtxKind::push, 4711, step, none, 0, 3, 0xff00ff00, NvtxPayload::real, 0x3ff8000000000000},
            {kStart + 1, NvtxKind::start, kMax32, step, domain, kMax64, kMax32, 0, NvtxPayload::signed_integer, kMax64},
            {kStart + 2, NvtxKind::mark, 4711, step, none, 0, 0, 0, NvtxPayload::unsigned_integer, 1},
            {kStart + 3, NvtxKind::end, 1, none, domain, kMax64, 0, 0, NvtxPayload::none, 0},
            {kStart + 4, NvtxKind::pop, 4711, none, none, 0, 0, 0, NvtxPayload::none, 0}};
    for (const auto& record : graphs) writer.add(record);
    for (const auto& record : jits) writer.add(record);
    for (const auto& record : memory) writer.add(record);
    for (const auto& record : pools) writer.add(record);
    for (const auto& record : unified) writer.add(record);
    for (const auto& record : nvtx) writer.add(record);
    for (const auto& record : samples) writer.add(record);
  }
  Dictionaries dictionaries;
  Everything all;
  const ReadResult result = read_file(path, dictionaries, all);
  CHECK(result.state == FileState::whole);
  CHECK(result.unknown_frames == 0);
  CHECK(all.graph_executions == graphs);
  CHECK(all.jits == jits);
  CHECK(all.memory_events == memory);
  CHECK(all.memory_pool_events == pools);
  CHECK(all.unified_memory == unified);
  CHECK(all.nvtx_events == nvtx);
  CHECK(all.telemetry_samples == samples);
  CHECK(dictionaries.string(nvtx[0].name) == "step {\"\xff\n}");
}

TEST_CASE("the single messages of format version 2 come back") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  ProcessInfo info;
  info.labels = {"RANK=3", "WORLD_SIZE=8", ""};
  LedgerSample ledger{1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17};
  const ThreadName thread{kMax32, "loader \xff"};
  const NvtxCategory category{"NCCL", kMax32, "all-reduce"};
  const Context context{1, 2, 7};
  const std::vector<Stream> streams{{1, 13, -5, 1}, {1, 14, 0, 0}};
  const std::vector<CapturePhase> phases{{kMax64, true, CaptureReason::delay}, {5, false, CaptureReason::size_limit}};
  const LaunchCounts counts{{0, 1, 0}, {kMax64, 1, 2}};
  const TelemetryDevice device{7, "NVIDIA H200", "GPU-7", 1980, 700'000};
  const TelemetryXid xid{123, 7, 79};
  {
    TraceBuilder builder{path};
    Writer& writer = builder.writer();
    writer.write(info);
    writer.write(ledger);
    writer.write(thread);
    writer.write(category);
    writer.write(context);
    for (const Stream& stream : streams) writer.write(stream);
    for (const CapturePhase& phase : phases) writer.write(phase);
    KernelShape shape;
    shape.name = writer.string_id("k");
    writer.shape_id(shape);
    shape.registers_per_thread = 255;
    writer.shape_id(shape);
    writer.write(counts);
    writer.write(LaunchCounts{});
    writer.write(device);
    writer.write(xid);
  }
  Dictionaries dictionaries;
  Everything all;
  const ReadResult result = read_file(path, dictionaries, all);
  CHECK(result.state == FileState::whole);
  CHECK(result.unknown_frames == 0);
  REQUIRE(all.processes.size() == 1);
  CHECK(all.processes[0].labels == info.labels);
  CHECK(all.ledgers == std::vector{ledger});
  CHECK(all.thread_names == std::vector{thread});
  CHECK(all.nvtx_categories == std::vector{category});
  CHECK(all.contexts == std::vector{context});
  CHECK(all.streams == streams);
  CHECK(all.capture_phases == phases);
  CHECK(all.launch_counts == std::vector{counts, LaunchCounts{}});
  CHECK(all.telemetry_devices == std::vector{device});
  CHECK(all.telemetry_xids == std::vector{xid});
}

TEST_CASE("zeros at the end of a column are not stored") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  constexpr std::size_t kCalls = 1000;
  {
    TraceBuilder builder{path};
    // Failed once, then never again: the column of results ends with the first call.
    const std::uint32_t function = builder.writer().string_id("cudaMalloc");
    for (std::size_t i = 0; i < kCalls; ++i) {
      builder.writer().add(ApiCall{i, i + 1, function, 1, 0, i == 0 ? 2U : 0U});
    }
  }
  const std::string bytes = test::bytes_of(path);
  CHECK(bytes.size() < 2 * kCalls + 200);
  Dictionaries dictionaries;
  Everything all;
  CHECK(read_file(path, dictionaries, all).state == FileState::whole);
  REQUIRE(all.api_calls.size() == kCalls);
  CHECK(all.api_calls[0].result == 2);
  CHECK(all.api_calls[1] == ApiCall{1, 2, 0, 1, 0, 0});
  CHECK(all.api_calls[kCalls - 1] == ApiCall{kCalls - 1, kCalls, 0, 1, 0, 0});
}

TEST_CASE("a file of format version 1 is read") {
  const std::string path = GPUPROF_SOURCE_DIR "/examples/recorded/train-h200.gpuprof/timeline/504-3015.trace";
  REQUIRE(load_u32(test::bytes_of(path).data() + kMagic.size()) == 1);
  Dictionaries dictionaries;
  Everything all;
  const ReadResult result = read_file(path, dictionaries, all);
  CHECK(result.state == FileState::whole);
  CHECK(result.unknown_frames == 0);
  REQUIRE(all.ledgers.size() > 0);
  CHECK(all.kernels.size() == all.ledgers.back().kernel_records);
  // As the report recorded beside it says.
  CHECK(all.kernels.size() == 52378);
  CHECK(all.api_calls.size() == 58624);
  CHECK(all.copies.size() == 150);
  CHECK(all.sets.size() == 5814);
  CHECK(all.ends.size() == 1);
}

}  // namespace
}  // namespace gpuprof::trace
