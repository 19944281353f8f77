// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/environment_info.hpp"

#include <sys/utsname.h>

#include <cctype>
#include <filesystem>
#include <sstream>

#include "base/file.hpp"
#include "workflow/settings.hpp"

namespace gpuprof::workflow {
namespace {

constexpr const char* kDriverVersionFile = "/proc/driver/nvidia/version";
constexpr const char* kDefaultMpsDirectory = "/tmp/nvidia-mps";

}  // namespace

std::string driver_version_in(const std::string& text) {
  std::istringstream first_line(text.substr(0, text.find('\n')));
  for (std::string word; first_line >> word;) {
    const bool digits_and_dots = word.find_first_not_of("0123456789.") == std::string::npos;
    if (digits_and_dots && word.find('.') != std::string::npos && std::isdigit(static_cast<unsigned char>(word[0]))) {
      return word;
    }
  }
  return {};
}

Environment read_environment() {
  Environment environment;
  utsname system{};
  if (uname(&system) == 0) {
    environment.hostname = system.nodename;
    environment.operating_system = std::string(system.sysname) + " " + system.release;
  }
  std::error_code ignored;
  if (std::filesystem::exists(kDriverVersionFile, ignored)) {
    environment.driver_version = driver_version_in(read_file(kDriverVersionFile));
  }
  return environment;
}

std::string active_mps() {
  std::string directory = read_settings().mps_directory;
  if (directory.empty()) directory = kDefaultMpsDirectory;
  std::error_code ignored;
  return std::filesystem::exists(directory + "/control", ignored) ? directory : std::string();
}

}  // namespace gpuprof::workflow
