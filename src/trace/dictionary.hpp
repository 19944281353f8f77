// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ids for strings, kernel shapes and queues. Looked up once per record, so the tables are open-addressed and keyed on
// the bytes themselves: a name whose memory was reused for another name gets another id.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "gpuprof/trace.hpp"
#include "trace/format.hpp"

namespace gpuprof::trace {

// Entries by id and ids by entry. Hash is a function object; entries are compared with ==.
template <typename Entry, typename Hash>
class Interner {
 public:
  // The id of `key`, which becomes a new entry if it is not one yet.
  template <typename Key>
  std::uint32_t id_of(const Key& key) {
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    const std::uint64_t hash = Hash{}(key);
    const std::size_t mask = slots_.size() - 1;
    std::size_t position = hash & mask;
    for (; slots_[position].id != kFree; position = (position + 1) & mask) {
      if (slots_[position].hash == hash && entries_[slots_[position].id] == key) return slots_[position].id;
    }
    const auto id = static_cast<std::uint32_t>(entries_.size());
    entries_.emplace_back(key);
    slots_[position] = {hash, id};
    return id;
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
  const Entry& operator[](std::uint32_t id) const { return entries_[id]; }

 private:
  static constexpr std::uint32_t kFree = 0xffffffff;
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t id = kFree;
  };

  void grow() {
    std::vector<Slot> larger(slots_.empty() ? 64 : 2 * slots_.size());
    const std::size_t mask = larger.size() - 1;
    for (const Slot& slot : slots_) {
      if (slot.id == kFree) continue;
      std::size_t position = slot.hash & mask;
      while (larger[position].id != kFree) position = (position + 1) & mask;
      larger[position] = slot;
    }
    slots_.swap(larger);
  }

  std::deque<Entry> entries_;
  std::vector<Slot> slots_;
};

struct HashString {
  std::uint64_t operator()(std::string_view bytes) const { return hash_bytes(bytes.data(), bytes.size()); }
};

// Shapes and queues are structs of 32-bit integers without padding, so equal values have equal bytes.
template <typename Value>
struct HashValue {
  static_assert(std::has_unique_object_representations_v<Value>);
  std::uint64_t operator()(const Value& value) const { return hash_bytes(&value, sizeof(value)); }
};

using StringTable = Interner<std::string, HashString>;
using ShapeTable = Interner<KernelShape, HashValue<KernelShape>>;
using QueueTable = Interner<Queue, HashValue<Queue>>;

// Messages with the entries from `first` on: at most kMaxFrameRecords of them, and of strings about a megabyte. `next`
// becomes the first entry that is not in the message.
std::string encode(const StringTable& strings, std::uint32_t first, std::uint32_t& next);
std::string encode(const ShapeTable& shapes, std::uint32_t first, std::uint32_t& next);
std::string encode(const QueueTable& queues, std::uint32_t first, std::uint32_t& next);

}  // namespace gpuprof::trace
