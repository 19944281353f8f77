// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Decoding of UTF-8, one code point at a time.

#include <cstddef>
#include <string_view>

namespace gpuprof {

struct DecodedCharacter {
  char32_t code_point = 0xFFFD;  // U+FFFD when the bytes are not valid UTF-8
  std::size_t bytes = 1;         // consumed; 1 for an invalid byte
  bool valid = false;
};

// Decodes the character at the start of `bytes`, which must not be empty. Overlong forms, surrogates and values beyond
// U+10FFFF are invalid.
DecodedCharacter decode_utf8(std::string_view bytes);

// Terminal columns of one character: 0, 1 or 2.
std::size_t display_width(char32_t code_point);

}  // namespace gpuprof
