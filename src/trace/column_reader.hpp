// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Packed columns of a message from a file: nothing about them is trusted.

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <protozero/pbf_reader.hpp>
#include <protozero/varint.hpp>
#include <string_view>
#include <vector>

#include "trace/format.hpp"

namespace gpuprof::trace {

// A payload that does not follow the schema or refers to an undefined id. Caught by the decoder; the frame is damaged.
class DamagedFrame : public std::exception {};

inline void require(bool holds) {
  if (!holds) throw DamagedFrame{};
}

// Walks over a packed column. After its end it delivers zeros for ever.
class ColumnCursor {
 public:
  explicit ColumnCursor(std::string_view column) : position_(column.data()), end_(column.data() + column.size()) {}

  std::uint64_t value() {
    if (position_ == end_) return 0;
    // Nearly all values of a trace have one to three bytes.
    if (end_ - position_ >= 3) {
      const std::uint64_t first = byte(0);
      if (first < 0x80) return ++position_, first;
      const std::uint64_t second = byte(1);
      if (second < 0x80) return position_ += 2, (first & 0x7f) | second << 7;
      const std::uint64_t third = byte(2);
      if (third < 0x80) return position_ += 3, (first & 0x7f) | (second & 0x7f) << 7 | third << 14;
    }
    return protozero::decode_varint(&position_, end_);
  }

  std::uint32_t value32() { return static_cast<std::uint32_t>(value()); }

  std::int64_t signed_value() { return protozero::decode_zigzag64(value()); }

  // The next value of a delta column, modulo 2^64.
  std::uint64_t delta() { return previous_ += static_cast<std::uint64_t>(signed_value()); }
  std::uint32_t delta32() { return static_cast<std::uint32_t>(delta()); }

  bool at_end() const { return position_ == end_; }

 private:
  std::uint64_t byte(std::size_t index) const { return static_cast<unsigned char>(position_[index]); }

  const char* position_;
  const char* end_;
  std::uint64_t previous_ = 0;
};

// Number of varints in a packed column: bytes without the continuation bit.
std::size_t count_varints(std::string_view column);

// The columns of a message whose fields kFirstTag, kFirstTag + 1, ... are packed. Other fields are skipped.
template <std::size_t kColumns>
class MessageColumns {
 public:
  explicit MessageColumns(std::string_view payload, std::uint32_t first_tag = 1) {
    protozero::pbf_reader message{payload.data(), payload.size()};
    while (message.next()) {
      const std::uint32_t index = message.tag() - first_tag;
      if (message.tag() < first_tag || index >= kColumns ||
          message.wire_type() != protozero::pbf_wire_type::length_delimited) {
        message.skip();
        continue;
      }
      const protozero::data_view view = message.get_view();
      require(columns_[index].empty());
      columns_[index] = {view.data(), view.size()};
    }
    records_ = count_varints(columns_[0]);
    require(records_ <= kMaxFrameRecords);
  }

  // As many as the first column has values.
  std::size_t records() const { return records_; }

  // A cursor over column `index`, which holds at most `values_per_record` values for each record.
  ColumnCursor cursor(std::size_t index, std::size_t values_per_record = 1) const {
    const std::string_view column = columns_[index];
    require(count_varints(column) <= values_per_record * records_);
    return ColumnCursor{column};
  }

  bool has(std::size_t index) const { return !columns_[index].empty(); }

 private:
  std::array<std::string_view, kColumns> columns_;
  std::size_t records_ = 0;
};

template <typename... Cursors>
void require_at_end(const Cursors&... cursors) {
  require((cursors.at_end() && ...));
}

}  // namespace gpuprof::trace
