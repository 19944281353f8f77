// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "counters/catalog.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "support/catch2_compat.hpp"

namespace counters = gpuprof::counters;
using Groups = std::vector<std::vector<std::string>>;

namespace {

bool has(const Groups& groups, const std::string& metric) {
  return std::any_of(groups.begin(), groups.end(), [&](const std::vector<std::string>& group) {
    return std::find(group.begin(), group.end(), metric) != group.end();
  });
}

}  // namespace

TEST_CASE("every planned metric is in the catalog, with label and meaning") {
  for (const char* chip : {"TU102", "GA100", "GA10B", "AD102", "GH100", "GB100", "GB202", "GB20B", "unknown", ""}) {
    const Groups groups = counters::groups("quick", chip);
    CHECK(groups.size() == 2);
    for (const auto& group : groups) {
      for (const std::string& name : group) {
        CAPTURE(chip, name);
        const counters::Metric* metric = counters::find(name);
        REQUIRE(metric != nullptr);
        CHECK(metric->name == name);
        CHECK(std::string(metric->label).size() <= 12);
        CHECK(std::string(metric->meaning).back() == '.');
      }
    }
    for (const counters::DerivedMetric& derived : counters::derived_metrics()) {
      CHECK(has(groups, derived.numerator));
      CHECK(has(groups, derived.rest));
      CHECK(counters::find(derived.metric.name) == &derived.metric);
    }
  }
  CHECK(counters::find("sm__throughput.avg.pct_of_peak_sustained_elapsed") == nullptr);
}

TEST_CASE("catalog names are unique") {
  std::set<std::string> names;
  for (const counters::Metric& metric : counters::metrics()) CHECK(names.insert(metric.name).second);
  for (const counters::DerivedMetric& derived : counters::derived_metrics()) {
    CHECK(names.insert(derived.metric.name).second);
  }
}

TEST_CASE("a chip gets the names of its family") {
  CHECK(has(counters::groups("quick", "GH100"), "dram__bytes_read.sum"));
  CHECK(has(counters::groups("quick", "GB100"), "dram__bytes_read.sum"));
  CHECK(has(counters::groups("quick", "GB202"), "dram__bytes_op_read.sum"));
  CHECK_FALSE(has(counters::groups("quick", "GB202"), "dram__bytes_read.sum"));
  CHECK_FALSE(has(counters::groups("quick", "GB10B"), "dram__bytes.sum"));
  CHECK_FALSE(has(counters::groups("quick", "TU117"), "dram__throughput.avg.pct_of_peak_sustained_elapsed"));
  CHECK(counters::groups("quick", "GR100") == counters::groups("quick", "GH100"));
}

TEST_CASE("an unknown tier is a usage error that names the tiers") {
  try {
    counters::groups("everything", "GH100");
    FAIL("no error");
  } catch (const gpuprof::UsageError& error) {
    CHECK_THAT(error.what(), ContainsSubstring("everything"));
    CHECK_THAT(error.hint(), ContainsSubstring("quick"));
  }
}
