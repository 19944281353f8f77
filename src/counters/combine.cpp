// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "counters/combine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "counters/catalog.hpp"

namespace gpuprof::counters {
namespace {

CounterValue derive(const DerivedMetric& derived, const CounterValue& numerator, const CounterValue& rest) {
  const std::string name = derived.metric.name;
  for (const auto& [part, value] : {std::pair(derived.numerator, &numerator), std::pair(derived.rest, &rest)}) {
    if (!value->mean) return not_measured(name, std::string("needs ") + part + ": " + value->reason);
  }
  const double whole = *numerator.mean + *rest.mean;
  if (whole <= 0) {
    return not_measured(name,
                        std::string("neither ") + derived.numerator + " nor " + derived.rest + " counted anything");
  }
  CounterValue value;
  value.mean = 100 * *numerator.mean / whole;
  value.n = std::min(numerator.n, rest.n);
  value.unit = derived.metric.unit;
  value.state = ValueState::derived;
  value.reason = std::string("100 * ") + derived.numerator + " / (" + derived.numerator + " + " + derived.rest +
                 "), from their means over launches of the same kernel and shape";
  return value;
}

}  // namespace

CounterValue not_measured(const std::string& metric, std::string reason) {
  CounterValue value;
  const Metric* known = find(metric);
  if (known != nullptr) value.unit = known->unit;
  value.state = ValueState::not_measured;
  value.reason = std::move(reason);
  return value;
}

void LaunchValues::add(const std::string& metric, double value) {
  Moments& moments = moments_[metric];
  if (!std::isfinite(value)) return;
  ++moments.n;
  const double distance = value - moments.mean;
  moments.mean += distance / static_cast<double>(moments.n);
  moments.squares += distance * (value - moments.mean);
}

std::map<std::string, CounterValue> LaunchValues::combined() const {
  std::map<std::string, CounterValue> values;
  for (const auto& [metric, moments] : moments_) {
    CounterValue value = not_measured(metric, "the hardware delivered no value");
    if (moments.n > 0) {
      value.state = ValueState::measured;
      value.reason.clear();
      value.n = moments.n;
      value.mean = moments.mean;
      if (moments.n > 1) value.stddev = std::sqrt(moments.squares / static_cast<double>(moments.n - 1));
    }
    values.emplace(metric, std::move(value));
  }
  for (const DerivedMetric& derived : derived_metrics()) {
    const auto numerator = values.find(derived.numerator);
    const auto rest = values.find(derived.rest);
    if (numerator == values.end() || rest == values.end()) continue;
    values.emplace(derived.metric.name, derive(derived, numerator->second, rest->second));
  }
  return values;
}

}  // namespace gpuprof::counters
