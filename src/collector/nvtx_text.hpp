// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names as NVTX passes them: bytes, wide characters or the handle of a registered string.

#include <cstddef>
#include <cstdint>
#include <string>

namespace gpuprof::collector {

struct NvtxText {
  const char* bytes = nullptr;    // 0-terminated, any bytes
  const wchar_t* wide = nullptr;  // 0-terminated; looked at when `bytes` is null
  std::uint32_t registered = 0;   // index of a registered string; 0: none. Looked at when both pointers are null
};

// Bytes that the UTF-8 form of `wide` takes, without a terminator.
std::size_t utf8_size(const wchar_t* wide);

// Writes the UTF-8 form of `wide`, which takes utf8_size(wide) bytes. A surrogate pair, as programs make that come from
// UTF-16, becomes one character; a lone surrogate and a value above 0x10FFFF become U+FFFD.
void write_utf8(const wchar_t* wide, char* out);

// The bytes of `text`; empty for a registered string, whose bytes are not at hand.
std::string to_bytes(const NvtxText& text);

}  // namespace gpuprof::collector
