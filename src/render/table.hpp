// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A table of short cells that fits itself to a width.

#include <cstddef>
#include <string>
#include <vector>

#include "render/paint.hpp"

namespace gpuprof::render {

struct Column {
  enum class Align { left, right };

  std::string title;
  Align align = Align::right;
  bool droppable = false;  // may be left out when the table is too wide
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One cell per column; safe for a terminal.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  // Narrows the table until it takes at most `width` columns: first the gaps, then droppable columns from the right.
  // Returns the titles of the columns it left out.
  std::vector<std::string> fit(std::size_t width);

  std::size_t width() const;
  std::size_t rows() const { return rows_.size(); }

  // Lines without trailing spaces if `align_end` is false, else padded to width().
  std::string header(bool align_end = false) const;
  std::string line(std::size_t row, bool align_end = false) const;

 private:
  std::size_t column_width(std::size_t column) const;
  std::string join(const std::vector<std::string>& cells, bool align_end) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::size_t gap_ = 2;
};

}  // namespace gpuprof::render
