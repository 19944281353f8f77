// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/duration_counts.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "support/catch2_compat.hpp"

namespace gpuprof::timeline {
namespace {

DurationStats stats_of(const std::vector<std::uint64_t>& durations) {
  DurationCounts counts;
  for (const std::uint64_t duration : durations) counts.add(duration);
  return counts.stats();
}

TEST_CASE("durations: quantiles are order statistics") {
  CHECK(stats_of({}).sum_ns == 0);

  const DurationStats one = stats_of({7});
  CHECK(one.median_ns == 7);
  CHECK(one.p95_ns == 7);
  CHECK(one.min_ns == 7);
  CHECK(one.max_ns == 7);
  CHECK(one.stddev_ns == 0);

  const DurationStats even = stats_of({40, 10, 30, 20});
  CHECK(even.sum_ns == 100);
  CHECK(even.mean_ns == Approx(25));
  CHECK(even.median_ns == 20);
  CHECK(even.p95_ns == 40);
  CHECK(even.stddev_ns == Approx(std::sqrt(500.0 / 3)));

  // Exactly 0.95 * 20 = 19: the value at index 18.
  std::vector<std::uint64_t> twenty;
  for (std::uint64_t i = 1; i <= 20; ++i) twenty.push_back(i);
  CHECK(stats_of(twenty).p95_ns == 19);
  CHECK(stats_of(twenty).median_ns == 10);

  CHECK(stats_of({0, 0, 0}).max_ns == 0);
}

TEST_CASE("durations: counting distinct values gives what sorting all of them gives") {
  std::mt19937_64 random{7};
  for (const std::uint64_t spread : {1, 50, 1'000'000}) {
    std::vector<std::uint64_t> durations;
    for (int i = 0; i < 12'345; ++i) durations.push_back(5'000 + random() % spread);
    const DurationStats stats = stats_of(durations);
    std::sort(durations.begin(), durations.end());
    const double n = static_cast<double>(durations.size());
    double sum = 0;
    for (const std::uint64_t duration : durations) sum += static_cast<double>(duration);
    double squares = 0;
    for (const std::uint64_t duration : durations) squares += std::pow(static_cast<double>(duration) - sum / n, 2);
    INFO("spread " << spread);
    CHECK(stats.median_ns == durations[6172]);  // ceil(6172.5) - 1
    CHECK(stats.p95_ns == durations[11727]);    // ceil(11727.75) - 1
    CHECK(stats.min_ns == durations.front());
    CHECK(stats.max_ns == durations.back());
    CHECK(stats.mean_ns == Approx(sum / n));
    CHECK(stats.stddev_ns == Approx(std::sqrt(squares / (n - 1))));
  }
}

}  // namespace
}  // namespace gpuprof::timeline
