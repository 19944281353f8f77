// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "render/table.hpp"

#include <algorithm>
#include <iterator>

#include "base/text.hpp"

namespace gpuprof::render {

std::vector<std::string> Table::fit(std::size_t width_limit) {
  std::vector<std::string> dropped;
  if (width() > width_limit) gap_ = 1;
  while (width() > width_limit) {
    const auto last = std::find_if(columns_.rbegin(), columns_.rend(), [](const Column& c) { return c.droppable; });
    if (last == columns_.rend()) break;
    const auto index = std::distance(last, columns_.rend()) - 1;
    dropped.push_back(last->title);
    columns_.erase(columns_.begin() + index);
    for (auto& row : rows_) row.erase(row.begin() + index);
  }
  // Dropping a column may have made room again.
  gap_ = 2;
  if (width() > width_limit) gap_ = 1;
  return dropped;
}

std::size_t Table::column_width(std::size_t column) const {
  std::size_t widest = display_width(columns_[column].title);
  for (const auto& row : rows_) widest = std::max(widest, display_width(row[column]));
  return widest;
}

std::size_t Table::width() const {
  std::size_t total = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) total += column_width(i) + (i > 0 ? gap_ : 0);
  return total;
}

std::string Table::join(const std::vector<std::string>& cells, bool align_end) const {
  std::string line;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (i > 0) line.append(gap_, ' ');
    const std::size_t column = column_width(i);
    line += columns_[i].align == Column::Align::right ? pad_left(cells[i], column) : pad_right(cells[i], column);
  }
  if (!align_end) line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string Table::header(bool align_end) const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  return join(titles, align_end);
}

std::string Table::line(std::size_t row, bool align_end) const {
  return join(rows_[row], align_end);
}

}  // namespace gpuprof::render
