// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Emphasis on a terminal.

#include <string>
#include <string_view>

namespace gpuprof::render {

enum class Emphasis { none, heading, dim, mark, warning, error };

// Wraps text into SGR sequences, or returns it as it is when colour is off. Padding must be done before.
class Paint {
 public:
  explicit Paint(bool color) : color_(color) {}

  std::string operator()(Emphasis emphasis, std::string_view text) const;

 private:
  bool color_;
};

}  // namespace gpuprof::render
