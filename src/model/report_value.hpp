// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parts of a report as JSON values, for documents that contain them beside report.json.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "gpuprof/report.hpp"

namespace gpuprof::model {

// The objects as they are in report.json.
nlohmann::ordered_json kernel_value(const KernelReport& kernel);
nlohmann::ordered_json selection_value(const SelectionReport& selection);

// JSON text as in report.json: two-space indentation, trailing newline, invalid UTF-8 replaced by U+FFFD.
std::string json_text(const nlohmann::ordered_json& document);

}  // namespace gpuprof::model
