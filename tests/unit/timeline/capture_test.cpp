// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// Runs of which only a part was recorded, and what is estimated from it.

#include "timeline/capture.hpp"

#include <cmath>

#include "notices.hpp"
#include "scene.hpp"
#include "support/catch2_compat.hpp"
#include "timeline/select.hpp"

namespace gpuprof::timeline {
namespace {

using test::balances;
using test::has_notice;
using test::notice_with;
using test::Scene;
using test::summary_of_scene;

// As the collector counts a launch: what CUPTI's callback tells, no registers and no static shared memory.
void count_launches(Scene& scene, const std::string& name, std::uint64_t launches, std::uint32_t grid = 1) {
  trace::Writer& writer = scene.builder().writer();
  trace::KernelShape shape;
  shape.name = writer.string_id(name);
  shape.grid = {grid, 1, 1};
  shape.block = {128, 1, 1};
  trace::LaunchCounts counts;
  counts.shapes.push_back(writer.shape_id(shape));
  counts.launches.push_back(launches);
  writer.write(counts);
}

TEST_CASE("a run recorded throughout has no capture summary") {
  const Summary summary = summary_of_scene(10'000, [](Scene& scene) { scene.launch("a", 10, 100, 50); });
  CHECK_FALSE(summary.capture.partial);
  CHECK(summary.capture.phases == 0);
  CHECK(summary.capture.captured_ns == 0);
  CHECK_FALSE(summary.kernels[0].estimated_launches);
}

TEST_CASE("recorded and unrecorded time add up to the process's life") {
  const Summary summary = summary_of_scene(10'000, [](Scene& scene) {
    scene.capture(0, false, trace::CaptureReason::delay)
        .capture(2'000, true, trace::CaptureReason::delay)
        .launch("a", 2'010, 2'100, 50)
        .capture(5'000, false, trace::CaptureReason::nvtx_range)
        .capture(6'000, true, trace::CaptureReason::nvtx_range)
        .capture(6'500, false, trace::CaptureReason::duration);
  });
  CHECK(summary.capture.partial);
  CHECK(summary.capture.phases == 2);
  CHECK(summary.capture.captured_ns == 3'500);
  CHECK(summary.capture.uncaptured_ns == 6'500);
  CHECK_FALSE(summary.capture.estimated);
}

TEST_CASE("launches outside of a requested part are counted, not estimated") {
  trace::LedgerSample ledger;
  ledger.uncaptured_kernel_launches = 7;
  const Summary summary = summary_of_scene(
      10'000,
      [](Scene& scene) {
        scene.capture(0, false, trace::CaptureReason::delay).capture(2'000, true, trace::CaptureReason::delay);
        scene.launch("a", 2'010, 2'100, 50);
        count_launches(scene, "a", 7);
      },
      ledger);
  CHECK(summary.capture.partial);
  CHECK(summary.capture.uncaptured_launches == 7);
  CHECK_FALSE(summary.capture.estimated);
  CHECK_FALSE(summary.kernels[0].estimated_launches);
  CHECK(summary.ledger.kernels.launched == 1);
  CHECK(balances(summary.ledger.kernels));
}

TEST_CASE("a share of the launches stands for all of them") {
  trace::LedgerSample ledger;
  ledger.uncaptured_kernel_launches = 101;
  Summary summary = summary_of_scene(
      10'000,
      [](Scene& scene) {
        count_launches(scene, "rare", 1);  // known by its count first, recorded later
        scene.launch("often", 10, 100, 100)
            .launch("often", 20, 300, 120)
            .launch("rare", 30, 500, 900)
            .launch("other_shape", 40, 1'500, 10, Scene::kThread, {{2, 1, 1}})
            .capture(2'000, false);
        count_launches(scene, "often", 60);
        count_launches(scene, "often", 30);
        count_launches(scene, "never", 8);
        count_launches(scene, "other_shape", 2, 3);  // another grid is another kernel
      },
      ledger);
  CHECK(summary.capture.estimated);
  CHECK(summary.capture.uncaptured_launches == 101);
  REQUIRE(summary.kernels.size() == 3);
  // By estimated time, although "rare" has more recorded time.
  const KernelReport& often = summary.kernels[0];
  CHECK(often.short_name == "often");
  CHECK(often.launches == 2);
  CHECK(often.time.sum_ns == 220);
  CHECK(often.estimated_launches == 92U);
  CHECK(*often.estimated_time_ns == Approx(110.0 * 92));
  CHECK(*often.estimated_time_error_ns == Approx(std::sqrt(200.0) / std::sqrt(2.0) * 90));
  const KernelReport& rare = summary.kernels[1];
  CHECK(rare.estimated_launches == 2U);
  CHECK(*rare.estimated_time_ns == Approx(1'800));
  CHECK_FALSE(rare.estimated_time_error_ns);  // the spread of one launch is not known
  const KernelReport& other = summary.kernels[2];
  CHECK(other.estimated_launches == 1U);
  CHECK(*other.estimated_time_error_ns == 0.0);
  const double all_ns = 110.0 * 92 + 1'800 + 10;
  CHECK(often.share == Approx(110.0 * 92 / all_ns));
  CHECK(other.running_share == Approx(1));
  CHECK(summary.totals.kernel_time_ns == 1'130);  // what was recorded

  const Notice never = notice_with(summary.notices, "kernels.never_recorded");
  CHECK_THAT(never.text, ContainsSubstring("2 kernels were launched only while nothing was recorded (10 launches)"));
  CHECK_THAT(never.text, ContainsSubstring("never, other_shape"));

  const SelectionReport selection = select({SelectionRule::Kind::coverage, 0.8, 0, 50}, summary.kernels);
  CHECK(selection.selected == 1);
  CHECK(selection.coverage_reached == Approx(110.0 * 92 / all_ns));
}

TEST_CASE("kernels of unrecorded graph launches are scaled by launches") {
  trace::LedgerSample ledger;
  ledger.graph_launches = 2;
  ledger.uncaptured_graph_launches = 6;
  ledger.uncaptured_graph_kernels = 12;
  const Summary summary = summary_of_scene(
      10'000,
      [](Scene& scene) {
        scene.call("cudaGraphLaunch_v10000", 10).graph_kernel("a", 100, 10).graph_kernel("b", 120, 20);
        scene.call("cudaGraphLaunch_v10000", 210).graph_kernel("a", 300, 10).graph_kernel("b", 320, 20);
        scene.launch("b", 400, 500, 20).capture(2'000, false);
      },
      ledger);
  CHECK(summary.capture.estimated);
  CHECK(summary.capture.uncaptured_launches == 12);
  REQUIRE(summary.kernels.size() == 2);
  CHECK(summary.kernels[0].short_name == "b");
  CHECK(summary.kernels[0].estimated_launches == 9U);  // 3 recorded, 2 of them in 2 of 8 graph launches
  CHECK(*summary.kernels[0].estimated_time_ns == Approx(180));
  CHECK(summary.kernels[1].estimated_launches == 8U);
  CHECK(balances(summary.ledger.kernels));
}

TEST_CASE("kernels that the flight recorder discarded are in the books") {
  trace::LedgerSample ledger;
  ledger.kernel_launches = 40;
  ledger.kernels_overwritten = 40;
  const Summary summary = summary_of_scene(
      10'000, [](Scene& scene) { scene.launch("a", 10, 100, 50); }, ledger);
  CHECK(summary.ledger.kernels.launched == 41);
  CHECK(summary.ledger.kernels.overwritten == 40);
  CHECK(summary.ledger.kernels.unaccounted == 0);
  CHECK(balances(summary.ledger.kernels));
  CHECK(summary.notices.empty());
}

TEST_CASE("one discarded record too few is still noticed") {
  trace::LedgerSample ledger;
  ledger.kernel_launches = 40;
  ledger.kernels_overwritten = 39;
  const Summary summary = summary_of_scene(
      10'000, [](Scene& scene) { scene.launch("a", 10, 100, 50); }, ledger);
  CHECK(summary.ledger.kernels.unaccounted == 1);
  CHECK(has_notice(summary.notices, "ledger.unaccounted"));
}

}  // namespace
}  // namespace gpuprof::timeline
