// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "base/bracket_map.hpp"

#include <array>
#include <string>

namespace gpuprof {
namespace {

constexpr std::string_view kOperator = "operator";

// Longer symbols first, so that a prefix of another symbol does not win.
constexpr std::array<std::string_view, 44> kSymbols = {
    "<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "<=", ">=", "==",   "!=", "&&", "||", "++",
    "--",  "+=",  "-=",  "*=",  "/=", "%=", "^=", "&=", "|=", "->", "\"\"", "+",  "-",  "*",  "/",
    "%",   "^",   "&",   "|",   "~",  "!",  "=",  "<",  ">",  ",",  "(",    "[",  "?",  ":"};

char opening_of(char closing) {
  switch (closing) {
    case ')':
      return '(';
    case ']':
      return '[';
    case '}':
      return '{';
    default:
      return '\0';
  }
}

}  // namespace

bool is_identifier_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

std::size_t operator_length(std::string_view text, std::size_t position) {
  if (text.substr(position, kOperator.size()) != kOperator) return 0;
  if (position > 0 && is_identifier_char(text[position - 1])) return 0;
  const std::string_view rest = text.substr(position + kOperator.size());
  if (rest.empty() || is_identifier_char(rest.front())) return 0;
  for (std::string_view symbol : kSymbols) {
    if (rest.substr(0, symbol.size()) == symbol) return kOperator.size() + symbol.size();
  }
  return kOperator.size();
}

BracketMap::BracketMap(std::string_view text) : close_(text.size(), kNone) {
  std::vector<std::size_t> open;
  std::array<std::size_t, 128> open_count{};
  const auto pop = [&] {
    --open_count[static_cast<unsigned char>(text[open.back()])];
    open.pop_back();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == 'o') {
      if (const std::size_t length = operator_length(text, i)) i += length - 1;
    } else if (c == '(' || c == '[' || c == '{' || c == '<') {
      open.push_back(i);
      ++open_count[static_cast<unsigned char>(c)];
    } else if (c == '>') {
      // A '>' that no '<' of the same level waits for is a comparison or the end of "->".
      if (!open.empty() && text[open.back()] == '<' && (i == 0 || text[i - 1] != '-')) {
        close_[open.back()] = i;
        pop();
      }
    } else if (const char wanted = opening_of(c);
               wanted != '\0' && open_count[static_cast<unsigned char>(wanted)] > 0) {
      // Every '<' left open inside this pair was a comparison.
      while (text[open.back()] != wanted) pop();
      close_[open.back()] = i;
      pop();
    }
  }
}

}  // namespace gpuprof
