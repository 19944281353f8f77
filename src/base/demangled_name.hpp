// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A demangled C++ name taken apart, as far as shortening it for people needs.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuprof {

struct NamePart;

// A type, value or function: parts that are written one after the other.
using NameExpression = std::vector<NamePart>;

// Either text to keep as it is ("4", " const*"), or an identifier without its namespaces and parameters.
struct NamePart {
  std::string text;
  bool templated = false;
  std::vector<NameExpression> arguments;  // of the template
  std::string suffix;                     // "::{lambda(float)#1}" or "::operator()": what lies inside the identifier
};

// The function that `signature` declares, or nothing when the text is not a C++ signature: a C name with spaces, say.
// Template arguments nested deeper than any compiler writes are replaced by "…".
std::optional<NamePart> parse_function_name(std::string_view signature);

// The expression with all its template arguments.
std::string to_text(const NameExpression& expression);
std::string to_text(const NamePart& part);

}  // namespace gpuprof
