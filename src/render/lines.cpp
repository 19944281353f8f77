// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "render/lines.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/units.hpp"
#include "render/sections.hpp"

namespace gpuprof::render {

std::string plural(std::uint64_t count, const char* singular) {
  return format_count(count) + " " + singular + (count == 1 ? "" : "s");
}

std::string share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-" : format_percent(number(part) / number(whole));
}

std::string percent_cell(double fraction) {
  const std::string text = format_percent(fraction);
  return text.ends_with(" %") ? text.substr(0, text.size() - 2) : text;
}

std::string number_list(std::vector<std::uint64_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::string out;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    if (!out.empty()) out += ", ";
    out += std::to_string(numbers[i]);
    if (end > i) out += "-" + std::to_string(numbers[end]);
    i = end + 1;
  }
  return out;
}

std::string duration_range(double min_ns, double max_ns) {
  const std::string min = format_duration(min_ns);
  const std::string max = format_duration(max_ns);
  if (min == max) return min;
  // A unit that both have is said once; "2 min 03 s" is not a number with a unit.
  const auto unit = min.find(' ');
  const auto other = max.find(' ');
  const bool plain = unit == min.rfind(' ') && other == max.rfind(' ');
  if (plain && unit != std::string::npos && other != std::string::npos && min.substr(unit) == max.substr(other)) {
    return min.substr(0, unit) + "-" + max;
  }
  return min + " - " + max;
}

std::string item_lines(const std::string& first, const std::vector<std::string>& items, const char* separator,
                       std::size_t indent, const TextStyle& style, Emphasis emphasis) {
  const std::size_t width = style.width > indent + 20 ? style.width - indent : 20;
  std::string out;
  std::string line;
  const auto flush = [&] {
    while (line.ends_with(' ')) line.pop_back();
    // An item that is too long for a line is broken like any text.
    out += paragraph(out.empty() ? first : std::string(indent, ' '), line, indent, style, emphasis);
    line.clear();
  };
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? separator : "");
    const std::string_view bare = std::string_view(item).substr(0, item.find_last_not_of(' ') + 1);
    if (!line.empty() && display_width(line) + display_width(bare) > width) flush();
    line += item;
  }
  if (!line.empty()) flush();
  return out;
}

std::string table_lines(Table& table, const TextStyle& style) {
  const Paint paint(style.color);
  table.fit(style.width - 2);
  std::string out = "  " + paint(Emphasis::dim, table.header()) + "\n";
  for (std::size_t i = 0; i < table.rows(); ++i) out += "  " + table.line(i) + "\n";
  return out;
}

std::string and_more(std::size_t all, std::size_t shown, const TextStyle& style) {
  if (all <= shown) return {};
  return Paint(style.color)(Emphasis::dim, "  and " + format_count(all - shown) + " more") + "\n";
}

}  // namespace gpuprof::render
