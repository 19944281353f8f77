// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "export/perfetto.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "support/catch2_compat.hpp"
#include "support/trace_builder.hpp"
#include "viewer.hpp"

namespace gpuprof::perfetto {
namespace {

using gpuprof::test::TraceBuilder;
using gpuprof::test::TraceFolder;
using test::SeenSlice;
using test::Viewer;

constexpr std::uint64_t kStart = TraceBuilder::kStartNs;

bool cannot_decode() {
  if (test::can_decode()) return false;
  WARN("skipped: protoc is not installed (package protobuf-compiler)");
  return true;
}

Viewer view(const Input& input, Result* result = nullptr) {
  std::string bytes;
  const Result written = write_trace(input, [&](std::string_view piece) { bytes += piece; });
  CHECK(written.bytes == bytes.size());
  if (result != nullptr) *result = written;
  Viewer viewer(bytes);
  CHECK(viewer.problems == std::vector<std::string>{});
  return viewer;
}

Viewer view(const TraceFolder& folder, const std::string& file) {
  return view(Input{{folder.file(file)}, {}, nullptr});
}

std::string describe(const SeenSlice& slice) {
  return std::to_string(slice.depth) + " " + slice.name + " " + std::to_string(slice.start_ns - kStart) + "-" +
         std::to_string(slice.end_ns - kStart);
}

std::vector<std::string> described(const std::vector<SeenSlice>& slices) {
  std::vector<std::string> texts;
  for (const SeenSlice& slice : slices) texts.push_back(describe(slice));
  return texts;
}

using Texts = std::vector<std::string>;

trace::NvtxEvent nvtx(TraceBuilder& builder, trace::NvtxKind kind, std::uint64_t time_ns, const std::string& name,
                      const std::string& domain = {}, std::uint64_t range = 0) {
  trace::NvtxEvent event;
  event.time_ns = kStart + time_ns;
  event.kind = kind;
  event.thread = 4711;
  event.name = builder.writer().string_id(name);
  event.domain = builder.writer().string_id(domain);
  event.range = range;
  return event;
}

TEST_CASE("kernels lie on their stream with names, arguments and an arrow from their launch") {
  if (cannot_decode()) return;
  const TraceFolder folder;
  {
    TraceBuilder builder(folder.file("1.trace"));
    builder.process(123).device(0, "GPU-1").clock(0);
    builder.writer().write(trace::Context{1, 0, 7});
    builder.writer().write(trace::ThreadName{4711, "worker"});
    builder.api("cudaLaunchKernel_v7000", 10, 20, 5);
    builder.kernel("_Z4gemmi", 50, 100, {{2, 3, 4}, {32, 1, 1}, 48, 7, 5, 0});
    builder.api("cudaLaunchKernel_v7000", 40, 20, 6).kernel("other", 160, 10, {{}, {}, 0, 9, 6, 0});
    builder.exit();
  }
  Report report;
  KernelReport kernel;
  kernel.key = {"_Z4gemmi", {2, 3, 4}, {32, 1, 1}, 48};
  kernel.counters["sm__throughput.avg.pct_of_peak_sustained_elapsed"].mean = 12.5;
  kernel.counters["not__measured.sum"].reason = "no";
  report.kernels.push_back(kernel);
  const Viewer seen = view(Input{{folder.file("1.trace")}, {}, &report});

  const SeenSlice& gemm = seen.slice("gemm(int)");
  CHECK(seen.path(gemm.track) == "program (pid 123)/GPU 0: NVIDIA H200/Stream 7 (default)");
  CHECK(gemm.start_ns == kStart + 50);
  CHECK(gemm.end_ns == kStart + 150);
  CHECK(gemm.category == "kernel");
  CHECK(gemm.annotations.at("grid") == "2 x 3 x 4");
  CHECK(gemm.annotations.at("block") == "32 x 1 x 1");
  CHECK(gemm.annotations.at("dynamic shared memory") == "48");
  CHECK(gemm.annotations.at("stream") == "7");
  CHECK(gemm.annotations.at("correlation") == "5");
  CHECK(gemm.annotations.at("counters/sm__throughput.avg.pct_of_peak_sustained_elapsed") == "12.5");
  CHECK(gemm.annotations.count("counters/not__measured.sum") == 0);
  CHECK(seen.path(seen.slice("other").track) == "program (pid 123)/GPU 0: NVIDIA H200/Stream 9");
  CHECK(described(seen.on_track("worker")) == Texts{"0 cudaLaunchKernel 10-30", "0 cudaLaunchKernel 40-60"});
  REQUIRE(seen.flows.size() == 2);
  CHECK(describe(seen.slices[seen.flows[0].first]) == "0 cudaLaunchKernel 10-30");
  CHECK(seen.slices[seen.flows[0].second].name == "gemm(int)");
  CHECK(describe(seen.slices[seen.flows[1].first]) == "0 cudaLaunchKernel 40-60");

  const test::Message* snapshot = seen.trace.messages.at(1).second.find("clock_snapshot");
  REQUIRE(snapshot != nullptr);
  CHECK(snapshot->number("primary") == 1);
  CHECK(snapshot->find("clocks")->number("time") == kStart);
}

TEST_CASE("a graph launch points to its first kernel only") {
  if (cannot_decode()) return;
  const TraceFolder folder;
  {
    TraceBuilder builder(folder.file("1.trace"));
    builder.process(1).api("cudaGraphLaunch", 10, 20, 5);
    for (std::uint64_t i = 0; i < 3; ++i) builder.kernel("node", 50 + 10 * i, 10, {{}, {}, 0, 7, 5, 3});
    // Launched after it began, as the clocks say: no arrow.
    builder.api("cudaLaunchKernel", 500, 20, 6).kernel("early", 400, 10, {{}, {}, 0, 7, 6, 0});
    builder.exit();
  }
  const Viewer seen = view(folder, "1.trace");
  REQUIRE(seen.flows.size() == 1);
  CHECK(describe(seen.slices[seen.flows[0].second]) == "0 node 50-60");
  CHECK(seen.slice("node").annotations.at("graph") == "3");
}

TEST_CASE("overlapping work of a stream goes to further lanes of the same name") {
  if (cannot_decode()) return;
  const TraceFolder folder;
  {
    TraceBuilder builder(folder.file("1.trace"));
    builder.process(1).kernel("a", 10, 20).kernel("b", 15, 30).kernel("c", 30, 5).kernel("d", 35, 0).exit();
    trace::GraphExecution graph;
    graph.start_ns = kStart + 32;
    graph.end_ns = kStart + 60;
    graph.queue = builder.writer().queue_id({0, 1, 7});
    graph.graph = 12;
    builder.writer().add(graph);
    builder.copy(1, 2, 3, 70, 10, 4096).set(3, 80, 1, 64);
  }
  const Viewer seen = view(folder, "1.trace");
  CHECK(described(seen.on_track("Stream 7")) == Texts{"0 a 10-30", "0 b 15-45", "0 c 30-35", "0 Graph 12 32-60",
                                                      "0 d 35-35", "0 Copy HtoD 70-80", "0 Set device 80-81"});
  CHECK(seen.slice("a").track == seen.slice("c").track);
  CHECK(seen.slice("b").track != seen.slice("a").track);
  CHECK(seen.slice("Copy HtoD").annotations.at("bytes") == "4096");
  CHECK(seen.slice("Copy HtoD").annotations.at("source") == "pinned");
}

TEST_CASE("calls and waits are nested on their thread whatever the order of equal starts") {
  if (cannot_decode()) return;
  const TraceFolder folder;
  {
    TraceBuilder builder(folder.file("1.trace"));
    builder.process(1);
    builder.api("inner", 10, 5, 1).api("outer", 10, 50, 2).api("next", 60, 10, 3).api("crossing", 65, 20, 4);
    builder.api("cudaStreamSynchronize", 100, 50, 9);
    trace::Synchronization wait;
    wait.start_ns = kStart + 110;
    wait.end_ns = kStart + 155;  // longer than its call, which takes a clock's error
    wait.type = 3;
    wait.stream = 7;
    wait.correlation = 9;
    builder.writer().add(wait);
    wait.correlation = 77;
    builder.writer().add(wait);
    builder.exit();
  }
  const Viewer seen = view(folder, "1.trace");
  CHECK(described(seen.on_track("")) == Texts{"0 outer 10-60", "1 inner 10-15", "0 next 60-70",
                                              "0 cudaStreamSynchronize 100-150", "1 Wait for stream 110-150"});
  CHECK(described(seen.on_track("calls that are not nested")) == Texts{"0 crossing 65-85"});
  CHECK(described(seen.on_track("Waits")) == Texts{"0 Wait for stream 110-155"});
}

TEST_CASE("NVTX ranges are nested by thread and domain, others have rows of their own") {
  if (cannot_decode()) return;
  using trace::NvtxKind;
  const TraceFolder folder;
  {
    TraceBuilder builder(folder.file("1.trace"));
    builder.process(1);
    const auto add = [&](auto... arguments) { builder.writer().add(nvtx(builder, arguments...)); };
    add(NvtxKind::pop, 1, "");
    add(NvtxKind::push, 10, "step");
    add(NvtxKind::push, 20, "forward");
    add(NvtxKind::push, 25, "all reduce", "NCCL");  // crosses the ranges of the default domain
    add(NvtxKind::pop, 30, "");
    add(NvtxKind::pop, 40, "");
    add(NvtxKind::pop, 45, "", "NCCL");
    add(NvtxKind::start, 50, "first", "", std::uint64_t{1});
    add(NvtxKind::start, 60, "second", "", std::uint64_t{2});
    add(NvtxKind::end, 70, "", "", std::uint64_t{1});
    add(NvtxKind::end, 75, "", "", std::uint64_t{99});
    add(NvtxKind::mark, 80, "here");
    add(NvtxKind::push, 90, "open");
    builder.exit(1000);
  }
  const Viewer seen = view(folder, "1.trace");
  CHECK(described(seen.on_track("NVTX")) == Texts{"0 step 10-40", "1 forward 20-30", "0 open 90-1000"});
  CHECK(described(seen.on_track("NVTX: NCCL")) == Texts{"0 all reduce 25-45"});
  CHECK(described(seen.on_track("NVTX ranges")) == Texts{"0 first 50-70", "0 second 60-1000"});
  CHECK(described(seen.on_track("NVTX marks")) == Texts{"0 here 80-80"});
  CHECK(seen.slice("here").instant);
  CHECK(seen.path(seen.slice("step").track) == "program (pid 1)//NVTX");
}

TEST_CASE("ranks are sorted, hosts named, and equal process ids kept apart") {
  if (cannot_decode()) return;
  const TraceFolder folder;
  Input input;
  const auto add = [&](const std::string& rank, const std::string& host) {
    const std::string path = folder.file(std::to_string(input.timeline.size()) + ".trace");
    const auto writer = trace::Writer::create(path);
    trace::ProcessInfo info;
    info.pid = 42;
    info.executable = "/usr/bin/python3";
    info.hostname = host;
    info.stage = "timeline";
    info.time_ns = kStart;
    if (!rank.empty()) info.labels = {"LOCAL_RANK=0", "RANK=" + rank};
    writer->write(info);
    input.timeline.push_back(path);
  };
  add("", "a");
  add("10", "b");
  add("2", "a");
  Result result;
  const Viewer seen = view(input, &result);
  CHECK(result.processes == 3);
  std::map<std::int64_t, std::string> names;
  std::map<std::int64_t, std::string> pids;
  for (const auto& [uuid, track] : seen.tracks) {
    if (track.pid == 0) continue;
    names[track.rank] = track.name;
    pids[track.pid] = track.name;
  }
  CHECK(pids.size() == 3);
  CHECK(names == std::map<std::int64_t, std::string>{{0, "python3 (pid 42, rank 2, host a)"},
                                                     {1, "python3 (pid 42, rank 10, host b)"},
                                                     {2, "python3 (pid 42, host a)"}});
}

TEST_CASE("telemetry becomes counters, without the values that are missing") {
  if (cannot_decode()) return;
  const TraceFolder folder;
  TraceBuilder(folder.file("1.trace")).process(1).exit();
  {
    TraceBuilder builder(folder.file("telemetry"));
    builder.writer().write(trace::TelemetryDevice{3, "NVIDIA H200", "GPU-1", 1980, 700000});
    trace::TelemetrySample sample;
    sample.device = 3;
    sample.time_ns = kStart + 5;
    sample.sm_clock_mhz = 1500;
    sample.power_mw = 350'500;
    sample.memory_used_bytes = 1'000'000;
    sample.missing = 1 << 3 | 1 << 7;
    builder.writer().add(sample);
    sample.time_ns += 10;
    sample.sm_clock_mhz = 1980;
    sample.missing = ~0U - 1;
    builder.writer().add(sample);
    builder.writer().write(trace::TelemetryXid{kStart + 20, 3, 79});
  }
  const Viewer seen = view(Input{{folder.file("1.trace")}, {folder.file("telemetry")}, nullptr});
  CHECK(seen.values_of("SM clock") == "1500 1980");
  CHECK(seen.values_of("Power") == "350.5");
  CHECK(seen.values_of("Memory used") == "1e+06");
  CHECK(seen.values_of("Temperature").empty());
  CHECK(seen.values_of("PCIe sent").empty());
  CHECK(seen.path(seen.values.at(0).track) == "GPU telemetry/NVML GPU 3: NVIDIA H200 (GPU-1)/SM clock");
  CHECK(seen.tracks.at(seen.values.at(0).track).unit == "MHz");
  CHECK(seen.slice("XID 79").instant);

  std::filesystem::copy_file(folder.file("telemetry"), folder.file("telemetry-node1.trace"));
  std::filesystem::copy_file(folder.file("telemetry"), folder.file("telemetry-node-2.trace"));
  const Viewer both = view(Input{{folder.file("1.trace")},
                                 {folder.file("telemetry-node1.trace"), folder.file("telemetry-node-2.trace")},
                                 nullptr});
  CHECK_THAT(both.path(both.values.front().track), ContainsSubstring("GPU telemetry of node1/"));
  CHECK(both.values_of("SM clock") == "1500 1500 1980 1980");
  CHECK_THAT(both.path(both.values.back().track), ContainsSubstring("GPU telemetry of node-2/"));
}

TEST_CASE("overheads, compilation, memory and stretches without recording have rows") {
  if (cannot_decode()) return;
  const TraceFolder folder;
  {
    TraceBuilder builder(folder.file("1.trace"));
    builder.process(1);
    builder.writer().add(trace::Overhead{kStart + 10, kStart + 20, 1 << 16, 0});
    builder.writer().add(trace::Jit{kStart + 10, kStart + 20, 1, 3, 4711, 0});
    trace::MemoryEvent memory;
    memory.kind = 3;
    memory.time_ns = kStart + 5;
    memory.bytes = 100;
    memory.operation = 1;
    builder.writer().queue_id({0, 1, 7});
    builder.writer().add(memory);
    memory.time_ns += 5;
    memory.operation = 2;
    builder.writer().add(memory);
    memory.time_ns += 5;
    builder.writer().add(memory);
    builder.writer().write(trace::CapturePhase{kStart + 100, true, trace::CaptureReason::delay});
    builder.writer().write(trace::CapturePhase{kStart + 200, false, trace::CaptureReason::duration});
    builder.exit(500);
  }
  const Viewer seen = view(folder, "1.trace");
  CHECK(described(seen.on_track("Overhead of recording")) == Texts{"0 Activity buffer flush 10-20"});
  CHECK(described(seen.on_track("Just-in-time compilation")) == Texts{"0 Compile (PTX) 10-20"});
  CHECK(seen.values_of("Memory allocated: device") == "100 0 0");
  CHECK(described(seen.on_track("Device work not recorded")) ==
        Texts{"0 not recorded 0-100", "0 not recorded 200-500"});
}

TEST_CASE("hostile names stay valid text on one line") {
  if (cannot_decode()) return;
  const TraceFolder folder;
  const std::string nasty("a\nb\x1b[31m\xff\xc0\x80\0z", 14);
  {
    TraceBuilder builder(folder.file("1.trace"));
    builder.process(1).device(0, "GPU-1");
    builder.writer().write(trace::ThreadName{4711, nasty});
    builder.kernel(nasty, 10, 10).kernel("", 30, 10).api(nasty, 5, 5);
    builder.writer().add(nvtx(builder, trace::NvtxKind::push, 10, nasty, nasty));
    builder.kernel(std::string(100'000, 'x'), 50, 5);
    builder.exit();
  }
  const Viewer seen = view(folder, "1.trace");
  const auto is_safe = [](const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x20; });
  };
  for (const SeenSlice& slice : seen.slices) CHECK(is_safe(slice.name));
  for (const auto& [uuid, track] : seen.tracks) CHECK(is_safe(track.name));
  CHECK(seen.slice("(no name)").category == "kernel");
  CHECK(seen.slice(std::string(100'000, 'x')).category == "kernel");
}

TEST_CASE("traces that cannot be read are named, and are an error when there is no other") {
  if (cannot_decode()) return;
  const TraceFolder folder;
  TraceBuilder(folder.file("1.trace")).process(1).kernel("a", 10, 10).exit();
  std::filesystem::copy_file(folder.file("1.trace"), folder.file("2.trace"));
  std::filesystem::resize_file(folder.file("2.trace"), std::filesystem::file_size(folder.file("1.trace")) - 3);
  std::filesystem::copy_file(folder.file("1.trace"), folder.file("3.trace"));
  std::filesystem::resize_file(folder.file("3.trace"), 20);
  Result result;
  view(Input{{folder.file("1.trace"), folder.file("2.trace"), folder.file("3.trace")}, {folder.file("none")}, nullptr},
       &result);
  CHECK(result.processes == 2);
  REQUIRE(result.warnings.size() == 3);
  CHECK_THAT(result.warnings[0], ContainsSubstring("3.trace"));
  CHECK_THAT(result.warnings[1], ContainsSubstring("2.trace"));
  CHECK_THAT(result.warnings[2], ContainsSubstring("telemetry"));
  CHECK_THROWS_AS(write_trace(Input{{folder.file("3.trace")}, {}, nullptr}, [](std::string_view) {}), Error);
}

}  // namespace
}  // namespace gpuprof::perfetto
