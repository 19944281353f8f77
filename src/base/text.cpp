// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <cstdio>

#include "base/utf8.hpp"

namespace gpuprof {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kEllipsis = "…";

// Characters that can reorder or split what a terminal shows.
bool is_layout_control(char32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) ||
         c == 0xFEFF;
}

std::string escape(char32_t c) {
  switch (c) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      break;
  }
  char text[16];
  std::snprintf(text, sizeof text, c < 0x100 ? "\\x%02x" : "\\u{%04x}", static_cast<unsigned>(c));
  return text;
}

// The first characters that fit into `width` columns.
std::string_view prefix(std::string_view utf8, std::size_t width) {
  std::size_t bytes = 0;
  while (bytes < utf8.size()) {
    const DecodedCharacter c = decode_utf8(utf8.substr(bytes));
    const std::size_t columns = display_width(c.code_point);
    if (columns > width) break;
    width -= columns;
    bytes += c.bytes;
  }
  return utf8.substr(0, bytes);
}

// What is left when the beginning is dropped until the rest fits into `width` columns.
std::string_view suffix(std::string_view utf8, std::size_t width) {
  std::size_t total = display_width(utf8);
  while (total > width) {
    const DecodedCharacter c = decode_utf8(utf8);
    total -= display_width(c.code_point);
    utf8.remove_prefix(c.bytes);
  }
  return utf8;
}

}  // namespace

std::string to_valid_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const DecodedCharacter c = decode_utf8(bytes);
    out += c.valid ? bytes.substr(0, c.bytes) : kReplacement;
    bytes.remove_prefix(c.bytes);
  }
  return out;
}

std::string printable(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const DecodedCharacter c = decode_utf8(bytes);
    if (!c.valid) {
      out += kReplacement;
    } else if (c.code_point < 0x20 || (c.code_point >= 0x7F && c.code_point < 0xA0) ||
               is_layout_control(c.code_point)) {
      out += escape(c.code_point);
    } else {
      out += bytes.substr(0, c.bytes);
    }
    bytes.remove_prefix(c.bytes);
  }
  return out;
}

std::size_t display_width(std::string_view utf8) {
  std::size_t width = 0;
  while (!utf8.empty()) {
    const DecodedCharacter c = decode_utf8(utf8);
    width += display_width(c.code_point);
    utf8.remove_prefix(c.bytes);
  }
  return width;
}

std::string shorten_middle(std::string_view utf8, std::size_t width) {
  if (display_width(utf8) <= width) return std::string(utf8);
  if (width == 0) return {};
  const std::size_t tail = (width - 1) / 2;
  std::string out(prefix(utf8, width - 1 - tail));
  out += kEllipsis;
  return out.append(suffix(utf8, tail));
}

std::string pad_right(std::string_view utf8, std::size_t width) {
  std::string out(utf8);
  if (const std::size_t used = display_width(utf8); used < width) out.append(width - used, ' ');
  return out;
}

std::string pad_left(std::string_view utf8, std::size_t width) {
  const std::size_t used = display_width(utf8);
  std::string out(used < width ? width - used : 0, ' ');
  return out.append(utf8);
}

std::vector<std::string> wrap(std::string_view utf8, std::size_t width) {
  std::vector<std::string> lines(1);
  while (!utf8.empty()) {
    const std::string_view word = utf8.substr(0, utf8.find(' '));
    utf8.remove_prefix(word.size() < utf8.size() ? word.size() + 1 : word.size());
    if (word.empty()) continue;
    const std::size_t used = display_width(lines.back());
    if (used > 0 && used + 1 + display_width(word) > width) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

}  // namespace gpuprof
