// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks of what is around the program: variables, services, the working directory.

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <sstream>

#include "base/error.hpp"
#include "workflow/collector_path.hpp"
#include "workflow/doctor_checks.hpp"
#include "workflow/environment_info.hpp"
#include "workflow/settings.hpp"

namespace gpuprof::workflow {
namespace {

std::string own_collector() {
  try {
    return find_collector();
  } catch (const Error&) {
    return {};  // a check of its own tells that
  }
}

}  // namespace

Check check_injection() {
  Check check{"injection", "Other tools in CUDA programs", CheckStatus::ok, "CUDA_INJECTION64_PATH is free", {}};
  const std::string foreign = foreign_injection(own_collector());
  if (!foreign.empty()) {
    check.status = CheckStatus::problem;
    check.found = "CUDA_INJECTION64_PATH is set to " + foreign;
    check.fix =
        "Unset it: only one tool can be loaded that way (gpuprof run --force-injection replaces it for one run).";
  }
  return check;
}

Check check_library_path() {
  Check check{"library_path", "LD_LIBRARY_PATH", CheckStatus::ok, "no stub libraries in it", {}};
  const std::string stubs = stubs_directory(read_settings().library_path);
  if (!stubs.empty()) {
    check.status = CheckStatus::problem;
    check.found = "it contains " + stubs + ", whose libcuda is a stand-in for linking that fails at run time";
    check.fix = "Take that directory out of LD_LIBRARY_PATH.";
  }
  return check;
}

Check check_mps() {
  Check check{"mps", "Multi-Process Service", CheckStatus::ok, "not in use", {}};
  const std::string directory = active_mps();
  if (!directory.empty()) {
    check.status = CheckStatus::warning;
    check.found = "in use (" + directory + "): hardware counters would mix all its clients";
    check.fix = "Timelines work; for counters stop it (echo quit | nvidia-cuda-mps-control).";
  }
  return check;
}

Check check_session_directory() {
  Check check{"session", "Session directory", CheckStatus::ok, "sessions can be written to the working directory", {}};
  const std::string probe = ".gpuprof-doctor-" + std::to_string(getpid());
  const int fd = open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) {
    check.status = CheckStatus::problem;
    check.found = std::string("the working directory is not writable: ") + std::strerror(errno);
    check.fix = "Change to another directory, or name one with gpuprof run -o DIR.";
    return check;
  }
  close(fd);
  unlink(probe.c_str());
  return check;
}

std::string stubs_directory(const std::string& library_path) {
  std::istringstream folders(library_path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string trimmed = folder;
    while (trimmed.ends_with('/')) trimmed.pop_back();
    if (trimmed == "stubs" || trimmed.ends_with("/stubs")) return folder;
  }
  return {};
}

}  // namespace gpuprof::workflow
