// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/doctor.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "workflow/doctor_checks.hpp"

namespace gpuprof::workflow {

const char* to_string(CheckStatus status) {
  switch (status) {
    case CheckStatus::ok:
      return "ok";
    case CheckStatus::warning:
      return "warning";
    case CheckStatus::problem:
      return "problem";
    case CheckStatus::not_applicable:
      break;
  }
  return "not applicable";
}

std::vector<Check> examine() {
  const CudaProbe cuda = probe_cuda();
  return {check_driver(cuda),
          check_gpus(cuda),
          check_libcupti(cuda),
          check_collector(),
          check_counter_permission(cuda),
          check_nvml(cuda),
          check_injection(),
          check_library_path(),
          check_mps(),
          check_session_directory()};
}

bool has_problem(const std::vector<Check>& checks) {
  return std::any_of(checks.begin(), checks.end(),
                     [](const Check& check) { return check.status == CheckStatus::problem; });
}

std::string to_json(const std::vector<Check>& checks) {
  nlohmann::ordered_json json{{"schema", "gpuprof.doctor/1"}, {"ok", !has_problem(checks)}};
  json["checks"] = nlohmann::ordered_json::array();
  for (const Check& check : checks) {
    json["checks"].push_back({{"id", check.id},
                              {"title", check.title},
                              {"status", to_string(check.status)},
                              {"found", to_valid_utf8(check.found)},
                              {"fix", to_valid_utf8(check.fix)}});
  }
  return json.dump(2) + "\n";
}

}  // namespace gpuprof::workflow
