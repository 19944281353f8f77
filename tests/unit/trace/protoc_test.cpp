// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// A second implementation of protobuf reads the payloads with the published schema.

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "everything.hpp"
#include "support/catch2_compat.hpp"
#include "support/trace_builder.hpp"

namespace gpuprof::trace {
namespace {

using test::TraceBuilder;
using test::TraceFolder;

struct Output {
  int status = -1;
  std::string text;
};

Output run(const std::string& command) {
  Output output;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  char buffer[4096];
  while (const std::size_t size = std::fread(buffer, 1, sizeof(buffer), pipe)) output.text.append(buffer, size);
  output.status = ::pclose(pipe);
  return output;
}

// protoc's text form of the file's only frame of this kind.
std::string decoded(const TraceFolder& folder, FrameKind kind, const std::string& message) {
  std::string payload;
  int found = 0;
  for (const test::Frame& frame : test::frames_of(test::bytes_of(folder.file("1.trace")))) {
    if (frame.kind != static_cast<std::uint32_t>(kind)) continue;
    payload = frame.payload;
    ++found;
  }
  REQUIRE(found == 1);
  std::ofstream{folder.file("payload"), std::ios::binary} << payload;
  const Output output =
      run("protoc --decode=gpuprof.trace." + message + " -I '" GPUPROF_SOURCE_DIR "/include/gpuprof' trace.proto < '" +
          folder.file("payload") + "' 2>&1");
  INFO(output.text);
  REQUIRE(output.status == 0);
  return output.text;
}

TEST_CASE("protoc reads every kind of payload with trace.proto") {
  if (run("protoc --version 2>/dev/null").status != 0) {
    WARN("skipped: protoc is not installed (package protobuf-compiler)");
    return;
  }
  const TraceFolder folder;
  {
    TraceBuilder builder{folder.file("1.trace")};
    builder.process(77).cupti(130001).device(1, "GPU-1");
    builder.kernel("alpha", 0, 25, {{2, 3, 4}, {32, 2, 1}, 48, 9, 41, 6}).kernel("beta", 40, 30, {{}, {}, 0, 9, 42, 6});
    builder.api("cudaLaunchKernel", 5, 2, 41);
    const std::uint32_t name = builder.writer().string_id("step");
    builder.copy(1, 2, 3, 10, 20, 4096).set(3, 11, 21, 64).synchronization(3, 100, 50);
    builder.writer().add(Overhead{TraceBuilder::kStartNs, TraceBuilder::kStartNs + 7, 2, 12});
    builder.clock(5).launches(2).notice(NoticeCode::cupti_error, "detail").exit();
    CounterPlan plan;
    plan.groups = {{"m1", "m2"}, {"m3"}};
    plan.kernels = {{"alpha", {2, 3, 4}, {32, 2, 1}, 48}};
    builder.writer().write(plan);
    builder.writer().write(CounterGroups{1, "GH100", plan.groups});
    builder.writer().write(CounterWindow{1, 2, 1, 100, 200, 2, true, 0, 1, {0, 1}, {1.5, 2.5}});
    Writer& writer = builder.writer();
    constexpr std::uint64_t kStart = TraceBuilder::kStartNs;
    writer.add(GraphExecution{kStart, kStart + 5, 1, 7, 8});
    writer.add(GraphExecution{kStart + 10, kStart + 9, 0, 9, 8});
    writer.add(Jit{kStart, kStart + 5, 1, 2, 4711, 7});
    writer.add(MemoryEvent{kStart, 4096, 512, 256, 1, 3, 1, 7});
    writer.add(MemoryPoolEvent{kStart, 512, 4096, 64, 2, 1, 3});
    writer.add(UnifiedMemory{kStart, kStart + 5, 4096, 512, 2, 1, 3});
    writer.add(NvtxEvent{kStart, NvtxKind::start, 4711, name, 1, 77, 5, 6, NvtxPayload::signed_integer, 9});
    writer.add(NvtxEvent{kStart + 3, NvtxKind::end, 4711, 0, 1, 77, 0, 0, NvtxPayload::none, 0});
    writer.add(TelemetrySample{kStart, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
    writer.write(ThreadName{4711, "main"});
    writer.write(NvtxCategory{"NCCL", 3, "send"});
    writer.write(Context{1, 2, 7});
    writer.write(Stream{1, 13, -5, 2});
    writer.write(CapturePhase{kStart, true, CaptureReason::share});
    writer.write(LaunchCounts{{0, 1}, {5, 6}});
    writer.write(TelemetryDevice{1, "H200", "GPU-1", 1980, 700'000});
    writer.write(TelemetryXid{5, 1, 79});
  }
  const auto text = [&](FrameKind kind, const std::string& message) { return decoded(folder, kind, message); };

  CHECK_THAT(text(FrameKind::process_info, "ProcessInfo"),
             ContainsSubstring("pid: 77\n") && ContainsSubstring("arguments: \"program\"\narguments: \"--flag\"\n") &&
                 ContainsSubstring("stage: \"timeline\"\n") && ContainsSubstring("time_ns: 1700000000000000000\n"));
  CHECK_THAT(text(FrameKind::cupti_info, "CuptiInfo"), ContainsSubstring("version: 130001\n"));
  CHECK_THAT(text(FrameKind::device, "Device"),
             ContainsSubstring("uuid: \"GPU-1\"\n") && ContainsSubstring("sm_count: 132\n"));
  CHECK(text(FrameKind::strings, "Strings") ==
        "values: \"alpha\"\nvalues: \"beta\"\nvalues: \"cudaLaunchKernel\"\nvalues: \"step\"\n");
  CHECK_THAT(text(FrameKind::kernel_shapes, "KernelShapes"),
             ContainsSubstring("name: 0\nname: 1\ngrid: 2\ngrid: 3\ngrid: 4\ngrid: 1\n") &&
                 ContainsSubstring("block: 32\nblock: 2\nblock: 1\n") &&
                 ContainsSubstring("dynamic_shared_bytes: 48\ndynamic_shared_bytes: 0\n"));
  CHECK_THAT(text(FrameKind::queues, "Queues"), ContainsSubstring("stream: 9\nstream: 7\n"));
  CHECK(
      text(FrameKind::kernels, "Kernels") ==
      "start_delta_ns: 1700000000000000000\nstart_delta_ns: 40\nduration_ns: 25\nduration_ns: 30\nshape: 0\nshape: 1\n"
      "correlation_delta: 41\ncorrelation_delta: 1\ngraph: 6\ngraph: 6\n");
  CHECK(
      text(FrameKind::api_calls, "ApiCalls") ==
      "start_delta_ns: 1700000000000000005\nduration_ns: 2\nfunction: 2\nthread_delta: 4711\ncorrelation_delta: 41\n");
  CHECK_THAT(text(FrameKind::copies, "Copies"),
             ContainsSubstring("bytes: 4096\nqueue: 1\n") && ContainsSubstring("kind: 1\nsource: 2\ndestination: 3\n"));
  CHECK_THAT(text(FrameKind::sets, "Sets"), ContainsSubstring("bytes: 64\n") && ContainsSubstring("memory: 3\n"));
  CHECK_THAT(text(FrameKind::synchronizations, "Synchronizations"), ContainsSubstring("duration_ns: 50\ntype: 3\n"));
  CHECK_THAT(text(FrameKind::overheads, "Overheads"), ContainsSubstring("duration_ns: 7\nkind: 2\nthread: 12\n"));
  CHECK_THAT(text(FrameKind::clock_sample, "ClockSample"), ContainsSubstring("monotonic_ns: 5\n"));
  CHECK(text(FrameKind::ledger, "Ledger") == "kernel_launches: 2\n");
  CHECK_THAT(text(FrameKind::notice, "Notice"), ContainsSubstring("code: 3\n") && ContainsSubstring("\"detail\""));
  CHECK(text(FrameKind::process_end, "ProcessEnd") == "time_ns: 1700000000001000000\n");
  CHECK_THAT(text(FrameKind::counter_plan, "CounterPlan"),
             ContainsSubstring("groups {\n  metrics: \"m1\"\n  metrics: \"m2\"\n}\ngroups {\n  metrics: \"m3\"\n}\n") &&
                 ContainsSubstring("mangled_name: \"alpha\"\n  grid: 2\n  grid: 3\n  grid: 4\n") &&
                 ContainsSubstring("samples: 10\nwindow_launches: 64\n"));
  CHECK_THAT(text(FrameKind::counter_groups, "CounterGroups"), ContainsSubstring("chip: \"GH100\"\n"));
  CHECK_THAT(
      text(FrameKind::counter_window, "CounterWindow"),
      ContainsSubstring("discarded: true\nlaunches: 0\nlaunches: 1\nvalues: 1.5\nvalues: 2.5\nwarm_up_launches: 1\n"));

  CHECK(text(FrameKind::graph_executions, "GraphExecutions") ==
        "start_delta_ns: 1700000000000000000\nstart_delta_ns: 10\nduration_ns: 5\nduration_ns: -1\nqueue_delta: 1\n"
        "queue_delta: -1\ncorrelation_delta: 7\ncorrelation_delta: 2\ngraph_delta: 8\n");
  CHECK(text(FrameKind::jit, "Jits") ==
        "start_delta_ns: 1700000000000000000\nduration_ns: 5\nentry: 1\noperation: 2\nthread_delta: 4711\n"
        "correlation_delta: 7\n");
  CHECK(text(FrameKind::memory_events, "MemoryEvents") ==
        "time_delta_ns: 1700000000000000000\nbytes: 4096\naddress_delta: 512\npool_delta: 256\noperation: 1\n"
        "kind: 3\nqueue_delta: 1\ncorrelation_delta: 7\n");
  CHECK(text(FrameKind::memory_pool_events, "MemoryPoolEvents") ==
        "time_delta_ns: 1700000000000000000\naddress_delta: 512\nsize_bytes: 4096\nused_bytes: 64\noperation: 2\n"
        "type: 1\ndevice: 3\n");
  CHECK(text(FrameKind::unified_memory, "UnifiedMemory") ==
        "start_delta_ns: 1700000000000000000\nduration_ns: 5\nvalue: 4096\naddress_delta: 512\nkind: 2\nsource: 1\n"
        "destination: 3\n");
  CHECK(text(FrameKind::nvtx_events, "NvtxEvents") ==
        "time_delta_ns: 1700000000000000000\ntime_delta_ns: 3\nkind: 2\nkind: 3\nthread_delta: 4711\nname: 3\n"
        "domain_delta: 1\nrange_delta: 77\ncategory: 5\ncolor: 6\npayload_type: 2\npayload: 9\n");
  CHECK(text(FrameKind::telemetry_samples, "TelemetrySamples") ==
        "time_delta_ns: 1700000000000000000\ndevice: 1\nmissing: 2\nsm_clock_mhz: 3\nmemory_clock_mhz: 4\n"
        "power_mw: 5\ntemperature_c: 6\ngpu_utilization_pct: 7\nmemory_utilization_pct: 8\nmemory_used_bytes: 9\n"
        "pcie_tx_bytes_per_second: 10\npcie_rx_bytes_per_second: 11\nthrottle_reasons: 12\necc_corrected: 13\n"
        "ecc_uncorrected: 14\n");
  CHECK(text(FrameKind::thread_name, "ThreadName") == "thread: 4711\nname: \"main\"\n");
  CHECK(text(FrameKind::nvtx_category, "NvtxCategory") == "domain: \"NCCL\"\nid: 3\nname: \"send\"\n");
  CHECK(text(FrameKind::context, "Context") == "id: 1\ndevice: 2\nnull_stream: 7\n");
  CHECK(text(FrameKind::stream, "Stream") == "context: 1\nid: 13\npriority: -5\nflags: 2\n");
  CHECK(text(FrameKind::capture_phase, "CapturePhase") == "time_ns: 1700000000000000000\non: true\nreason: 5\n");
  CHECK(text(FrameKind::launch_counts, "LaunchCounts") == "shapes: 0\nshapes: 1\nlaunches: 5\nlaunches: 6\n");
  CHECK(text(FrameKind::telemetry_device, "TelemetryDevice") ==
        "index: 1\nname: \"H200\"\nuuid: \"GPU-1\"\nmax_sm_clock_mhz: 1980\npower_limit_mw: 700000\n");
  CHECK(text(FrameKind::telemetry_xid, "TelemetryXid") == "time_ns: 5\ndevice: 1\nxid: 79\n");
}

}  // namespace
}  // namespace gpuprof::trace
