// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A hardware counter or a value computed from counters, with how it was obtained.

#include <cstdint>
#include <optional>
#include <string>

namespace gpuprof {

enum class ValueState {
  measured,      // read from hardware on launches of this kernel
  derived,       // computed from measured values of equal launches (for example a ratio of two counters)
  estimated,     // extrapolated
  not_measured,  // `reason` says why; mean and stddev are empty
};

// One metric of one kernel, combined over the launches it was measured on.
struct CounterValue {
  std::optional<double> mean;    // in `unit`
  std::optional<double> stddev;  // sample standard deviation; empty when n < 2
  std::uint64_t n = 0;           // launches measured
  std::string unit;              // "ns", "bytes", "%", "1/s", "bytes/s", "sectors", "instructions", "warps", "" (ratio)
  ValueState state = ValueState::not_measured;
  std::string reason;  // why it was not measured, or how it was derived; empty for measured values
};

// "measured", "derived", "estimated", "not_measured": the spelling used in report.json.
const char* to_string(ValueState state);

}  // namespace gpuprof
