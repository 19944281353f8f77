// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "render/csv.hpp"

#include <cmath>

#include "base/text.hpp"

namespace gpuprof::render {
namespace {

std::string quoted_if_needed(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) out.append(c == '"' ? 2 : 1, c);
  return out + '"';
}

}  // namespace

// Spreadsheets take a cell that starts with one of these characters for a formula.
std::string csv_text(const std::string& bytes) {
  const std::string text = to_valid_utf8(bytes);
  const bool formula = !text.empty() && std::string_view("=+-@\t\r\n").find(text.front()) != std::string_view::npos;
  return quoted_if_needed(formula ? '\'' + text : text);
}

std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

}  // namespace gpuprof::render
