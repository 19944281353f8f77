// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Keeps the profiled program's arguments away from the option parser, which would change some of them.

#include <string>
#include <vector>

namespace gpuprof::cli {

struct Arguments {
  std::vector<std::string> front;  // before the first "--": ours, possibly followed by the program's
  bool separated = false;          // there was a "--"
  std::vector<std::string> rest;   // after it: the program's, as they are
};

Arguments split_at_separator(const std::vector<std::string>& arguments);

}  // namespace gpuprof::cli
