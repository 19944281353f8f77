// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
//
// The catalog's groups against the real CUPTI, which needs neither a GPU nor a driver for this.
#include <algorithm>

#include "counters/catalog.hpp"
#include "support/catch2_compat.hpp"
#include "support/real_cupti.hpp"

namespace counters = gpuprof::counters;

namespace {

// Listed by CUPTI, but its host API plans nothing for it (docs/metrics.md).
const std::string kUnsupportedChip = "GV11B";

}  // namespace

TEST_CASE("on every chip each group of each tier is a single pass") {
  const auto host = gpuprof::open_real_cupti();
  if (!host) return;
  for (const std::string& chip : host->chips()) {
    if (chip == kUnsupportedChip) continue;
    for (const std::string& tier : counters::tiers()) {
      CAPTURE(chip, tier);
      const auto groups = counters::groups(tier, chip);
      for (const std::vector<std::string>& group : groups) {
        CAPTURE(group);
        CHECK(host->passes(chip, group) == 1);
      }
      CHECK(host->passes_of_groups(chip, groups) == groups.size());
    }
  }
}

TEST_CASE("the unsupported chip is refused with a reason") {
  const auto host = gpuprof::open_real_cupti();
  if (!host) return;
  const std::vector<std::string> chips = host->chips();
  if (!std::binary_search(chips.begin(), chips.end(), kUnsupportedChip)) return;
  CHECK_THROWS_WITH(host->passes(kUnsupportedChip, {"gpu__time_duration.sum"}),
                    ContainsSubstring("no hardware counters on " + kUnsupportedChip));
}

TEST_CASE("L2 hits and misses do not fit into one pass, which is why the hit rate is derived") {
  const auto host = gpuprof::open_real_cupti();
  if (!host) return;
  CHECK(host->passes("GH100", {"lts__t_sectors_lookup_hit.sum", "lts__t_sectors_lookup_miss.sum"}) == 2);
  CHECK(host->passes("GH100", {"lts__t_sector_hit_rate.pct"}) == 2);
}
