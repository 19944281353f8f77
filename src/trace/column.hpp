// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Columns of a message under construction. Values are encoded as they arrive, so that collecting a record costs its
// encoded size and not its size as a struct.

#include <cstddef>
#include <cstdint>
#include <protozero/varint.hpp>
#include <string_view>
#include <vector>

namespace gpuprof::trace {

// A packed repeated field of varints.
class Column {
 public:
  // Makes room for one more value, so that the next put cannot fail: a record enters all of its columns or none.
  void make_room() {
    if (bytes_.size() - size_ < protozero::max_varint_length) {
      bytes_.resize(bytes_.empty() ? kFirstBytes : 2 * bytes_.size());
    }
  }

  void put(std::uint64_t value) noexcept {
    size_ += static_cast<std::size_t>(protozero::write_varint(bytes_.data() + size_, value));
    if (value != 0) used_ = size_;
  }

  void put_signed(std::int64_t value) noexcept { put(protozero::encode_zigzag64(value)); }

  // The difference to the previous value, modulo 2^64.
  void put_delta(std::uint64_t value) noexcept {
    put_signed(static_cast<std::int64_t>(value - previous_));
    previous_ = value;
  }

  // For single values outside a batch.
  void append(std::uint64_t value) {
    make_room();
    put(value);
  }

  bool all_zero() const { return used_ == 0; }
  std::string_view bytes() const { return {bytes_.data(), size_}; }
  // Up to the last value that is not zero: what a reader does not find is zero.
  std::string_view used_bytes() const { return {bytes_.data(), used_}; }

  // Keeps the memory for the next batch.
  void clear() noexcept {
    size_ = 0;
    used_ = 0;
    previous_ = 0;
  }

 private:
  static constexpr std::size_t kFirstBytes = 256;

  std::vector<char> bytes_;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
  std::uint64_t previous_ = 0;
};

}  // namespace gpuprof::trace
