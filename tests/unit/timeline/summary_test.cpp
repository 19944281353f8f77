// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/summary.hpp"

#include <fstream>

#include "notices.hpp"
#include "support/catch2_compat.hpp"
#include "support/trace_builder.hpp"

namespace gpuprof::timeline {
namespace {

using test::has_notice;
using test::notice_with;
using test::TraceBuilder;
using test::TraceFolder;

TEST_CASE("kernels of all processes are summed by name and launch shape") {
  const TraceFolder folder;
  TraceBuilder(folder.file("1-1.trace"))
      .process(1)
      .cupti(130001)
      .device(0, "GPU-a")
      .kernel("_Z4gemmPf", 0, 600, {{8, 1, 1}, {256, 1, 1}, 1024})
      .kernel("_Z4gemmPf", 1'000, 400, {{8, 1, 1}, {256, 1, 1}, 1024, 9, 0, 3})
      .kernel("_Z4gemmPf", 2'000, 100, {{9, 1, 1}, {256, 1, 1}, 1024})
      .kernel("copy_kernel", 3'000, 100)
      .launches(4)
      .exit();
  TraceBuilder(folder.file("2-1.trace"))
      .process(2)
      .cupti(130001)
      .device(0, "GPU-b")
      .kernel("_Z4gemmPf", 500, 800, {{8, 1, 1}, {256, 1, 1}, 1024})
      .launches(1)
      .exit(5'000);
  std::ofstream{folder.file("notes.txt")} << "not a trace";

  const Summary summary = summarize(folder.path());
  REQUIRE(summary.kernels.size() == 3);
  const KernelReport& hot = summary.kernels[0];
  CHECK(hot.key == KernelKey{"_Z4gemmPf", {8, 1, 1}, {256, 1, 1}, 1024});
  CHECK(hot.demangled_name == "gemm(float*)");
  CHECK(hot.short_name == "gemm");
  CHECK(hot.launches == 3);
  CHECK(hot.graph_launches == 1);
  CHECK(hot.time.sum_ns == 1'800);
  CHECK(hot.time.median_ns == 600);
  CHECK(hot.time.p95_ns == 800);
  CHECK(hot.share == Approx(0.9));
  CHECK(hot.running_share == Approx(0.9));
  CHECK_FALSE(hot.selected);
  // Equal times: in order of the key.
  CHECK(summary.kernels[1].key.mangled_name == "_Z4gemmPf");
  CHECK(summary.kernels[1].key.grid.x == 9);
  CHECK(summary.kernels[2].key.mangled_name == "copy_kernel");
  CHECK(summary.kernels[2].running_share == 1.0);

  CHECK(summary.totals.kernel_time_ns == 2'000);
  CHECK(summary.totals.kernel_launches == 5);
  CHECK(summary.totals.distinct_kernels == 3);
  CHECK(summary.ledger.kernels.launched == 5);
  CHECK(summary.ledger.kernels.unaccounted == 0);
  CHECK(summary.ledger.trace_bytes > 0);

  REQUIRE(summary.processes.size() == 2);
  CHECK(summary.processes[0].pid == 1);
  CHECK(summary.processes[0].kernel_launches == 4);
  CHECK(summary.processes[0].end.kind == EndKind::exited);
  CHECK(summary.processes[0].clean_exit);
  CHECK_FALSE(summary.processes[0].truncated);
  CHECK(summary.processes[1].executable == "/usr/bin/program");
  CHECK(summary.processes[1].last_record_ns == 5'000);

  CHECK(summary.environment.hostname == "node1");
  CHECK(summary.environment.cupti_version == "13.0.1");
  CHECK(summary.environment.cupti_path == "/usr/lib/libcupti.so.13");
  REQUIRE(summary.environment.gpus.size() == 2);
  CHECK(summary.environment.gpus[1].uuid == "GPU-b");
  CHECK(summary.chip == "GH100");
  CHECK(summary.notices.empty());
}

TEST_CASE("copies are grouped by kind and memories") {
  const TraceFolder folder;
  TraceBuilder(folder.file("1.trace"))
      .process(1)
      .copy(1, 1, 3, 0, 100, 4'096)
      .copy(1, 2, 3, 200, 20, 4'096)
      .copy(1, 1, 3, 400, 300, 8'192)
      .copy(42, 0, 7, 900, 5, 1)
      .set(3, 800, 50, 64)
      .launches(0)
      .exit();
  const Summary summary = summarize(folder.path());
  REQUIRE(summary.copies.size() == 4);
  CHECK(summary.copies[0].kind == "HtoD");
  CHECK(summary.copies[0].source_memory == "pageable");
  CHECK(summary.copies[0].destination_memory == "device");
  CHECK(summary.copies[0].count == 2);
  CHECK(summary.copies[0].bytes == 12'288);
  CHECK(summary.copies[0].time.sum_ns == 400);
  CHECK(summary.copies[1].kind == "memset");
  CHECK(summary.copies[1].source_memory.empty());
  CHECK(summary.copies[1].destination_memory == "device");
  CHECK(summary.copies[2].source_memory == "pinned");
  CHECK(summary.copies[3].kind == "kind 42");
  CHECK(summary.copies[3].source_memory == "unknown");
  CHECK(summary.copies[3].destination_memory == "managed_static");
  CHECK(summary.totals.copy_time_ns == 425);
  CHECK(summary.totals.copy_bytes == 16'385);
  CHECK(summary.ledger.copies == 4);
  CHECK(summary.ledger.sets == 1);
}

TEST_CASE("copies without stamps are counted and said, but have no time") {
  const TraceFolder folder;
  TraceBuilder builder{folder.file("1.trace")};
  builder.process(1).copy(2, 3, 1, 0, 100, 10);
  trace::Copy untimed;
  untimed.bytes = 20;
  untimed.kind = 2;
  untimed.source = 3;
  untimed.destination = 1;
  builder.writer().add(untimed);
  builder.launches(0).exit();
  const Summary summary = summarize(folder.path());
  REQUIRE(summary.copies.size() == 1);
  CHECK(summary.copies[0].count == 2);
  CHECK(summary.copies[0].bytes == 30);
  CHECK(summary.copies[0].time.mean_ns == Approx(100));
  CHECK_THAT(notice_with(summary.notices, "records.untimed_copies").text, ContainsSubstring("1 copies"));
}

TEST_CASE("copies between devices name them") {
  const TraceFolder folder;
  TraceBuilder builder{folder.file("1.trace")};
  builder.process(1);
  trace::Copy copy;
  copy.start_ns = TraceBuilder::kStartNs + 10;
  copy.end_ns = copy.start_ns + 100;
  copy.bytes = 64;
  copy.queue = builder.writer().queue_id({0, 1, 7});
  copy.kind = 10;
  copy.source = 3;
  copy.destination = 3;
  copy.source_device_plus_1 = 1;
  copy.destination_device_plus_1 = 4;
  builder.writer().add(copy);
  builder.launches(0).exit();
  const Summary summary = summarize(folder.path());
  REQUIRE(summary.copies.size() == 1);
  CHECK(summary.copies[0].kind == "PtoP");
  CHECK(summary.copies[0].source_memory == "device 0");
  CHECK(summary.copies[0].destination_memory == "device 3");
}

TEST_CASE("host time in launches is counted once per launch") {
  const TraceFolder folder;
  TraceBuilder(folder.file("1.trace"))
      .process(1)
      .api("cuLaunchKernel", 110, 50, 5)  // inside the next one
      .api("cudaLaunchKernel_v7000", 100, 100, 5)
      .api("cuLaunchKernelEx_ptsz", 300, 30, 6)
      .api("cudaGraphLaunch_v10000", 400, 10, 7)
      .api("cuGraphLaunch", 500, 7, 8)
      .api("cudaLaunchHostFunc_v10000", 600, 1'000, 9)
      .api("cudaMalloc_v3020", 700, 5'000, 10)
      .synchronization(3, 900, 40)
      .synchronization(2, 950, 4'000)  // cudaStreamWaitEvent: the host does not wait
      .launches(0)
      .exit();
  const Summary summary = summarize(folder.path());
  CHECK(summary.totals.launch_api_time_ns == 147);
  CHECK(summary.totals.synchronization_time_ns == 40);
  CHECK(summary.ledger.api_calls == 7);
  CHECK(summary.ledger.synchronizations == 2);
}

TEST_CASE("no directory, no files, no kernels") {
  CHECK(summarize("/nonexistent").processes.empty());
  const TraceFolder folder;
  const Summary empty = summarize(folder.path());
  CHECK(empty.kernels.empty());
  CHECK(empty.notices.empty());

  TraceBuilder(folder.file("1.trace")).process(1).launches(0).exit();
  const Notice notice = notice_with(summarize(folder.path()).notices, "timeline.no_kernels");
  CHECK(notice.severity == Severity::info);
  CHECK(notice.text == "no kernel was launched");
  CHECK_FALSE(notice.hint.empty());
}

TEST_CASE("foreign, newer, empty and torn files become notices; the others are read") {
  const TraceFolder folder;
  std::ofstream{folder.file("a.trace")} << "hello";
  std::ofstream{folder.file("b.trace"), std::ios::binary} << std::string("GPUPROF\x1a\x09\0\0\0\0\0\0\0", 16);
  std::ofstream{folder.file("c.trace")} << "";
  TraceBuilder(folder.file("d.trace")).process(4).kernel("k", 0, 10).launches(1).exit();
  std::ofstream{folder.file("d.trace"), std::ios::app} << "tail";

  const Summary summary = summarize(folder.path());
  int unreadable = 0;
  for (const Notice& notice : summary.notices) unreadable += notice.code == "trace.unreadable" ? 1 : 0;
  CHECK(unreadable == 2);
  CHECK_THAT(notice_with(summary.notices, "trace.empty").text, ContainsSubstring("c.trace"));
  CHECK_THAT(notice_with(summary.notices, "trace.torn").text, ContainsSubstring("d.trace"));
  REQUIRE(summary.processes.size() == 1);
  CHECK(summary.processes[0].truncated);
  CHECK(summary.kernels.size() == 1);
  CHECK_FALSE(has_notice(summary.notices, "timeline.no_kernels"));
}

TEST_CASE("what the collector reported is passed on, once per process") {
  const TraceFolder folder;
  TraceBuilder(folder.file("1.trace"))
      .process(12)
      .notice(trace::NoticeCode::stream_taken_over)
      .notice(trace::NoticeCode::stream_taken_over)
      .kernel("k", 0, 10)
      .launches(1)
      .exit();
  const Notice notice = notice_with(summarize(folder.path()).notices, "cupti.stream_taken_over");
  CHECK_THAT(notice.text, ContainsSubstring("12"));
  CHECK_FALSE(notice.hint.empty());
}

}  // namespace
}  // namespace gpuprof::timeline
