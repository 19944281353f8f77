// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/doctor.hpp"

#include <algorithm>

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
  return {check_driver(cuda),    check_gpus(cuda),   check_libcupti(cuda),
          check_collector(),     check_counter_permission(cuda),
          check_injection(),     check_library_path(), check_mps(),
          check_session_directory()};
}

bool has_problem(const std::vector<Check>& checks) {
  return std::any_of(checks.begin(), checks.end(),
                     [](const Check& check) { return check.status == CheckStatus::problem; });
}

}  // namespace gpuprof::workflow
