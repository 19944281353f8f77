// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The counters that the hot-kernel tables show, and why one is missing.

#include <span>
#include <string>

#include "gpuprof/report.hpp"

namespace gpuprof::render {

struct MetricColumn {
  const char* metric;   // key of KernelReport::counters
  const char* title;    // of the column; a '%' at its end says the unit
  const char* meaning;  // for the legend
  int decimals;
};

std::span<const MetricColumn> metric_columns();

// The counter's value if there is one, else null.
const CounterValue* measured(const KernelReport& kernel, const std::string& metric);

// Why `measured` is null for this kernel, as a clause without a full stop. Never empty.
std::string missing_reason(const Report& report, const KernelReport& kernel, const std::string& metric);

}  // namespace gpuprof::render
