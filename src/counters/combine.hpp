// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Combines the values of many launches into counter values.

#include <cstdint>
#include <map>
#include <string>

#include "gpuprof/counter.hpp"

namespace gpuprof::counters {

// The values that launches of one kernel (or graph) delivered, by metric. A metric may come from several groups.
class LaunchValues {
 public:
  // Takes one launch's value. NaN and infinities mean that the hardware delivered none: they do not count in n.
  void add(const std::string& metric, double value);

  // Mean, sample standard deviation and n of every metric added, and the derived metrics whose parts were added. A
  // metric that never had a value is not_measured and says so.
  std::map<std::string, CounterValue> combined() const;

 private:
  struct Moments {
    std::uint64_t n = 0;
    double mean = 0;
    double squares = 0;  // sum of squared distances to the mean
  };
  std::map<std::string, Moments> moments_;
};

// A value without a measurement, in the catalog's unit for `metric`.
CounterValue not_measured(const std::string& metric, std::string reason);

}  // namespace gpuprof::counters
