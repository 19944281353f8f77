// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/metrics_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace gpuprof::cli {
namespace {

using Json = nlohmann::ordered_json;
using workflow::ListedMetric;

const char* kind_name(cupti::MetricKind kind) {
  switch (kind) {
    case cupti::MetricKind::counter:
      return "counter";
    case cupti::MetricKind::ratio:
      return "ratio";
    case cupti::MetricKind::throughput:
      break;
  }
  return "throughput";
}

std::size_t longest_name(const workflow::MetricListing& listing) {
  std::size_t longest = 0;
  for (const workflow::ListedTier& tier : listing.tiers) {
    for (const ListedMetric& metric : tier.derived) longest = std::max(longest, metric.name.size());
    for (const workflow::ListedGroup& group : tier.groups) {
      for (const ListedMetric& metric : group.metrics) longest = std::max(longest, metric.name.size());
    }
  }
  for (const workflow::BaseMetric& metric : listing.base_metrics) longest = std::max(longest, metric.name.size());
  return longest;
}

std::string line(const ListedMetric& metric, std::size_t name_width) {
  constexpr std::size_t kUnitWidth = 12;
  const std::string meaning = metric.available ? metric.meaning : "(not on this chip) " + metric.meaning;
  return "    " + pad_right(metric.name, name_width) + "  " +
         pad_right(metric.unit.empty() ? "ratio" : metric.unit, kUnitWidth) + "  " + meaning + "\n";
}

std::string passes_text(std::size_t passes) {
  if (passes == 0) return "refused by CUPTI";
  return passes == 1 ? "1 pass" : fmt::format("{} passes", passes);
}

Json as_json(const ListedMetric& metric) {
  return {{"name", metric.name},
          {"unit", metric.unit},
          {"label", metric.label},
          {"meaning", metric.meaning},
          {"available", metric.available}};
}

Json as_json(const workflow::ListedTier& tier) {
  Json json{{"name", tier.name}, {"groups", Json::array()}, {"derived", Json::array()}};
  for (const workflow::ListedGroup& group : tier.groups) {
    Json metrics = Json::array();
    for (const ListedMetric& metric : group.metrics) metrics.push_back(as_json(metric));
    const Json passes = group.passes > 0 ? Json(group.passes) : Json(nullptr);
    json["groups"].push_back({{"passes", passes}, {"metrics", metrics}});
  }
  for (const ListedMetric& metric : tier.derived) json["derived"].push_back(as_json(metric));
  return json;
}

}  // namespace

std::string metrics_text(const workflow::MetricListing& listing) {
  const std::size_t width = longest_name(listing);
  std::string text = fmt::format("Chip {}, libcupti {} ({})\n", listing.chip, listing.library_version,
                                 printable(listing.library_path));
  if (!listing.chips.empty()) text += fmt::format("Chips (--chip): {}\n", fmt::join(listing.chips, " "));
  for (const workflow::ListedTier& tier : listing.tiers) {
    text += fmt::format("\nTier {}: {} groups\n", tier.name, tier.groups.size());
    for (std::size_t i = 0; i < tier.groups.size(); ++i) {
      text += fmt::format("  group {} ({})\n", i + 1, passes_text(tier.groups[i].passes));
      for (const ListedMetric& metric : tier.groups[i].metrics) text += line(metric, width);
    }
    if (!tier.derived.empty()) text += "  computed from these\n";
    for (const ListedMetric& metric : tier.derived) text += line(metric, width);
  }
  if (!listing.base_metrics.empty()) {
    text += fmt::format("\n{} base metrics; counters take .sum .avg .min .max, ratios .ratio .pct .max_rate, "
                        "throughputs a roll-up and .pct_of_peak_sustained_elapsed\n",
                        listing.base_metrics.size());
  }
  for (const workflow::BaseMetric& metric : listing.base_metrics) {
    text += "  " + pad_right(metric.name, width) + "  " + pad_right(kind_name(metric.kind), 10) + "  " +
            printable(metric.description) + "\n";
  }
  return text;
}

std::string metrics_json(const workflow::MetricListing& listing) {
  Json json{{"schema", "gpuprof.metrics/1"},
            {"chip", listing.chip},
            {"libcupti", {{"path", to_valid_utf8(listing.library_path)}, {"version", listing.library_version}}}};
  if (!listing.chips.empty()) json["chips"] = listing.chips;
  if (!listing.tiers.empty()) json["tiers"] = Json::array();
  for (const workflow::ListedTier& tier : listing.tiers) json["tiers"].push_back(as_json(tier));
  if (!listing.base_metrics.empty()) json["base_metrics"] = Json::array();
  for (const workflow::BaseMetric& metric : listing.base_metrics) {
    json["base_metrics"].push_back({{"name", metric.name},
                                    {"kind", kind_name(metric.kind)},
                                    {"description", to_valid_utf8(metric.description)},
                                    {"unit", to_valid_utf8(metric.unit)}});
  }
  return json.dump(2) + "\n";
}

}  // namespace gpuprof::cli
