// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "render/paint.hpp"

namespace gpuprof::render {
namespace {

const char* sgr(Emphasis emphasis) {
  switch (emphasis) {
    case Emphasis::heading:
      return "1";
    case Emphasis::dim:
      return "2";
    case Emphasis::mark:
      return "36";
    case Emphasis::warning:
      return "33";
    case Emphasis::error:
      return "31";
    case Emphasis::none:
      break;
  }
  return nullptr;
}

}  // namespace

std::string Paint::operator()(Emphasis emphasis, std::string_view text) const {
  const char* code = sgr(emphasis);
  if (!color_ || code == nullptr || text.empty()) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace gpuprof::render
