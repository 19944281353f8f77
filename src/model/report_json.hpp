// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// report.json: the report as JSON text and back.

#include <string>
#include <string_view>

#include "gpuprof/report.hpp"

namespace gpuprof::model {

// JSON text with schema "gpuprof.report/1", valid UTF-8, two-space indentation, trailing newline. Never contains NaN or
// infinity: such values become null with state not_measured.
std::string report_to_json(const Report& report);

// Parses report.json. Throws Error when the text is not JSON, not a gpuprof report, has a newer major schema version,
// or a field has the wrong type; the message names the place. Unknown fields are ignored.
Report report_from_json(std::string_view text, const std::string& name);

}  // namespace gpuprof::model
