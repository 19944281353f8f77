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
    builder.copy(1, 2, 3, 10, 20, 4096).set(3, 11, 21, 64).synchronization(3, 100, 50);
    builder.writer().add(Overhead{TraceBuilder::kStartNs, TraceBuilder::kStartNs + 7, 2, 12});
    builder.clock(5).launches(2).notice(NoticeCode::cupti_error, "detail").exit();
    CounterPlan plan;
    plan.groups = {{"m1", "m2"}, {"m3"}};
    plan.kernels = {{"alpha", {2, 3, 4}, {32, 2, 1}, 48}};
    builder.writer().write(plan);
    builder.writer().write(CounterGroups{1, "GH100", plan.groups});
    builder.writer().write(CounterWindow{1, 2, 1, 100, 200, 2, true, 0, 1, {0, 1}, {1.5, 2.5}});
  }
  const auto text = [&](FrameKind kind, const std::string& message) { return decoded(folder, kind, message); };

  CHECK_THAT(text(FrameKind::process_info, "ProcessInfo"),
             ContainsSubstring("pid: 77\n") && ContainsSubstring("arguments: \"program\"\narguments: \"--flag\"\n") &&
                 ContainsSubstring("stage: \"timeline\"\n") && ContainsSubstring("time_ns: 1700000000000000000\n"));
  CHECK_THAT(text(FrameKind::cupti_info, "CuptiInfo"), ContainsSubstring("version: 130001\n"));
  CHECK_THAT(text(FrameKind::device, "Device"),
             ContainsSubstring("uuid: \"GPU-1\"\n") && ContainsSubstring("sm_count: 132\n"));
  CHECK(text(FrameKind::strings, "Strings") == "values: \"alpha\"\nvalues: \"beta\"\nvalues: \"cudaLaunchKernel\"\n");
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
}

}  // namespace
}  // namespace gpuprof::trace
