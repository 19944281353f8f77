// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/metric_list.hpp"

#include <algorithm>
#include <set>

#include "workflow/settings.hpp"

namespace gpuprof::workflow {
namespace {

constexpr cupti::MetricKind kKinds[] = {cupti::MetricKind::counter, cupti::MetricKind::ratio,
                                        cupti::MetricKind::throughput};

ListedMetric listed(const counters::Metric& metric, bool available) {
  return {metric.name, metric.unit, metric.label, metric.meaning, available};
}

ListedGroup list_group(const cupti::Host& host, const std::string& chip, const std::vector<std::string>& names) {
  ListedGroup group;
  for (const std::string& name : names) {
    const counters::Metric* metric = counters::find(name);
    const bool available = host.is_collectable(chip, name);
    group.metrics.push_back(metric != nullptr ? listed(*metric, available) : ListedMetric{name, "", "", "", available});
  }
  group.passes = host.passes(chip, names);
  return group;
}

ListedTier list_tier(const cupti::Host& host, const std::string& chip, const std::string& name) {
  ListedTier tier;
  tier.name = name;
  std::set<std::string> available;
  for (const std::vector<std::string>& names : counters::groups(name, chip)) {
    tier.groups.push_back(list_group(host, chip, names));
    for (const ListedMetric& metric : tier.groups.back().metrics) {
      if (metric.available) available.insert(metric.name);
    }
  }
  for (const counters::DerivedMetric& derived : counters::derived_metrics()) {
    if (available.contains(derived.numerator) && available.contains(derived.rest)) {
      tier.derived.push_back(listed(derived.metric, true));
    }
  }
  return tier;
}

std::vector<BaseMetric> list_base_metrics(const cupti::Host& host, const std::string& chip) {
  std::vector<BaseMetric> metrics;
  for (cupti::MetricKind kind : kKinds) {
    for (const std::string& name : host.base_metrics(chip, kind)) {
      cupti::MetricProperties properties;
      if (!host.find_metric(chip, name, properties)) properties = {};
      metrics.push_back({name, kind, properties.description, properties.dimension});
    }
  }
  return metrics;
}

}  // namespace

MetricListing list_metrics(const MetricQuestion& question) {
  std::vector<std::string> tiers{question.tier};
  if (question.tier.empty()) tiers = counters::tiers();
  MetricListing listing;
  listing.chip = question.chip.empty() ? kDefaultChip : question.chip;
  for (const std::string& tier : tiers) counters::groups(tier, listing.chip);  // refuses an unknown tier

  const std::unique_ptr<cupti::Host> host = cupti::Host::open(read_settings().cupti_library);
  listing.library_path = host->library_path();
  listing.library_version = cupti::version_text(host->library_version());
  if (question.chip.empty()) listing.chips = host->chips();
  if (question.all) {
    listing.base_metrics = list_base_metrics(*host, listing.chip);
    return listing;
  }
  // Asks for something, so that an unknown chip is refused instead of shown as one without metrics.
  host->base_metrics(listing.chip, cupti::MetricKind::ratio);
  for (const std::string& tier : tiers) listing.tiers.push_back(list_tier(*host, listing.chip, tier));
  return listing;
}

}  // namespace gpuprof::workflow
