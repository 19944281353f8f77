// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks of the libraries that are loaded at run time.

#include <dlfcn.h>

#include "base/error.hpp"
#include "cupti/host.hpp"
#include "telemetry/nvml.hpp"
#include "workflow/collector_path.hpp"
#include "workflow/doctor_checks.hpp"
#include "workflow/isolated_call.hpp"
#include "workflow/settings.hpp"

namespace gpuprof::workflow {
namespace {

constexpr std::chrono::seconds kLoadLimit{30};
// Initialising the GPUs of a large machine without persistence mode takes seconds each.
constexpr std::chrono::seconds kNvmlLimit{60};
constexpr const char* kEntryPoint = "InitializeInjection";

// Empty when the library can be loaded and has the driver's entry point, which is not called.
std::string load_collector(const std::string& path) {
  // All symbols at once: a single missing one makes the driver give up on the file without a word.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    return reason != nullptr ? reason : "cannot be loaded";
  }
  return dlsym(library, kEntryPoint) != nullptr ? "" : std::string("it has no ") + kEntryPoint;
}

}  // namespace

Check check_libcupti(const CudaProbe& cuda) {
  Check check{"libcupti", "CUPTI library", CheckStatus::ok, {}, {}};
  try {
    const std::unique_ptr<cupti::Host> host = cupti::Host::open(read_settings().cupti_library);
    check.found = "version " + cupti::version_text(host->library_version()) + " (" + host->library_path() + ")";
    const int cupti_major = cuda_major_of_cupti(host->library_version());
    const int driver_major = cuda.cuda_version / 1000;
    if (driver_major > 0 && cupti_major > driver_major) {
      check.status = CheckStatus::problem;
      check.found += ", but the driver offers only CUDA " + cuda_version_text(cuda.cuda_version);
      check.fix =
          "Use the libcupti of a CUDA Toolkit that the driver supports (GPUPROF_CUPTI_LIB), or update the driver.";
    }
  } catch (const Error& error) {
    check.status = CheckStatus::problem;
    check.found = error.what();
    check.fix = error.hint();
  }
  return check;
}

Check check_collector() {
  Check check{"collector", "Collector library", CheckStatus::ok, {}, {}};
  try {
    const std::string path = find_collector();
    check.found = path;
    const IsolatedAnswer answer = ask_in_child([&] { return load_collector(path); }, kLoadLimit);
    const std::string problem = answer.answered ? answer.text : answer.failure;
    if (!problem.empty()) {
      check.status = CheckStatus::problem;
      check.found += ": loading it: " + problem;
      check.fix = "Install gpuprof again, or build it on this system: the file does not fit the C library here.";
    }
  } catch (const Error& error) {
    check.status = CheckStatus::problem;
    check.found = error.what();
    check.fix = error.hint();
  }
  return check;
}

Check check_nvml(const CudaProbe& cuda) {
  Check check{"nvml", "GPU state through NVML", CheckStatus::ok, {}, {}};
  // The first character of the answer says whether NVML can be used.
  const std::string library = read_settings().nvml_library;
  try {
    const IsolatedAnswer answer = ask_in_child(
        [&] {
          const telemetry::NvmlState state = telemetry::examine_nvml(library);
          return (state.usable ? "+" : "-") + state.text;
        },
        kNvmlLimit);
    if (answer.answered && answer.text.starts_with("+")) {
      check.found = answer.text.substr(1);
      return check;
    }
    check.found = answer.answered && !answer.text.empty() ? answer.text.substr(1) : "asking NVML: " + answer.failure;
  } catch (const Error& error) {
    check.found = error.what();
  }
  if (!cuda.failure.empty() && library.empty()) {
    check.status = CheckStatus::not_applicable;
    return check;
  }
  check.status = CheckStatus::warning;
  check.fix =
      "Clocks, power, temperatures and throttling will be missing from reports. Check `nvidia-smi`; in containers set "
      "NVIDIA_DRIVER_CAPABILITIES=compute,utility.";
  return check;
}

int cuda_major_of_cupti(std::uint32_t version) {
  // CUPTI counted its releases (up to 28 for 12.9.1) before it encoded the toolkit's version from 13.0 on.
  if (version >= 130000) return static_cast<int>(version / 10000);
  return version >= 19 && version <= 28 ? 12 : 0;
}

}  // namespace gpuprof::workflow
