// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// gpuprof doctor: what would fail on this machine, and the fix for each.

#include <string>
#include <vector>

namespace gpuprof::workflow {

enum class CheckStatus {
  ok,
  warning,         // works, but something may surprise
  problem,         // a run here would record nothing, or less than it could
  not_applicable,  // cannot be told because an earlier check failed, or does not matter here
};

// "ok", "warning", "problem", "not applicable".
const char* to_string(CheckStatus status);

struct Check {
  std::string id;     // stable: "driver", "gpu", "libcupti", "collector", "counters", "nvml", ...
  std::string title;  // for people
  CheckStatus status = CheckStatus::ok;
  std::string found;  // what was seen
  std::string fix;    // what to do; empty when all is well
};

// Looks at this machine and the environment. Starts no program and changes nothing, apart from trying to create a file
// in the working directory.
std::vector<Check> examine();

bool has_problem(const std::vector<Check>& checks);

// The checks as JSON, schema "gpuprof.doctor/1".
std::string to_json(const std::vector<Check>& checks);

}  // namespace gpuprof::workflow
