// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Small pieces that several sections share.

#include <cstdint>
#include <string>
#include <vector>

#include "render/paint.hpp"
#include "render/render.hpp"
#include "render/table.hpp"

namespace gpuprof::render {

inline double number(std::uint64_t value) {
  return static_cast<double>(value);
}

// "1 record", "12,345 records".
std::string plural(std::uint64_t count, const char* singular);

// "12.3 %", or "-" of nothing.
std::string share_of(std::uint64_t part, std::uint64_t whole);

// The same for a column whose title says the unit: "12.3".
std::string percent_cell(double fraction);

// "0-3, 7".
std::string number_list(std::vector<std::uint64_t> numbers);

// "12.3-15.0 ms", or one value when both look the same.
std::string duration_range(double min_ns, double max_ns);

// `items` with `separator` between them, lines broken only between items; as sections.hpp's paragraph else.
std::string item_lines(const std::string& first, const std::vector<std::string>& items, const char* separator,
                       std::size_t indent, const TextStyle& style, Emphasis emphasis = Emphasis::none);

// Header and rows, indented by two columns, after fitting the table to the style's width.
std::string table_lines(Table& table, const TextStyle& style);

// "  and 12 more", or nothing when all are shown.
std::string and_more(std::size_t all, std::size_t shown, const TextStyle& style);

}  // namespace gpuprof::render
