// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks of the driver, the GPUs and the right to read their counters.

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/file.hpp"
#include "workflow/doctor_checks.hpp"
#include "workflow/environment_info.hpp"

namespace gpuprof::workflow {
namespace {

constexpr const char* kParamsFile = "/proc/driver/nvidia/params";
constexpr unsigned kCapSysAdmin = 21;
// The range profiling API starts with Turing.
constexpr int kFirstCounterCapability = 75;

bool counts(const CudaDevice& device) {
  return device.compute_major * 10 + device.compute_minor >= kFirstCounterCapability;
}

std::string describe(const CudaDevice& device) {
  return device.name + " (" + std::to_string(device.compute_major) + "." + std::to_string(device.compute_minor) + ")";
}

}  // namespace

Check check_driver(const CudaProbe& cuda) {
  Check check{"driver", "NVIDIA driver", CheckStatus::ok, {}, {}};
  const std::string kernel_version = read_environment().driver_version;
  if (cuda.failure.empty()) {
    check.found = (kernel_version.empty() ? "" : "version " + kernel_version + ", ") + "CUDA " +
                  cuda_version_text(cuda.cuda_version) + " (" + cuda.library + ")";
    return check;
  }
  check.status = CheckStatus::problem;
  check.found = cuda.failure;
  if (kernel_version.empty()) {
    check.found += "; no kernel driver is loaded";
    check.fix = "Install the NVIDIA driver; in containers pass the GPU through (docker run --gpus all).";
  } else if (cuda.library.empty()) {
    check.found += "; the kernel driver " + kernel_version + " is loaded";
    check.fix = "Install libcuda1 of the same version; in containers set NVIDIA_DRIVER_CAPABILITIES=compute,utility.";
  } else {
    check.found += " (" + cuda.library + ", kernel driver " + kernel_version + ")";
    check.fix = "Take directories named stubs out of LD_LIBRARY_PATH, and check that `nvidia-smi` works.";
  }
  return check;
}

Check check_gpus(const CudaProbe& cuda) {
  Check check{"gpu", "GPUs", CheckStatus::ok, {}, {}};
  if (!cuda.failure.empty()) {
    check.status = CheckStatus::not_applicable;
    check.found = "cannot be told without a driver";
  } else if (cuda.devices.empty()) {
    check.status = CheckStatus::problem;
    check.found = "the driver offers no device";
    check.fix = "Check `nvidia-smi` and CUDA_VISIBLE_DEVICES.";
  } else {
    for (const CudaDevice& device : cuda.devices) check.found += (check.found.empty() ? "" : ", ") + describe(device);
    if (!std::all_of(cuda.devices.begin(), cuda.devices.end(), counts)) {
      check.status = CheckStatus::warning;
      check.fix = "Timelines work; hardware counters need compute capability 7.5 or later.";
    }
  }
  return check;
}

Check check_counter_permission(const CudaProbe& cuda) {
  Check check{"counters", "Permission for hardware counters", CheckStatus::ok, {}, {}};
  std::error_code ignored;
  if (!cuda.failure.empty() || !std::filesystem::exists(kParamsFile, ignored)) {
    check.status = CheckStatus::not_applicable;
    check.found =
        cuda.failure.empty() ? std::string(kParamsFile) + " does not exist" : "cannot be told without a driver";
    return check;
  }
  const int admin_only = profiling_admin_only(read_file(kParamsFile));
  const bool admin = has_sys_admin(read_file("/proc/self/status"));
  if (admin_only == 0) {
    check.found = "the driver allows every user (RmProfilingAdminOnly: 0)";
  } else if (admin) {
    check.found = "this process has CAP_SYS_ADMIN";
  } else {
    check.status = admin_only == 1 ? CheckStatus::problem : CheckStatus::warning;
    check.found =
        admin_only == 1
            ? "the driver allows administrators only (RmProfilingAdminOnly: 1), and this process lacks CAP_SYS_ADMIN"
            : "the driver does not say who may read counters, and this process lacks CAP_SYS_ADMIN";
    check.fix =
        "Run as root or with CAP_SYS_ADMIN (docker run --cap-add SYS_ADMIN), or set "
        "NVreg_RestrictProfilingToAdminUsers=0 for the nvidia kernel module. Timelines work without it.";
  }
  return check;
}

int profiling_admin_only(const std::string& params) {
  std::istringstream lines(params);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("RmProfilingAdminOnly:")) continue;
    return line.find('0') != std::string::npos ? 0 : 1;
  }
  return -1;
}

bool has_sys_admin(const std::string& status) {
  const std::string label = "CapEff:";
  const std::size_t at = status.find(label);
  if (at == std::string::npos) return false;
  unsigned long long capabilities = 0;
  std::istringstream(status.substr(at + label.size())) >> std::hex >> capabilities;
  return (capabilities >> kCapSysAdmin & 1) != 0;
}

}  // namespace gpuprof::workflow
