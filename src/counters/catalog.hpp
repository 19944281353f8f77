// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The metrics gpuprof measures: CUPTI names, units, meaning, and how they are grouped into single-pass groups per chip.

#include <string>
#include <vector>

namespace gpuprof::counters {

struct Metric {
  const char* name;     // CUPTI's name with roll-up, or gpuprof__... for a derived one
  const char* unit;     // as in CounterValue::unit
  const char* label;    // short column title, for example "DRAM"
  const char* meaning;  // one sentence
};

// A value computed from counters that may lie in different groups: 100 * numerator / (numerator + rest), in percent.
struct DerivedMetric {
  Metric metric;
  const char* numerator;
  const char* rest;
};

// Names of the tiers, cheapest first.
std::vector<std::string> tiers();

// The single-pass groups of a tier on a chip, in the order they are armed. Throws UsageError for an unknown tier.
// A chip without a table of its own gets that of its nearest older family.
std::vector<std::vector<std::string>> groups(const std::string& tier, const std::string& chip);

// The catalog entry of a metric, derived ones included; null when it is not in the catalog.
const Metric* find(const std::string& name);

const std::vector<Metric>& metrics();
const std::vector<DerivedMetric>& derived_metrics();

}  // namespace gpuprof::counters
