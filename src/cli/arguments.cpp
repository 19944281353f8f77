// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.hpp"

#include <algorithm>

namespace gpuprof::cli {

Arguments split_at_separator(const std::vector<std::string>& arguments) {
  const auto separator = std::find(arguments.begin(), arguments.end(), "--");
  Arguments parts;
  parts.front.assign(arguments.begin(), separator);
  parts.separated = separator != arguments.end();
  if (parts.separated) parts.rest.assign(separator + 1, arguments.end());
  return parts;
}

}  // namespace gpuprof::cli
