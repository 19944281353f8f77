// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/progress.hpp"

#include <unistd.h>

#include <cstdio>

namespace gpuprof::workflow {
namespace {

// A failed write to stderr has nowhere to be reported, and must not end the run.
void put(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

Progress::Progress(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::erase_updated() {
  if (updated_) put("\r\x1b[K");
  updated_ = false;
}

void Progress::update(const std::string& text) {
  if (quiet_ || !terminal_) return;
  put("\r\x1b[Kgpuprof: " + text);
  updated_ = true;
}

void Progress::line(const std::string& text) {
  if (quiet_) return;
  erase_updated();
  put("gpuprof: " + text + "\n");
}

void Progress::error(const std::string& text, const std::string& hint) {
  erase_updated();
  put("gpuprof: error: " + text + "\n");
  if (!hint.empty()) put("  hint: " + hint + "\n");
}

void Progress::block(const std::string& text) {
  if (quiet_) return;
  erase_updated();
  put(text);
}

}  // namespace gpuprof::workflow
