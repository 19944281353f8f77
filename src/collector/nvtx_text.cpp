// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/nvtx_text.hpp"

namespace gpuprof::collector {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr char32_t kLargest = 0x10FFFF;

bool is_high_surrogate(char32_t unit) {
  return unit >= 0xD800 && unit <= 0xDBFF;
}

bool is_low_surrogate(char32_t unit) {
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

// The character at `wide`, which is moved behind it.
char32_t next_character(const wchar_t*& wide) {
  const auto unit = static_cast<char32_t>(*wide++);
  if (is_high_surrogate(unit) && is_low_surrogate(static_cast<char32_t>(*wide))) {
    const auto low = static_cast<char32_t>(*wide++);
    return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
  }
  return is_high_surrogate(unit) || is_low_surrogate(unit) || unit > kLargest ? kReplacement : unit;
}

std::size_t size_of(char32_t character) {
  if (character < 0x80) return 1;
  if (character < 0x800) return 2;
  return character < 0x10000 ? 3 : 4;
}

}  // namespace

std::size_t utf8_size(const wchar_t* wide) {
  std::size_t size = 0;
  while (*wide != 0) size += size_of(next_character(wide));
  return size;
}

void write_utf8(const wchar_t* wide, char* out) {
  while (*wide != 0) {
    char32_t character = next_character(wide);
    const std::size_t size = size_of(character);
    for (std::size_t i = size - 1; i > 0; --i) {
      out[i] = static_cast<char>(0x80 | (character & 0x3F));
      character >>= 6;
    }
    // The lead byte has as many high bits set as the character has bytes, when it has more than one.
    const char32_t lead = size == 1 ? 0 : (0xF00u >> size) & 0xFF;
    out[0] = static_cast<char>(lead | character);
    out += size;
  }
}

std::string to_bytes(const NvtxText& text) {
  if (text.bytes != nullptr) return text.bytes;
  if (text.wide == nullptr) return {};
  std::string bytes(utf8_size(text.wide), '\0');
  write_utf8(text.wide, bytes.data());
  return bytes;
}

}  // namespace gpuprof::collector
