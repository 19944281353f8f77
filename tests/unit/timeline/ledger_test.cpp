// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// The books of kernel records, through summarize().

#include "notices.hpp"
#include "support/catch2_compat.hpp"
#include "support/trace_builder.hpp"
#include "timeline/summary.hpp"

namespace gpuprof::timeline {
namespace {

using test::balances;
using test::has_notice;
using test::notice_with;
using test::TraceBuilder;
using test::TraceFolder;

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kStart = TraceBuilder::kStartNs;

template <typename Build>
Summary summary_of(Build build) {
  const TraceFolder folder;
  {
    TraceBuilder builder{folder.file("1.trace")};
    builder.process(31).cupti(130001);
    build(builder);
  }
  const Summary summary = summarize(folder.path());
  CHECK(balances(summary.ledger.kernels));
  return summary;
}

TEST_CASE("records with unusable stamps are counted by class and left out of the sums") {
  const Summary summary = summary_of([](TraceBuilder& builder) {
    builder.kernel("k", 100, 10)
        .kernel("k", 200, 0)                                      // legal: no measurable duration
        .raw_kernel("k", 0, 0)                                    // untimed
        .raw_kernel("k", kStart + 300, 0)                         // unfinished
        .raw_kernel("k", kStart + 400, kStart + 399)              // negative
        .raw_kernel("k", kStart - 61 * kSecond, kStart + 1)       // before the process
        .raw_kernel("k", kStart + 500, kStart + 1'000 * kSecond)  // after it
        .raw_kernel("k", kStart + 600, std::uint64_t{1} << 63)    // CUPTI's impossible stamp
        .raw_kernel("only_bad", 0, 0)
        .raw_kernel("k", kStart - 59 * kSecond, kStart - 59 * kSecond + 5)  // within the slack
        .launches(10)
        .exit(10 * kSecond);
  });
  const KernelLedger& ledger = summary.ledger.kernels;
  CHECK(ledger.launched == 10);
  CHECK(ledger.stored == 3);
  CHECK(ledger.untimed == 2);
  CHECK(ledger.unfinished == 1);
  CHECK(ledger.negative == 1);
  CHECK(ledger.wrong_clock == 3);
  CHECK(ledger.unaccounted == 0);
  REQUIRE(summary.kernels.size() == 1);
  CHECK(summary.kernels[0].launches == 3);
  CHECK(summary.totals.kernel_time_ns == 15);
  const Notice notice = notice_with(summary.notices, "records.invalid");
  CHECK_THAT(notice.text, ContainsSubstring("7 kernel records") && ContainsSubstring("2 without time stamps"));
}

TEST_CASE("a kernel may end later than any clock known when it was read") {
  const Summary summary = summary_of([](TraceBuilder& builder) {
    builder.kernel("late", 900 * kSecond, 10).kernel("later", 2'000 * kSecond, 10);
    builder.writer().flush();
    builder.clock(901 * kSecond).launches(2).exit(902 * kSecond);
  });
  CHECK(summary.ledger.kernels.stored == 1);
  CHECK(summary.ledger.kernels.wrong_clock == 1);
  REQUIRE(summary.kernels.size() == 1);
  CHECK(summary.kernels[0].key.mangled_name == "late");
}

TEST_CASE("dropped records explain what is missing after a clean end; the rest is unaccounted") {
  const auto sample = [](std::uint64_t launches, std::uint64_t cupti) {
    trace::LedgerSample ledger;
    ledger.kernel_launches = launches;
    ledger.dropped_by_cupti = cupti;
    ledger.profiler_kernels = 4;
    return ledger;
  };
  const Summary explained =
      summary_of([&](TraceBuilder& builder) { builder.kernel("k", 0, 1).ledger(sample(10, 20)).exit(); });
  CHECK(explained.ledger.kernels.dropped == 9);
  CHECK(explained.ledger.kernels.unaccounted == 0);
  CHECK(explained.ledger.records_dropped_by_cupti == 20);
  CHECK(explained.ledger.profiler_kernels_ignored == 4);
  CHECK_THAT(notice_with(explained.notices, "records.dropped").text, ContainsSubstring("9 kernels"));

  const Summary unexplained =
      summary_of([&](TraceBuilder& builder) { builder.kernel("k", 0, 1).ledger(sample(10, 2)).exit(); });
  CHECK(unexplained.ledger.kernels.dropped == 2);
  CHECK(unexplained.ledger.kernels.unaccounted == 7);
  CHECK_THAT(notice_with(unexplained.notices, "ledger.unaccounted").text, ContainsSubstring("7 kernel launches"));

  const Summary too_many = summary_of(
      [&](TraceBuilder& builder) { builder.kernel("k", 0, 1).kernel("k", 5, 1).ledger(sample(1, 0)).exit(); });
  CHECK(too_many.ledger.kernels.unaccounted == -1);
  CHECK_THAT(notice_with(too_many.notices, "ledger.unaccounted").text, ContainsSubstring("1 more kernel records"));
}

TEST_CASE("a killed process: launches in flight are dropped, and the report says so") {
  const Summary summary = summary_of([](TraceBuilder& builder) { builder.kernel("k", 0, 1).launches(4); });
  CHECK(summary.ledger.kernels.launched == 4);
  CHECK(summary.ledger.kernels.dropped == 3);
  CHECK(summary.ledger.kernels.unaccounted == 0);
  CHECK(summary.processes.at(0).end.kind == EndKind::running);
  CHECK_FALSE(summary.processes.at(0).clean_exit);
  CHECK_THAT(notice_with(summary.notices, "process.ended_early").text,
             ContainsSubstring("process 31 was killed or left through _exit") && ContainsSubstring("3 launches"));
}

TEST_CASE("a process killed between its records and their ledger sample") {
  const Summary summary =
      summary_of([](TraceBuilder& builder) { builder.kernel("k", 0, 1).launches(1).kernel("k", 5, 1); });
  CHECK(summary.ledger.kernels.launched == 2);
  CHECK(summary.ledger.kernels.unaccounted == 0);

  const Summary early = summary_of([](TraceBuilder& builder) { builder.kernel("k", 0, 1); });
  CHECK(early.ledger.kernels.launched == 1);
  CHECK_THAT(notice_with(early.notices, "process.ended_early").text, ContainsSubstring("is not known"));
}

TEST_CASE("a signal that the collector saw") {
  const Summary summary =
      summary_of([](TraceBuilder& builder) { builder.kernel("k", 0, 1).launches(2).killed_by(15); });
  CHECK(summary.processes.at(0).end.kind == EndKind::signalled);
  CHECK(summary.processes.at(0).end.code == 15);
  CHECK(summary.processes.at(0).clean_exit);
  CHECK(summary.ledger.kernels.dropped == 1);
  CHECK_THAT(notice_with(summary.notices, "process.ended_early").text, ContainsSubstring("signal 15"));
}

TEST_CASE("graph kernels count as launches, as far as they are known") {
  trace::LedgerSample sample;
  sample.kernel_launches = 1;
  sample.graph_launches = 1;
  sample.graph_kernel_nodes = 2;
  const auto three_from_graphs = [](TraceBuilder& builder) -> TraceBuilder& {
    for (std::uint64_t i = 0; i < 3; ++i) builder.kernel("node", 10 * i, 5, {{}, {}, 0, 7, 1, 8});
    return builder.kernel("k", 100, 5);
  };
  const Summary known = summary_of([&](TraceBuilder& builder) { three_from_graphs(builder).ledger(sample).exit(); });
  CHECK(known.ledger.kernels.launched == 3);
  CHECK(known.ledger.kernels.unaccounted == -1);

  sample.graphs_of_unknown_size = 1;
  const Summary unknown = summary_of([&](TraceBuilder& builder) { three_from_graphs(builder).ledger(sample).exit(); });
  CHECK(unknown.ledger.kernels.launched == 4);
  CHECK(unknown.ledger.kernels.unaccounted == 0);
  CHECK(notice_with(unknown.notices, "ledger.graphs_of_unknown_size").severity == Severity::info);
}

TEST_CASE("launches without any record are an error that names CUPTI's version") {
  const Summary summary = summary_of([](TraceBuilder& builder) { builder.launches(5).exit(); });
  const Notice notice = notice_with(summary.notices, "timeline.no_kernel_records");
  CHECK(notice.severity == Severity::error);
  CHECK_THAT(notice.text, ContainsSubstring("5 kernels") && ContainsSubstring("CUPTI 13.0.1"));
  CHECK(summary.ledger.kernels.unaccounted == 5);
  CHECK_FALSE(has_notice(summary.notices, "timeline.no_kernels"));
}

}  // namespace
}  // namespace gpuprof::timeline
