// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// Traces like those that broke the reports of other profilers: made anew, one for each situation.

#include <chrono>
#include <cmath>
#include <functional>

#include "support/catch2_compat.hpp"
#include "support/trace_builder.hpp"
#include "timeline/summary.hpp"

namespace gpuprof::timeline {
namespace {

using test::LaunchOptions;
using test::TraceBuilder;
using test::TraceFolder;

constexpr std::uint64_t kStart = TraceBuilder::kStartNs;

Summary summary_of(const std::function<void(TraceBuilder&)>& fill) {
  const TraceFolder folder;
  {
    TraceBuilder builder{folder.file("1-1.trace")};
    builder.process(1);
    fill(builder);
  }
  return summarize(folder.path());
}

LaunchOptions with_correlation(std::uint32_t correlation) {
  LaunchOptions options;
  options.correlation = correlation;
  return options;
}

TEST_CASE("a copy that took no time is kept and has no rate to divide by") {
  const Summary summary = summary_of([](TraceBuilder& trace) { trace.copy(1, 1, 3, 50, 0, 200).launches(0).exit(); });
  REQUIRE(summary.copies.size() == 1);
  CHECK(summary.copies[0].count == 1);
  CHECK(summary.copies[0].bytes == 200);
  CHECK(summary.copies[0].time.sum_ns == 0);
}

TEST_CASE("kernels without stamps are launches, but take no time and no place on the time axis") {
  const Summary summary = summary_of([](TraceBuilder& trace) {
    for (std::uint64_t i = 0; i < 1000; ++i) trace.kernel("good", 100 * i, 50);
    for (int i = 0; i < 300; ++i) trace.raw_kernel("good", 0, 0);
    trace.launches(1300).exit(200'000);
  });
  const KernelLedger& books = summary.ledger.kernels;
  CHECK(books.launched == 1300);
  CHECK(books.stored == 1000);
  CHECK(books.untimed == 300);
  CHECK(books.unaccounted == 0);
  CHECK(summary.totals.kernel_time_ns == 50'000);
  REQUIRE(summary.devices.size() == 1);
  CHECK(summary.devices[0].wall_ns == 200'000);
}

TEST_CASE("unfinished and reversed kernels have no duration, least of all a huge one") {
  const Summary summary = summary_of([](TraceBuilder& trace) {
    trace.kernel("good", 0, 40);
    trace.raw_kernel("unfinished", kStart + 100, 0);
    trace.raw_kernel("reversed", kStart + 200, kStart + 195);
    trace.launches(3).exit(1000);
  });
  const KernelLedger& books = summary.ledger.kernels;
  CHECK(books.unfinished == 1);
  CHECK(books.negative == 1);
  CHECK(books.unaccounted == 0);
  CHECK(summary.totals.kernel_time_ns == 40);
  for (const KernelReport& kernel : summary.kernels) CHECK(kernel.time.max_ns <= 40);
}

TEST_CASE("a total of no time gives shares, not NaN") {
  const Summary summary = summary_of([](TraceBuilder& trace) { trace.kernel("instant", 10, 0).launches(1).exit(100); });
  REQUIRE(summary.kernels.size() == 1);
  CHECK(std::isfinite(summary.kernels[0].share));
  CHECK(std::isfinite(summary.kernels[0].running_share));
}

TEST_CASE("traces without a kind of record, or without any, are calm") {
  const Summary header_only = summary_of([](TraceBuilder&) {});
  CHECK(header_only.processes.size() == 1);
  CHECK(header_only.kernels.empty());
  CHECK(header_only.devices.empty());

  const Summary calls_only =
      summary_of([](TraceBuilder& trace) { trace.api("cudaMalloc", 10, 20, 1).launches(0).exit(100); });
  CHECK(calls_only.ledger.api_calls == 1);
  CHECK(calls_only.devices.empty());

  const Summary ranges_only = summary_of([](TraceBuilder& trace) {
    trace::NvtxEvent event;
    event.time_ns = kStart + 10;
    event.thread = 5;
    event.name = trace.writer().string_id("only");
    event.domain = trace.writer().string_id("");
    trace.writer().add(event);
    event.kind = trace::NvtxKind::pop;
    event.time_ns = kStart + 30;
    trace.writer().add(event);
    trace.exit(100);
  });
  REQUIRE(ranges_only.ranges.size() == 1);
  CHECK(ranges_only.ranges[0].time.sum_ns == 20);
  CHECK(ranges_only.kernels.empty());
}

TEST_CASE("records without a correlation are not joined with each other") {
  constexpr std::uint64_t kCount = 50'000;
  const auto begin = std::chrono::steady_clock::now();
  const Summary summary = summary_of([](TraceBuilder& trace) {
    for (std::uint64_t i = 0; i < kCount; ++i) {
      trace.api("cudaLaunchKernel", 100 * i, 10, 0).kernel("anonymous", 100 * i + 20, 50);
    }
    trace.launches(kCount).exit(100 * kCount);
  });
  CHECK(summary.ledger.kernels.stored == kCount);
  REQUIRE(summary.devices.size() == 1);
  CHECK(summary.devices[0].launches_timed == 0);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
}

TEST_CASE("the order of records in the file makes no difference") {
  const auto in_order = [](TraceBuilder& trace, bool calls_first) {
    const auto calls = [&trace] {
      for (std::uint32_t i = 1; i <= 100; ++i) trace.api("cudaLaunchKernel", 1000 * i, 100, i);
      trace.writer().flush();
    };
    const auto kernels = [&trace] {
      for (std::uint32_t i = 100; i >= 1; --i) trace.kernel("work", 1000 * i + 300, 200, with_correlation(i));
      trace.writer().flush();
    };
    if (calls_first) calls();
    kernels();
    if (!calls_first) calls();
    trace.launches(100).exit(200'000);
  };
  const Summary first = summary_of([&](TraceBuilder& trace) { in_order(trace, true); });
  const Summary second = summary_of([&](TraceBuilder& trace) { in_order(trace, false); });
  REQUIRE(first.devices.size() == 1);
  REQUIRE(second.devices.size() == 1);
  CHECK(first.devices[0].launches_timed == 100);
  CHECK(first.devices[0].launch_latency.median_ns == 300);
  CHECK(second.devices[0].launches_timed == 100);
  CHECK(second.devices[0].launch_latency.median_ns == 300);
  CHECK(first.devices[0].idle_ns == second.devices[0].idle_ns);
  REQUIRE(first.devices[0].idle.size() == second.devices[0].idle.size());
  for (std::size_t i = 0; i < first.devices[0].idle.size(); ++i) {
    CHECK(first.devices[0].idle[i].cause == second.devices[0].idle[i].cause);
    CHECK(first.devices[0].idle[i].time_ns == second.devices[0].idle[i].time_ns);
  }
}

TEST_CASE("a kernel that seems to start before its own launch has no latency of half a millennium") {
  const Summary summary = summary_of([](TraceBuilder& trace) {
    trace.api("cuLaunchKernelEx", 5000, 100, 9).kernel("early", 4200, 300, with_correlation(9));
    trace.api("cuLaunchKernelEx", 6000, 100, 10).kernel("early", 6200, 300, with_correlation(10));
    trace.launches(2).exit(10'000);
  });
  REQUIRE(summary.devices.size() == 1);
  CHECK(summary.devices[0].negative_latencies == 1);
  CHECK(summary.devices[0].launches_timed == 2);
  CHECK(summary.devices[0].launch_latency.max_ns == 200);
  CHECK(summary.totals.kernel_time_ns == 600);
}

TEST_CASE("stamps of another clock are counted, not dropped and not believed") {
  const Summary summary = summary_of([](TraceBuilder& trace) {
    for (std::uint64_t i = 0; i < 2; ++i) {
      trace.raw_kernel("work", kStart - 100'000'000'000'000 + 100 * i, kStart - 100'000'000'000'000 + 100 * i + 50);
    }
    for (std::uint64_t i = 0; i < 8; ++i) trace.kernel("work", 100 * i, 50);
    trace.launches(10).exit(1000);
  });
  CHECK(summary.ledger.kernels.wrong_clock == 2);
  CHECK(summary.ledger.kernels.stored == 8);
  CHECK(summary.ledger.kernels.unaccounted == 0);
  REQUIRE(summary.devices.size() == 1);
  CHECK(summary.devices[0].wall_ns == 1000);
}

}  // namespace
}  // namespace gpuprof::timeline
