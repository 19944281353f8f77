// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "counters/combine.hpp"

#include <limits>

#include "support/catch2_compat.hpp"

using gpuprof::CounterValue;
using gpuprof::ValueState;
using gpuprof::counters::LaunchValues;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kTime = "gpu__time_duration.sum";
constexpr const char* kHits = "lts__t_sectors_lookup_hit.sum";
constexpr const char* kMisses = "lts__t_sectors_lookup_miss.sum";
constexpr const char* kHitRate = "gpuprof__l2_hit_rate.pct";

}  // namespace

TEST_CASE("mean, sample standard deviation and n") {
  LaunchValues values;
  for (const double value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) values.add(kTime, value);
  const CounterValue time = values.combined().at(kTime);
  CHECK(time.state == ValueState::measured);
  CHECK(time.n == 8);
  CHECK(*time.mean == Approx(5.0));
  CHECK(*time.stddev == Approx(2.138089935));
  CHECK(time.unit == "ns");
  CHECK(time.reason.empty());
}

TEST_CASE("one launch has no spread") {
  LaunchValues values;
  values.add(kTime, 3);
  const CounterValue time = values.combined().at(kTime);
  CHECK(*time.mean == 3);
  CHECK_FALSE(time.stddev.has_value());
}

TEST_CASE("launches without a value do not count") {
  LaunchValues values;
  values.add(kTime, kNaN);
  values.add(kTime, 10);
  values.add(kTime, std::numeric_limits<double>::infinity());
  const CounterValue time = values.combined().at(kTime);
  CHECK(time.n == 1);
  CHECK(*time.mean == 10);
}

TEST_CASE("a metric that never has a value is not measured") {
  LaunchValues values;
  values.add(kTime, kNaN);
  const CounterValue time = values.combined().at(kTime);
  CHECK(time.state == ValueState::not_measured);
  CHECK(time.reason == "the hardware delivered no value");
  CHECK_FALSE(time.mean.has_value());
  CHECK(time.n == 0);
  CHECK(time.unit == "ns");
}

TEST_CASE("a zero is a measurement") {
  LaunchValues values;
  values.add(kTime, 0);
  CHECK(values.combined().at(kTime).state == ValueState::measured);
  CHECK(*values.combined().at(kTime).mean == 0);
}

TEST_CASE("the L2 hit rate is derived from means over different launches") {
  LaunchValues values;
  for (const double hits : {20.0, 30.0, 40.0}) values.add(kHits, hits);
  for (const double misses : {60.0, 100.0}) values.add(kMisses, misses);
  const CounterValue rate = values.combined().at(kHitRate);
  CHECK(rate.state == ValueState::derived);
  CHECK(*rate.mean == Approx(100.0 * 30 / 110));
  CHECK_FALSE(rate.stddev.has_value());
  CHECK(rate.n == 2);
  CHECK(rate.unit == "%");
  CHECK_THAT(rate.reason, ContainsSubstring(kHits));
}

TEST_CASE("a derived metric needs its parts") {
  LaunchValues values;
  values.add(kHits, 10);
  CHECK(values.combined().count(kHitRate) == 0);
  values.add(kMisses, kNaN);
  const CounterValue without_part = values.combined().at(kHitRate);
  CHECK(without_part.state == ValueState::not_measured);
  CHECK_THAT(without_part.reason, ContainsSubstring(kMisses));

  LaunchValues idle;
  idle.add(kHits, 0);
  idle.add(kMisses, 0);
  CHECK(idle.combined().at(kHitRate).state == ValueState::not_measured);
}
