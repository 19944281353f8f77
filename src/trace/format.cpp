// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/format.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

namespace gpuprof::trace {
namespace {

template <typename Integer>
void store(char* bytes, Integer value) {
  for (std::size_t i = 0; i < sizeof(Integer); ++i) bytes[i] = static_cast<char>(value >> (8 * i) & 0xff);
}

std::uint64_t load_u64(const char* bytes) {
  return std::uint64_t{load_u32(bytes + 4)} << 32 | load_u32(bytes);
}

}  // namespace

std::uint32_t load_u32(const char* bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < sizeof(value); ++i) {
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return value;
}

std::array<char, kFileHeaderBytes> file_header() {
  std::array<char, kFileHeaderBytes> header{};
  std::copy(kMagic.begin(), kMagic.end(), header.begin());
  store(header.data() + kMagic.size(), kFormatVersion);
  return header;
}

std::array<char, kFrameHeaderBytes> encode_frame_header(const FrameHeader& header) {
  std::array<char, kFrameHeaderBytes> bytes{};
  store(bytes.data(), header.payload_bytes);
  store(bytes.data() + 4, header.kind);
  store(bytes.data() + 8, header.checksum);
  return bytes;
}

FrameHeader decode_frame_header(const char* bytes) {
  return {load_u32(bytes), load_u32(bytes + 4), load_u64(bytes + 8)};
}

std::uint64_t frame_checksum(std::uint32_t kind, std::string_view payload) {
  const std::uint64_t seed = std::uint64_t{kind} << 32 | static_cast<std::uint32_t>(payload.size());
  return XXH3_64bits_withSeed(payload.data(), payload.size(), seed);
}

std::uint64_t hash_bytes(const void* data, std::size_t size) {
  return XXH3_64bits(data, size);
}

}  // namespace gpuprof::trace
