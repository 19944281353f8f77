// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which bracket closes which in a demangled C++ name, computed once in linear time.

#include <cstddef>
#include <string_view>
#include <vector>

namespace gpuprof {

class BracketMap {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  explicit BracketMap(std::string_view text);

  // The position of the bracket that closes the one at `open`; kNone when there is none or `open` is not a bracket.
  std::size_t close_of(std::size_t open) const { return close_[open]; }

 private:
  std::vector<std::size_t> close_;
};

// Characters an identifier is made of; bytes of multi-byte UTF-8 characters count.
bool is_identifier_char(char c);

// The length of an operator's name at `position`, for example 10 for "operator<<", or 0 when there is none. Conversion
// operators and `operator new` count "operator" only.
std::size_t operator_length(std::string_view text, std::size_t position);

}  // namespace gpuprof
