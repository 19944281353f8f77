// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A list of metrics for people and for programs.

#include <string>

#include "workflow/metric_list.hpp"

namespace gpuprof::cli {

std::string metrics_text(const workflow::MetricListing& listing);
std::string metrics_json(const workflow::MetricListing& listing);  // schema "gpuprof.metrics/1"

}  // namespace gpuprof::cli
