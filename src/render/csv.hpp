// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Comma-separated values (RFC 4180, lines ended by \n): fields, and tables with one function a column.

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

namespace gpuprof::render {

// Text from the program: valid UTF-8, quoted where needed, and never a formula to a spreadsheet.
std::string csv_text(const std::string& bytes);

// The shortest text that reads back as the same number, whatever the locale; empty when there is none.
std::string csv_number(double value);

template <typename T>
std::string csv_integer(T value) {
  return fmt::format("{}", value);
}

template <typename Row>
struct CsvColumn {
  const char* title;
  std::string (*cell)(const Row&);
};

template <typename Row>
std::string csv_header(std::span<const CsvColumn<Row>> columns) {
  std::string line;
  for (const auto& column : columns) line += (line.empty() ? "" : ",") + std::string(column.title);
  return line;
}

// One record without its end.
template <typename Row>
std::string csv_line(std::span<const CsvColumn<Row>> columns, const Row& row) {
  std::string line;
  bool first = true;
  for (const auto& column : columns) {
    if (!first) line += ',';
    first = false;
    line += column.cell(row);
  }
  return line;
}

template <typename Row>
std::string csv_table(std::span<const CsvColumn<Row>> columns, const std::vector<Row>& rows) {
  std::string out = csv_header(columns) + "\n";
  for (const Row& row : rows) out += csv_line(columns, row) + "\n";
  return out;
}

}  // namespace gpuprof::render
