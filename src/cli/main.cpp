// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/application.hpp"

namespace {

// A closed standard stream must not be given to the first file that is opened. The program that is run still finds it
// closed, because of O_CLOEXEC.
void hold_standard_streams() {
  int fd;
  do {
    fd = open("/dev/null", O_RDWR | O_CLOEXEC);
  } while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) close(fd);
}

void print_error(const std::string& what, const std::string& hint) {
  std::fprintf(stderr, "gpuprof: error: %s\n", what.c_str());
  if (!hint.empty()) std::fprintf(stderr, "  hint: %s\n", hint.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_streams();
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  try {
    return gpuprof::cli::run_application(arguments);
  } catch (const gpuprof::UsageError& error) {
    print_error(error.what(), error.hint());
    return gpuprof::cli::kUsageStatus;
  } catch (const gpuprof::Error& error) {
    print_error(error.what(), error.hint());
  } catch (const std::exception& error) {
    print_error(error.what(), "This is a defect of gpuprof; please report it with the command that shows it.");
  }
  return gpuprof::cli::failure_status(arguments);
}
