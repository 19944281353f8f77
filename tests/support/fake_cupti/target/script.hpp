// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The script of a fake target: steps given as arguments, `name` or `name=value,value,key=value`. Steps that hold others
// take them in braces: `repeat=3 { launch=k sleep=1 }`.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fake_target {

struct Step {
  std::string name;
  std::vector<std::string> values;  // without a key
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<Step> body;
  std::vector<std::string> body_arguments;  // the same as text, for a process that runs it

  // The values as text or number; the default when there are fewer.
  std::string text(std::size_t index, std::string_view otherwise) const;
  std::uint64_t number(std::size_t index, std::uint64_t otherwise) const;
  std::string option(std::string_view key, std::string_view otherwise) const;
};

// Throws std::runtime_error for unbalanced braces.
std::vector<Step> parse_script(const std::vector<std::string>& arguments);

}  // namespace fake_target
