// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// NVTX ranges, through summarize().

#include <algorithm>
#include <string>

#include "scene.hpp"
#include "support/catch2_compat.hpp"
#include "timeline/range_table.hpp"

namespace gpuprof::timeline {
namespace {

using test::Scene;
using test::summary_of_scene;

RangeReport range(const Summary& summary, const std::string& name, const std::string& domain = {}) {
  for (const RangeReport& report : summary.ranges) {
    if (report.name == name && report.domain == domain) return report;
  }
  FAIL("no range " + name);
  return {};
}

TEST_CASE("a kernel belongs to the ranges that were open when it was launched") {
  const Summary summary = summary_of_scene(10'000, [](Scene& scene) {
    scene.push("outer", 100)
        .push("inner", 200)
        .launch("a", 210, 3'000, 50)  // runs when both are closed
        .pop(300)
        .launch("b", 310, 3'100, 70)
        .pop(400)
        .launch("c", 410, 3'200, 90);
  });
  const RangeReport outer = range(summary, "outer");
  CHECK(outer.kind == "push_pop");
  CHECK(outer.count == 1);
  CHECK(outer.time.sum_ns == 300);
  CHECK(outer.kernels == 2);
  CHECK(outer.kernel_time_ns == 120);
  CHECK(outer.overlapping_busy_ns == 0);
  CHECK(outer.idle_ns == 300);
  CHECK(range(summary, "inner").kernels == 1);
  CHECK(range(summary, "inner").kernel_time_ns == 50);
  CHECK(summary.ranges[0].name == "outer");  // by time
  CHECK(summary.nvtx.events == 4);
  CHECK(summary.nvtx.open_ranges == 0);
  CHECK(summary.processes[0].nvtx_events == 4);
}

TEST_CASE("busy time in a range is the union of what any stream did") {
  const Summary summary = summary_of_scene(10'000, [](Scene& scene) {
    test::LaunchOptions other;
    other.stream = 8;
    scene
        .launch("a", 10, 900, 200)                           // 100 of it inside
        .launch("a", 20, 1'050, 100, Scene::kThread, other)  // 50 more
        .launch("a", 30, 1'500, 50, Scene::kThread, other)   // 50
        .launch("a", 40, 1'900, 400)                         // 100
        .push("range", 1'000)
        .pop(2'000)
        .push("later", 2'250)
        .pop(2'350);
  });
  CHECK(range(summary, "range").kernels == 0);
  CHECK(range(summary, "range").overlapping_busy_ns == 300);
  CHECK(range(summary, "range").idle_ns == 700);
  CHECK(range(summary, "later").overlapping_busy_ns == 50);
  CHECK(range(summary, "later").idle_ns == 50);
}

TEST_CASE("a range nested in itself counts its kernels once") {
  const Summary summary = summary_of_scene(10'000, [](Scene& scene) {
    scene.push("again", 100)
        .push("again", 200)
        .launch("a", 210, 1'000, 50)
        .pop(300)
        .launch("a", 310, 1'100, 50)
        .pop(500);
  });
  const RangeReport again = range(summary, "again");
  CHECK(again.count == 2);
  CHECK(again.time.sum_ns == 500);
  CHECK(again.kernels == 2);
  CHECK(again.kernel_time_ns == 100);
}

TEST_CASE("threads and domains do not pop each other's ranges") {
  const Summary summary = summary_of_scene(10'000, [](Scene& scene) {
    scene.push("x", 100, 1)
        .push("x", 100, 2, "lib")
        .pop(150, 2)  // thread 2 has nothing open in the default domain
        .pop(200, 3)  // thread 3 has nothing at all
        .launch("a", 220, 1'000, 30, 3)
        .launch("a", 240, 1'100, 30, 2)
        .pop(300, 1)
        .pop(500, 2, "lib");
  });
  CHECK(summary.nvtx.unmatched_pops == 2);
  CHECK(range(summary, "x").time.sum_ns == 200);
  CHECK(range(summary, "x").kernels == 0);
  CHECK(range(summary, "x", "lib").time.sum_ns == 400);
  CHECK(range(summary, "x", "lib").kernels == 1);
}

TEST_CASE("start and end pair up by id, on whatever threads") {
  const Summary summary = summary_of_scene(10'000, [](Scene& scene) {
    scene.start("job", 1, 100, 1)
        .start("job", 2, 150, 2)
        .launch("a", 160, 1'000, 30, 2)  // in 2 only
        .end(2, 200, 1)                  // cross-thread
        .launch("a", 210, 1'100, 30, 1)  // in 1 only
        .launch("a", 220, 1'200, 30, 2)  // in none
        .end(1, 300, 1)
        .end(7, 400, 1)  // never started
        .mark("here", 420);
  });
  const RangeReport job = range(summary, "job");
  CHECK(job.kind == "start_end");
  CHECK(job.count == 2);
  CHECK(job.cross_thread == 1);
  CHECK(job.time.sum_ns == 250);
  CHECK(job.kernels == 2);
  CHECK(summary.nvtx.cross_thread_ranges == 1);
  CHECK(summary.nvtx.unmatched_ends == 1);
  CHECK(summary.nvtx.marks == 1);
  CHECK(summary.nvtx.events == 6);
}

TEST_CASE("ranges left open end with the process") {
  const Summary summary = summary_of_scene(10'000, [](Scene& scene) {
    scene.push("program", 1'000).launch("a", 1'100, 2'000, 500).start("request", 5, 6'000);
  });
  const RangeReport program = range(summary, "program");
  CHECK(program.count == 1);
  CHECK(program.open == 1);
  CHECK(program.time.sum_ns == 9'000);
  CHECK(program.kernels == 1);
  CHECK(program.overlapping_busy_ns == 500);
  CHECK(program.idle_ns == 8'500);
  CHECK(range(summary, "request").time.sum_ns == 4'000);
  CHECK(summary.nvtx.open_ranges == 2);
}

TEST_CASE("the kernels of a graph belong to the ranges of its launch") {
  const Summary summary = summary_of_scene(10'000, [](Scene& scene) {
    scene.push("decode", 100)
        .call("cudaGraphLaunch_v10000", 120)
        .graph_kernel("a", 500, 20)
        .graph_kernel("b", 530, 20)
        .graph_kernel("c", 560, 20)
        .pop(200);
  });
  CHECK(range(summary, "decode").kernels == 3);
  CHECK(range(summary, "decode").kernel_time_ns == 60);
}

TEST_CASE("launches on another thread are seen by overlap only") {
  const Summary summary = summary_of_scene(
      10'000, [](Scene& scene) { scene.push("backward", 1'000, 1).launch("a", 1'100, 1'200, 300, 2).pop(2'000, 1); });
  CHECK(range(summary, "backward").kernels == 0);
  CHECK(range(summary, "backward").overlapping_busy_ns == 300);
}

TEST_CASE("what was not recorded is not idle") {
  const Summary summary = summary_of_scene(10'000, [](Scene& scene) {
    scene.push("range", 1'000).capture(1'400, false).capture(1'900, true).launch("a", 1'950, 1'960, 20).pop(2'000);
  });
  CHECK(range(summary, "range").time.sum_ns == 1'000);
  CHECK(range(summary, "range").overlapping_busy_ns == 20);
  CHECK(range(summary, "range").idle_ns == 480);
}

TEST_CASE("long CPU-only phases between device work do not confuse the busy time") {
  // Further apart than host events are delivered early.
  constexpr std::uint64_t kMs = 1'000'000;
  const Summary summary = summary_of_scene(100 * kMs, [](Scene& scene) {
    scene.launch("a", 10, 100, kMs).push("cpu", 2 * kMs).pop(12 * kMs);
    scene.push("gpu", 20 * kMs).launch("a", 20 * kMs + 10, 21 * kMs, 3 * kMs).pop(30 * kMs);
  });
  CHECK(range(summary, "cpu").overlapping_busy_ns == 0);
  CHECK(range(summary, "cpu").idle_ns == 10 * kMs);
  CHECK(range(summary, "gpu").overlapping_busy_ns == 3 * kMs);
}

TEST_CASE("names beyond the limit share a row") {
  RangeTable table;
  for (std::size_t i = 0; i < RangeTable::kMaxNames + 5; ++i) {
    const std::string name = "range " + std::to_string(i);
    table.add(table.row("", name, RangeTable::Kind::push_pop), {10, 0, 0, false, false});
  }
  const std::uint32_t known = table.row("", "range 3", RangeTable::Kind::push_pop);
  table.add(known, {1'000, 0, 0, false, false});
  const std::vector<RangeReport> reports = table.reports();
  REQUIRE(reports.size() == RangeTable::kMaxNames + 1);
  CHECK(reports[0].name == "range 3");
  CHECK(reports[0].count == 2);
  CHECK(reports[1].name == "(other names)");
  CHECK(reports[1].count == 5);
}

}  // namespace
}  // namespace gpuprof::timeline
