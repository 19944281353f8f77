// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A list of metrics for people.

#include <string>

#include "workflow/metric_list.hpp"

namespace gpuprof::cli {

std::string metrics_text(const workflow::MetricListing& listing);

}  // namespace gpuprof::cli
