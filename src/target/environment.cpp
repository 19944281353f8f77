// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "target/environment.hpp"

#include <unistd.h>

#include <algorithm>

namespace gpuprof::target {

std::vector<std::string> merged_environment(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<std::string> merged;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) merged.emplace_back(*entry);
  for (const auto& [name, value] : changes) {
    const std::string prefix = name + "=";
    std::erase_if(merged, [&](const std::string& entry) { return entry.starts_with(prefix); });
    merged.push_back(prefix + value);
  }
  return merged;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (std::string& text : strings) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace gpuprof::target
