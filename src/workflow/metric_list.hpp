// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// gpuprof metrics: what can be measured on a chip, asked of CUPTI's host library. Needs no GPU.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "counters/catalog.hpp"
#include "cupti/host.hpp"

namespace gpuprof::workflow {

struct ListedMetric {
  std::string name;
  std::string unit;
  std::string label;
  std::string meaning;
  bool available = false;  // CUPTI can collect it on the chip
};

struct ListedGroup {
  std::vector<ListedMetric> metrics;
  std::size_t passes = 0;  // 0: CUPTI refuses the group
};

struct ListedTier {
  std::string name;
  std::vector<ListedGroup> groups;
  std::vector<ListedMetric> derived;  // computed from the counters of the groups
};

struct BaseMetric {
  std::string name;
  cupti::MetricKind kind = cupti::MetricKind::counter;
  std::string description;
  std::string unit;  // CUPTI's text
};

struct MetricQuestion {
  std::string chip;  // empty: the default chip, and the list of chips
  std::string tier;  // empty: all tiers
  bool all = false;  // list CUPTI's base metrics instead of the tiers
};

struct MetricListing {
  std::string library_path;
  std::string library_version;
  std::string chip;
  std::vector<std::string> chips;  // filled when no chip was named
  std::vector<ListedTier> tiers;
  std::vector<BaseMetric> base_metrics;
};

// The chip whose tiers are shown when none is named.
inline constexpr const char* kDefaultChip = "GH100";

// Throws UsageError for an unknown tier, Error for an unknown chip or without libcupti.
MetricListing list_metrics(const MetricQuestion& question);

// The listing as JSON, schema "gpuprof.metrics/1".
std::string to_json(const MetricListing& listing);

// "counter", "ratio", "throughput".
const char* kind_name(cupti::MetricKind kind);

}  // namespace gpuprof::workflow
