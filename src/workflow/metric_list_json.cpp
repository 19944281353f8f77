// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "workflow/metric_list.hpp"

namespace gpuprof::workflow {
namespace {

using Json = nlohmann::ordered_json;

Json as_json(const ListedMetric& metric) {
  return {{"name", metric.name},
          {"unit", metric.unit},
          {"label", metric.label},
          {"meaning", metric.meaning},
          {"available", metric.available}};
}

Json as_json(const ListedTier& tier) {
  Json json{{"name", tier.name}, {"groups", Json::array()}, {"derived", Json::array()}};
  for (const ListedGroup& group : tier.groups) {
    Json metrics = Json::array();
    for (const ListedMetric& metric : group.metrics) metrics.push_back(as_json(metric));
    const Json passes = group.passes > 0 ? Json(group.passes) : Json(nullptr);
    json["groups"].push_back({{"passes", passes}, {"metrics", metrics}});
  }
  for (const ListedMetric& metric : tier.derived) json["derived"].push_back(as_json(metric));
  return json;
}

}  // namespace

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

std::string to_json(const MetricListing& listing) {
  Json json{{"schema", "gpuprof.metrics/1"},
            {"chip", listing.chip},
            {"libcupti", {{"path", to_valid_utf8(listing.library_path)}, {"version", listing.library_version}}}};
  if (!listing.chips.empty()) json["chips"] = listing.chips;
  if (!listing.tiers.empty()) json["tiers"] = Json::array();
  for (const ListedTier& tier : listing.tiers) json["tiers"].push_back(as_json(tier));
  if (!listing.base_metrics.empty()) json["base_metrics"] = Json::array();
  for (const BaseMetric& metric : listing.base_metrics) {
    json["base_metrics"].push_back({{"name", metric.name},
                                    {"kind", kind_name(metric.kind)},
                                    {"description", to_valid_utf8(metric.description)},
                                    {"unit", to_valid_utf8(metric.unit)}});
  }
  return json.dump(2) + "\n";
}

}  // namespace gpuprof::workflow
