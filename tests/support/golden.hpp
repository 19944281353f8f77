// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compares output with a file beside the input it was made from. GPUPROF_BLESS=1 in the environment rewrites the file
// instead, for review in the diff.

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "support/catch2_compat.hpp"

namespace gpuprof::testing {

inline void check_golden(const std::string& path, const std::string& actual) {
  INFO("expected output in " << path << "; GPUPROF_BLESS=1 rewrites it");
  if (const char* bless = std::getenv("GPUPROF_BLESS"); bless != nullptr && std::string(bless) == "1") {
    std::ofstream(path, std::ios::binary) << actual;
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream expected;
  expected << file.rdbuf();
  REQUIRE(file);
  CHECK(actual == expected.str());
}

}  // namespace gpuprof::testing
