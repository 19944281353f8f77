// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks the real CUPTI, which needs neither a GPU nor a driver for this.
#include "cupti/host.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "support/catch2_compat.hpp"
#include "support/real_cupti.hpp"

namespace cupti = gpuprof::cupti;
using gpuprof::Error;

namespace {

constexpr const char* kDuration = "gpu__time_duration.sum";

}  // namespace

TEST_CASE("versions are shown as the toolkit's") {
  CHECK(cupti::version_text(130001) == "13.0.1");
  CHECK(cupti::version_text(130400) == "13.4.0");
  CHECK(cupti::version_text(27) == "12.9");
  CHECK(cupti::version_text(28) == "12.9.1");
  CHECK(cupti::version_text(5) == "5");
}

TEST_CASE("chips are sorted and spelled as CUPTI wants them") {
  const auto host = gpuprof::open_real_cupti();
  if (!host) return;
  const std::vector<std::string> chips = host->chips();
  CHECK(std::is_sorted(chips.begin(), chips.end()));
  CHECK(std::count(chips.begin(), chips.end(), "GH100") == 1);
  CHECK(host->library_version() >= 27);
  CHECK_THAT(host->library_path(), ContainsSubstring("libcupti"));
}

TEST_CASE("an unknown chip is an error that names the nearest one") {
  const auto host = gpuprof::open_real_cupti();
  if (!host) return;
  for (const bool passes : {true, false}) {
    try {
      passes ? void(host->passes("gh100", {kDuration})) : void(host->base_metrics("gh100", cupti::MetricKind::counter));
      FAIL_CHECK("no error");
    } catch (const Error& error) {
      CHECK_THAT(error.what(), ContainsSubstring("did you mean GH100"));
      CHECK_THAT(error.hint(), ContainsSubstring("AD102"));
    }
  }
}

TEST_CASE("metrics are listed by kind and found with and without roll-up") {
  const auto host = gpuprof::open_real_cupti();
  if (!host) return;
  const auto counters = host->base_metrics("GH100", cupti::MetricKind::counter);
  const auto ratios = host->base_metrics("GH100", cupti::MetricKind::ratio);
  const auto throughputs = host->base_metrics("GH100", cupti::MetricKind::throughput);
  CHECK(std::binary_search(counters.begin(), counters.end(), "dram__bytes"));
  CHECK(std::binary_search(ratios.begin(), ratios.end(), "l1tex__t_sector_hit_rate"));
  CHECK(std::binary_search(throughputs.begin(), throughputs.end(), "sm__throughput"));

  cupti::MetricProperties properties;
  REQUIRE(host->find_metric("GH100", "dram__bytes.sum.per_second", properties));
  CHECK(properties.kind == cupti::MetricKind::counter);
  CHECK(properties.hardware_unit == "dram");
  CHECK(properties.dimension == "byte/second");
  CHECK_FALSE(properties.description.empty());
  REQUIRE(host->find_metric("GH100", "sm__throughput", properties));
  CHECK(properties.kind == cupti::MetricKind::throughput);
  CHECK_FALSE(host->find_metric("GH100", "sm__no_such_metric.sum", properties));
  CHECK(host->find_metric("GH100", "l1tex__t_sector_hit_rate.pct", properties));
  CHECK(properties.kind == cupti::MetricKind::ratio);
}

TEST_CASE("a metric is collectable only with a roll-up") {
  const auto host = gpuprof::open_real_cupti();
  if (!host) return;
  CHECK(host->is_collectable("GH100", kDuration));
  CHECK_FALSE(host->is_collectable("GH100", "gpu__time_duration"));
  CHECK_FALSE(host->is_collectable("GH100", "GPU__TIME_DURATION.SUM"));
  CHECK_FALSE(host->is_collectable("GH100", ""));
}

TEST_CASE("a refused set has 0 passes and does not spoil the next one") {
  const auto host = gpuprof::open_real_cupti();
  if (!host) return;
  CHECK(host->passes("GH100", {kDuration, "nonsense.sum"}) == 0);
  CHECK(host->passes("GH100", {}) == 0);
  CHECK(host->passes_of_groups("GH100", {}) == 0);
  CHECK(host->passes_of_groups("GH100", {{kDuration}, {}}) == 0);
  CHECK(host->passes_of_groups("GH100", {{kDuration}, {"nonsense.sum"}}) == 0);
  CHECK(host->passes("GH100", {kDuration}) == 1);
}

TEST_CASE("groups do not share passes") {
  const auto host = gpuprof::open_real_cupti();
  if (!host) return;
  const std::string hits = "lts__t_sectors_lookup_hit.sum";
  CHECK(host->passes("GH100", {kDuration, hits}) == 1);
  CHECK(host->passes_of_groups("GH100", {{kDuration}, {hits}}) == 2);
  CHECK(host->passes_of_groups("GH100", {{kDuration}, {kDuration}}) == 2);
}

TEST_CASE("a preferred path that is not there falls back to the usual places") {
  if (!gpuprof::open_real_cupti()) return;
  const auto host = cupti::Host::open("/nonexistent/libcupti.so");
  CHECK(host->library_path() != "/nonexistent/libcupti.so");
  CHECK(host->passes("GH100", {kDuration}) == 1);
}
