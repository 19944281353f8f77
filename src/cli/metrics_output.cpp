// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/metrics_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace gpuprof::cli {
namespace {

using workflow::ListedMetric;

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
    text += fmt::format(
        "\n{} base metrics; counters take .sum .avg .min .max, ratios .ratio .pct .max_rate, "
        "throughputs a roll-up and .pct_of_peak_sustained_elapsed\n",
        listing.base_metrics.size());
  }
  for (const workflow::BaseMetric& metric : listing.base_metrics) {
    text += "  " + pad_right(metric.name, width) + "  " + pad_right(workflow::kind_name(metric.kind), 10) + "  " +
            printable(metric.description) + "\n";
  }
  return text;
}

}  // namespace gpuprof::cli
