// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "counters/results.hpp"

#include <fstream>
#include <limits>

#include "counter_session.hpp"
#include "support/catch2_compat.hpp"

using namespace gpuprof::counters_test;
using gpuprof::EndKind;
using gpuprof::ValueState;
using gpuprof::counters::read_results;
using gpuprof::counters::Results;
namespace trace = gpuprof::trace;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
const std::vector<std::vector<std::string>> kGroups = {{"gpu__time_duration.sum", "lts__t_sectors_lookup_hit.sum"},
                                                       {"gpu__time_duration.sum", "lts__t_sectors_lookup_miss.sum"}};

}  // namespace

TEST_CASE("a missing directory means that counters were not attempted") {
  const Results results = read_results("/nonexistent/counters");
  CHECK_FALSE(results.summary.attempted);
  CHECK(results.kernels.empty());
  CHECK(results.notices.empty());
}

TEST_CASE("an empty directory means that no process loaded the collector") {
  const CounterSession session;
  const Results results = read_results(session.directory());
  CHECK(results.summary.attempted);
  CHECK_THAT(results.summary.unavailable_reason, ContainsSubstring("no process"));
}

TEST_CASE("windows of several groups and processes are combined by key") {
  const CounterSession session;
  session.process(10)
      .groups(kGroups)
      .window(0, {key("a"), key("b"), key("a")}, {100, 30, 500, 1, 120, 50})
      .window(1, {key("a"), key("a", 2)}, {140, 60, 7, 8})
      .record(trace::LedgerSample{40, 2, 6});
  session.process(11).groups(kGroups).window(0, {key("a")}, {160, 40});

  const Results results = read_results(session.directory());
  CHECK(results.summary.chip == "GH100");
  CHECK(results.summary.groups == kGroups);
  CHECK(results.summary.windows == 3);
  CHECK(results.summary.windows_discarded == 0);
  CHECK(results.summary.launches_measured == 6);
  CHECK(results.summary.window_time_ns == 3'000);
  CHECK(results.summary.unavailable_reason.empty());

  REQUIRE(results.kernels.size() == 3);
  CHECK(results.kernels[0].key == key("a"));
  CHECK(results.kernels[1].key == key("a", 2));
  CHECK(results.kernels[2].key == key("b"));
  const auto& a = results.kernels[0].counters;
  CHECK(results.kernels[0].launches == 4);
  CHECK(a.at("gpu__time_duration.sum").n == 4);
  CHECK(*a.at("gpu__time_duration.sum").mean == Approx(130));
  CHECK(a.at("lts__t_sectors_lookup_hit.sum").n == 3);
  CHECK(*a.at("gpuprof__l2_hit_rate.pct").mean == Approx(40));
  CHECK(a.at("gpuprof__l2_hit_rate.pct").n == 1);
  CHECK(results.kernels[2].counters.count("lts__t_sectors_lookup_miss.sum") == 0);

  REQUIRE(results.processes.size() == 2);
  CHECK(results.processes[0].pid == 10);
  CHECK(results.processes[0].kernel_launches == 46);
  CHECK(results.processes[0].stage == "counters");
  CHECK(results.processes[0].end.kind == EndKind::running);
  CHECK_FALSE(results.processes[0].clean_exit);
}

TEST_CASE("discarded windows give no values but are counted") {
  const CounterSession session;
  session.process(10).groups(kGroups).discarded_window(0, {key("a"), key("a")}).window(0, {key("b")}, {5, 6});
  const Results results = read_results(session.directory());
  CHECK(results.summary.windows == 2);
  CHECK(results.summary.windows_discarded == 1);
  CHECK(results.summary.window_time_ns == 2'000);
  CHECK(results.summary.launches_measured == 1);
  REQUIRE(results.kernels.size() == 2);
  CHECK(results.kernels[0].launches == 0);
  CHECK(results.kernels[0].discarded_launches == 2);
  CHECK(results.kernels[0].counters.empty());
}

TEST_CASE("all windows discarded, or no value at all, is a reason for no counters") {
  const CounterSession discarded;
  discarded.process(10).groups(kGroups).discarded_window(0, {key("a")});
  CHECK_THAT(read_results(discarded.directory()).summary.unavailable_reason, ContainsSubstring("discarded"));

  const CounterSession empty;
  empty.process(10).groups(kGroups).window(0, {key("a")}, {kNaN, kNaN});
  const Results results = read_results(empty.directory());
  CHECK_THAT(results.summary.unavailable_reason, ContainsSubstring("no value"));
  CHECK(results.summary.launches_measured == 0);
  CHECK(results.kernels.at(0).counters.at("gpu__time_duration.sum").state == ValueState::not_measured);

  const CounterSession idle;
  idle.process(10).groups(kGroups);
  CHECK_THAT(read_results(idle.directory()).summary.unavailable_reason, ContainsSubstring("no counter window"));
}

TEST_CASE("a window that does not fit its group is left out and told") {
  const CounterSession session;
  session.process(10)
      .window(0, {key("a")}, {1, 2})  // before any group was armed
      .groups(kGroups)
      .window(7, {key("a")}, {1, 2})
      .window(0, {key("a")}, {1})
      .window(0, {key("a")}, {1, 2});
  const Results results = read_results(session.directory());
  CHECK(results.summary.windows == 4);
  CHECK(results.summary.windows_discarded == 3);
  CHECK(results.kernels.at(0).counters.at("gpu__time_duration.sum").n == 1);
  REQUIRE(results.notices.size() == 1);
  CHECK(results.notices[0].code == "counters.damaged_window");
}

TEST_CASE("graph windows are combined per graph, apart from kernels") {
  const CounterSession session;
  session.process(10)
      .groups(kGroups)
      .graph_window(0, 7, 2, {100, 1, 200, 3})
      .graph_window(1, 7, 1, {300, 2})
      .graph_window(0, 9, 1, {50, 5});
  const Results results = read_results(session.directory());
  CHECK(results.kernels.empty());
  CHECK(results.summary.launches_measured == 4);
  REQUIRE(results.graphs.size() == 2);
  CHECK(results.graphs[0].graph_id == 7);
  CHECK(results.graphs[0].launches == 3);
  CHECK(*results.graphs[0].counters.at("gpu__time_duration.sum").mean == Approx(200));
  CHECK(*results.graphs[0].counters.at("gpuprof__l2_hit_rate.pct").mean == Approx(50));
  CHECK(results.graphs[1].counters.at("lts__t_sectors_lookup_hit.sum").n == 1);
}

TEST_CASE("what stops the counters is the reason, and repeated notices are told once") {
  const CounterSession session;
  session.process(10)
      .record(trace::NoticeRecord{trace::NoticeCode::window_discarded, 1, "3 expected, 2 delivered"})
      .record(trace::NoticeRecord{trace::NoticeCode::window_discarded, 2, "9 expected, 1 delivered"})
      .record(trace::NoticeRecord{trace::NoticeCode::counters_permission, 3, ""});
  const Results results = read_results(session.directory());
  CHECK_THAT(results.summary.unavailable_reason, ContainsSubstring("does not allow"));
  REQUIRE(results.notices.size() == 2);
  CHECK(results.notices[0].code == "counters.window_discarded");
  CHECK_THAT(results.notices[0].text, ContainsSubstring("the first of 2"));
  CHECK_THAT(results.notices[0].text, ContainsSubstring("3 expected"));
  CHECK(results.notices[1].code == "counters.permission");
}

TEST_CASE("one process without permission does not hide another one's values") {
  const CounterSession session;
  session.process(10).record(trace::NoticeRecord{trace::NoticeCode::counters_busy, 3, ""});
  session.process(11).groups(kGroups).window(0, {key("a")}, {5, 6});
  const Results results = read_results(session.directory());
  CHECK(results.summary.unavailable_reason.empty());
  CHECK_THAT(results.obstacle, ContainsSubstring("another profiler"));
  CHECK(results.summary.launches_measured == 1);
}

TEST_CASE("what prevented counters comes before what interrupted them") {
  const CounterSession session;
  session.process(10)
      .record(trace::NoticeRecord{trace::NoticeCode::cupti_error, 1, "cuptiSomething: failed (1)"})
      .record(trace::NoticeRecord{trace::NoticeCode::counters_unsupported, 2, ""});
  CHECK_THAT(read_results(session.directory()).obstacle, ContainsSubstring("not available on this device"));

  const CounterSession interrupted;
  interrupted.process(10)
      .groups(kGroups)
      .window(0, {key("a")}, {5, 6})
      .record(trace::NoticeRecord{trace::NoticeCode::counters_error, 1, "cuptiRangeProfilerStop: failed (999)"});
  CHECK_THAT(read_results(interrupted.directory()).obstacle, ContainsSubstring("cuptiRangeProfilerStop"));
}

TEST_CASE("how processes ended") {
  const CounterSession session;
  session.process(10).record(trace::ProcessEndRecord{CounterTrace::kStartNs + 500, 0});
  session.process(11).record(trace::ProcessEndRecord{CounterTrace::kStartNs + 700, 15});
  const Results results = read_results(session.directory());
  REQUIRE(results.processes.size() == 2);
  CHECK(results.processes[0].end.kind == EndKind::exited);
  CHECK(results.processes[0].clean_exit);
  CHECK(results.processes[0].last_record_ns == 500);
  CHECK(results.processes[1].end.kind == EndKind::signalled);
  CHECK(results.processes[1].end.code == 15);
}

TEST_CASE("a torn trace is read as far as it goes, a foreign one becomes a notice") {
  const CounterSession session;
  session.process(10).groups(kGroups).window(0, {key("a")}, {5, 6}).window(0, {key("a")}, {7, 8});
  const std::string path = session.path("10-1.trace");
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 5);
  std::ofstream(session.path("99-1.trace")) << "this is not a trace, though it is longer than a header";
  std::ofstream(session.path("plan")) << "no trace either, but nobody asked";

  const Results results = read_results(session.directory());
  REQUIRE(results.processes.size() == 1);
  CHECK(results.processes[0].truncated);
  CHECK(results.summary.windows == 1);
  CHECK(results.kernels.at(0).counters.at("gpu__time_duration.sum").n == 1);
  REQUIRE(results.notices.size() == 2);
  CHECK(results.notices[0].code == "trace.torn");
  CHECK_THAT(results.notices[0].text, ContainsSubstring("'10-1.trace'"));
  CHECK(results.notices[1].code == "trace.unreadable");
  CHECK_FALSE(results.notices[1].hint.empty());
}

TEST_CASE("a trace without its process is told and gives no process") {
  const CounterSession session;
  session.process(10);
  std::filesystem::resize_file(session.path("10-1.trace"), 16);  // the header alone
  const Results results = read_results(session.directory());
  CHECK(results.processes.empty());
  REQUIRE(results.notices.size() == 1);
  CHECK(results.notices[0].code == "trace.empty");
  CHECK_THAT(results.summary.unavailable_reason, ContainsSubstring("no process"));
}

TEST_CASE("chips of different kinds are told apart") {
  const CounterSession session;
  session.process(10).groups(kGroups, "GH100").window(0, {key("a")}, {5, 6});
  session.process(11).groups(kGroups, "AD102").window(0, {key("a")}, {7, 8});
  const Results results = read_results(session.directory());
  CHECK(results.summary.chip == "GH100, AD102");
  CHECK(results.summary.groups == kGroups);
  REQUIRE(results.notices.size() == 1);
  CHECK(results.notices[0].code == "counters.several_chips");
}
