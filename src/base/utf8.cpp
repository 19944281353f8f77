// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"

#include <algorithm>
#include <array>

namespace gpuprof {
namespace {

struct Interval {
  char32_t first;
  char32_t last;
};

// Combining marks and characters without an advance, by block.
constexpr std::array kZeroWidth = {Interval{0x0300, 0x036F}, Interval{0x0483, 0x0489},  Interval{0x0591, 0x05BD},
                                   Interval{0x064B, 0x065F}, Interval{0x1AB0, 0x1AFF},  Interval{0x1DC0, 0x1DFF},
                                   Interval{0x200B, 0x200F}, Interval{0x202A, 0x202E},  Interval{0x2060, 0x2064},
                                   Interval{0x20D0, 0x20FF}, Interval{0xFE00, 0xFE0F},  Interval{0xFE20, 0xFE2F},
                                   Interval{0xFEFF, 0xFEFF}, Interval{0xE0100, 0xE01EF}};

// East Asian wide and full-width characters and emoji, by block.
constexpr std::array kWide = {Interval{0x1100, 0x115F},   Interval{0x2E80, 0x303E},   Interval{0x3041, 0x33FF},
                              Interval{0x3400, 0x4DBF},   Interval{0x4E00, 0x9FFF},   Interval{0xA000, 0xA4CF},
                              Interval{0xAC00, 0xD7A3},   Interval{0xF900, 0xFAFF},   Interval{0xFE30, 0xFE6F},
                              Interval{0xFF00, 0xFF60},   Interval{0xFFE0, 0xFFE6},   Interval{0x1F300, 0x1F64F},
                              Interval{0x1F680, 0x1F6FF}, Interval{0x1F900, 0x1FAFF}, Interval{0x20000, 0x3FFFD}};

template <std::size_t N>
bool contains(const std::array<Interval, N>& intervals, char32_t code_point) {
  return std::any_of(intervals.begin(), intervals.end(),
                     [code_point](Interval i) { return code_point >= i.first && code_point <= i.last; });
}

}  // namespace

DecodedCharacter decode_utf8(std::string_view bytes) {
  const auto byte = [bytes](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  std::size_t length = 0;
  char32_t value = 0;
  char32_t smallest = 0;
  if ((lead & 0xE0) == 0xC0) {
    length = 2, value = lead & 0x1F, smallest = 0x80;
  } else if ((lead & 0xF0) == 0xE0) {
    length = 3, value = lead & 0x0F, smallest = 0x800;
  } else if ((lead & 0xF8) == 0xF0) {
    length = 4, value = lead & 0x07, smallest = 0x10000;
  } else {
    return {};
  }
  if (bytes.size() < length) return {};
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    value = (value << 6) | (byte(i) & 0x3F);
  }
  if (value < smallest || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return {};
  return {value, length, true};
}

std::size_t display_width(char32_t code_point) {
  if (code_point < 0x300) return 1;
  if (contains(kZeroWidth, code_point)) return 0;
  return contains(kWide, code_point) ? 2 : 1;
}

}  // namespace gpuprof
