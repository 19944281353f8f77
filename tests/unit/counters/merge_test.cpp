// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "counter_session.hpp"
#include "counters/combine.hpp"
#include "counters/results.hpp"
#include "support/catch2_compat.hpp"

using namespace gpuprof;
using counters::merge;
using counters::Results;
using counters_test::key;

namespace {

constexpr const char* kTime = "gpu__time_duration.sum";
constexpr const char* kHits = "lts__t_sectors_lookup_hit.sum";
constexpr const char* kMisses = "lts__t_sectors_lookup_miss.sum";
constexpr const char* kHitRate = "gpuprof__l2_hit_rate.pct";
const std::vector<std::vector<std::string>> kPlan = {{kTime, kHits}, {kTime, kMisses}};

KernelReport kernel(const std::string& name, std::uint64_t launches, bool selected = true) {
  KernelReport report;
  report.key = key(name);
  report.short_name = name;
  report.launches = launches;
  report.selected = selected;
  return report;
}

Results::Kernel measured(const std::string& name, const std::vector<std::string>& metrics, std::uint64_t launches) {
  counters::LaunchValues values;
  for (const std::string& metric : metrics) {
    for (std::uint64_t i = 0; i < launches; ++i) values.add(metric, 10);
  }
  return {key(name), launches, 0, values.combined()};
}

Results some_results() {
  Results results;
  results.summary.attempted = true;
  results.summary.chip = "GH100";
  results.summary.windows = 2;
  results.summary.launches_measured = 20;
  return results;
}

const Notice* find_notice(const Report& report, const std::string& code) {
  const auto found =
      std::find_if(report.notices.begin(), report.notices.end(), [&](const Notice& n) { return n.code == code; });
  return found == report.notices.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a measured kernel gets every planned metric and what is derived from them") {
  Results results = some_results();
  results.kernels.push_back(measured("a", {kTime, kHits, kMisses}, 10));
  Report report;
  report.kernels = {kernel("a", 100)};
  report.counters.tier = "quick";
  merge(results, kPlan, report);

  const auto& values = report.kernels[0].counters;
  CHECK(values.size() == 4);
  CHECK(values.at(kTime).state == ValueState::measured);
  CHECK(values.at(kTime).n == 10);
  CHECK(values.at(kHitRate).state == ValueState::derived);
  CHECK(report.counters.tier == "quick");
  CHECK(report.counters.chip == "GH100");
  CHECK(report.counters.groups == kPlan);
  CHECK(report.notices.empty());
}

TEST_CASE("counters that were unavailable as a whole say why on every selected kernel") {
  Results results;
  results.summary.attempted = true;
  results.summary.unavailable_reason = "no permission";
  Report report;
  report.kernels = {kernel("a", 100), kernel("b", 5, false)};
  merge(results, kPlan, report);
  REQUIRE(report.kernels[0].counters.size() == 4);
  for (const auto& [name, value] : report.kernels[0].counters) {
    CAPTURE(name);
    CHECK(value.state == ValueState::not_measured);
    CHECK(value.reason == "no permission");
    CHECK_FALSE(value.mean.has_value());
    CHECK_FALSE(value.unit.empty());
  }
  CHECK(report.kernels[1].counters.empty());
  CHECK(find_notice(report, "counters.kernels_missing") == nullptr);
}

TEST_CASE("a reason the report has already is kept when nothing was measured") {
  Report report;
  report.kernels = {kernel("a", 100)};
  report.counters.unavailable_reason = "no chip is known";
  merge(Results{}, kPlan, report);
  CHECK(report.counters.unavailable_reason == "no chip is known");
  CHECK(report.kernels[0].counters.at(kTime).reason == "no chip is known");
}

TEST_CASE("without a counter stage the values say so") {
  Report report;
  report.kernels = {kernel("a", 100)};
  merge(Results{}, kPlan, report);
  CHECK(report.kernels[0].counters.at(kHitRate).reason == "the counter stage was not run");
}

TEST_CASE("a kernel that no window saw") {
  Results results = some_results();
  results.kernels.push_back(measured("a", {kTime, kHits, kMisses}, 10));
  Report report;
  report.kernels = {kernel("a", 100), kernel("gone", 50), kernel("in_graph", 30), kernel("unselected", 1, false)};
  report.kernels[2].graph_launches = 30;
  merge(results, kPlan, report);
  CHECK_THAT(report.kernels[1].counters.at(kTime).reason, ContainsSubstring("not launched"));
  CHECK_THAT(report.kernels[2].counters.at(kTime).reason, ContainsSubstring("CUDA graphs"));
  CHECK(report.kernels[3].counters.empty());

  const Notice* notice = find_notice(report, "counters.kernels_missing");
  REQUIRE(notice != nullptr);
  CHECK(notice->severity == Severity::warning);
  CHECK_THAT(notice->text, ContainsSubstring("1 of 2 selected kernels"));
  CHECK_THAT(notice->text, ContainsSubstring(": gone"));
  CHECK_FALSE(notice->hint.empty());
}

TEST_CASE("kernels not reached before the counters stopped name what stopped them") {
  Results results = some_results();
  results.kernels.push_back(measured("a", {kTime, kHits, kMisses}, 10));
  results.obstacle = "a counter window failed";
  Report report;
  report.kernels = {kernel("a", 100), kernel("late", 50)};
  merge(results, kPlan, report);
  CHECK(report.kernels[0].counters.at(kTime).state == ValueState::measured);
  CHECK_THAT(report.kernels[1].counters.at(kTime).reason, ContainsSubstring("a counter window failed"));
  CHECK(find_notice(report, "counters.kernels_missing") == nullptr);
}

TEST_CASE("a kernel with too few launches for every group keeps what it got") {
  Results results = some_results();
  results.kernels.push_back(measured("rare", {kTime, kHits}, 3));
  Report report;
  report.kernels = {kernel("rare", 3)};
  merge(results, kPlan, report);
  const auto& values = report.kernels[0].counters;
  CHECK(values.at(kHits).state == ValueState::measured);
  CHECK(values.at(kHits).n == 3);
  CHECK(values.at(kMisses).state == ValueState::not_measured);
  CHECK_THAT(values.at(kMisses).reason, ContainsSubstring("all 3 that were measured"));
  CHECK(values.at(kHitRate).state == ValueState::not_measured);
}

TEST_CASE("a kernel that only discarded windows saw") {
  Results results = some_results();
  results.kernels.push_back({key("a"), 0, 12, {}});
  Report report;
  report.kernels = {kernel("a", 100)};
  merge(results, kPlan, report);
  CHECK_THAT(report.kernels[0].counters.at(kTime).reason, ContainsSubstring("all 12 launches fell into discarded"));
  CHECK(find_notice(report, "counters.kernels_missing") == nullptr);
}

TEST_CASE("an unselected kernel keeps what the windows measured") {
  Results results = some_results();
  results.kernels.push_back(measured("b", {kTime}, 2));
  Report report;
  report.kernels = {kernel("b", 5, false)};
  merge(results, kPlan, report);
  CHECK(report.kernels[0].counters.size() == 1);
  CHECK(report.kernels[0].counters.at(kTime).n == 2);
}

TEST_CASE("kernels that only the counter run launched are told, the first few by name") {
  Results results = some_results();
  for (const char* name : {"k1", "k2", "k3", "k4", "k5", "k6", "k7"}) {
    results.kernels.push_back(measured(name, {kTime}, 1));
  }
  Report report;
  report.kernels = {kernel("k1", 5, false)};
  merge(results, kPlan, report);
  const Notice* notice = find_notice(report, "counters.kernels_unknown");
  REQUIRE(notice != nullptr);
  CHECK_THAT(notice->text, ContainsSubstring("6 kernels"));
  CHECK_THAT(notice->text, ContainsSubstring("k2, k3, k4, k5, k6 and 1 more"));
}

TEST_CASE("processes, graphs and notices are added to what the report has") {
  Results results = some_results();
  results.processes.resize(1);
  results.notices.push_back({Severity::info, "from.results", "text", ""});
  results.graphs.resize(1);
  Report report;
  report.processes.resize(1);
  report.notices.push_back({Severity::info, "from.timeline", "text", ""});
  merge(results, kPlan, report);
  CHECK(report.processes.size() == 2);
  CHECK(report.graphs.size() == 1);
  REQUIRE(report.notices.size() == 2);
  CHECK(report.notices[0].code == "from.timeline");
}
