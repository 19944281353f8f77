// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/nvtx_buffer.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace gpuprof::collector {
namespace {

// Some 400 push/pop pairs with short names; a thread that makes one call keeps this much.
constexpr std::size_t kChunkBytes = std::size_t{16} << 10;
constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kSpareChunks = 256;
constexpr std::size_t kDefaultLimitBytes = std::size_t{16} << 20;
constexpr std::size_t kThreadShare = 4;
constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 30;

// A record is its head, then those of the other parts that it has, in this order. Every part takes a multiple of
// kAlignment bytes.
constexpr std::size_t kAlignment = 8;
enum Part : std::uint8_t { has_range = 1, has_look = 2, has_payload = 4, has_name = 8 };

struct Head {
  std::uint64_t time_ns;
  std::uint32_t domain;
  std::uint8_t kind;
  std::uint8_t parts;
  std::uint8_t payload_type;
  std::uint8_t unused;
};
struct Look {
  std::uint32_t category;
  std::uint32_t color;
};
// The bytes of a name that is not registered follow.
struct Name {
  std::uint32_t registered;
  std::uint32_t bytes;
};
static_assert(sizeof(Head) % kAlignment == 0 && sizeof(Look) % kAlignment == 0 && sizeof(Name) % kAlignment == 0);

std::size_t padded(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

template <typename Value>
void put(char*& out, const Value& value) {
  std::memcpy(out, &value, sizeof(value));
  out += sizeof(value);
}

template <typename Value>
Value get(const char*& in) {
  Value value;
  std::memcpy(&value, in, sizeof(value));
  in += sizeof(value);
  return value;
}

NvtxChunk* map_chunk(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* chunk = new (memory) NvtxChunk;
  chunk->mapped_bytes = bytes;
  return chunk;
}

}  // namespace

void NvtxMemory::set_limit(std::size_t bytes) {
  thread_limit_ = std::max(bytes, kChunkBytes);
  limit_ = kThreadShare * thread_limit_;
}

bool NvtxMemory::over_limit(std::size_t held) const {
  return held > thread_limit_.load(std::memory_order_relaxed) ||
         used_.load(std::memory_order_relaxed) > limit_.load(std::memory_order_relaxed);
}

NvtxChunk* NvtxMemory::take(std::size_t record_bytes, std::size_t held, NvtxUrgency urgency) {
  if (limit_.load(std::memory_order_relaxed) == 0) set_limit(kDefaultLimitBytes);
  const std::size_t wanted = record_bytes + sizeof(NvtxChunk);
  const std::size_t bytes = wanted <= kChunkBytes ? kChunkBytes : (wanted + kPageBytes - 1) / kPageBytes * kPageBytes;
  std::size_t limit = limit_.load(std::memory_order_relaxed);
  std::size_t thread_limit = this->thread_limit();
  if (urgency == NvtxUrgency::closes_stored_range) {
    limit += std::max(limit / 4, 2 * kChunkBytes);
    thread_limit += std::max(thread_limit / 4, 2 * kChunkBytes);
  }
  if (held + bytes > thread_limit) return nullptr;
  if (used_.fetch_add(bytes, std::memory_order_relaxed) + bytes > limit) {
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    return nullptr;
  }
  NvtxChunk* chunk = nullptr;
  // Only tried: a thread of the program never waits for the collector's.
  if (bytes == kChunkBytes && spare_mutex_.try_lock()) {
    chunk = spare_;
    if (chunk != nullptr) {
      spare_ = chunk->next.load(std::memory_order_relaxed);
      --spare_count_;
    }
    spare_mutex_.unlock();
  }
  if (chunk != nullptr) {
    chunk->next.store(nullptr, std::memory_order_relaxed);
    chunk->committed.store(0, std::memory_order_relaxed);
    return chunk;
  }
  chunk = map_chunk(bytes);
  if (chunk == nullptr) used_.fetch_sub(bytes, std::memory_order_relaxed);
  return chunk;
}

void NvtxMemory::give_back(NvtxChunk* chunk) {
  used_.fetch_sub(chunk->mapped_bytes, std::memory_order_relaxed);
  if (chunk->mapped_bytes == kChunkBytes) {
    const std::lock_guard lock(spare_mutex_);
    if (spare_count_ < kSpareChunks) {
      chunk->next.store(spare_, std::memory_order_relaxed);
      spare_ = chunk;
      ++spare_count_;
      return;
    }
  }
  munmap(chunk, chunk->mapped_bytes);
}

void NvtxMemory::forget(std::size_t held) {
  // A thread that does not exist here may have held the lock, and left the list half changed.
  new (&spare_mutex_) std::mutex;
  spare_ = nullptr;
  spare_count_ = 0;
  used_ = held;
}

NvtxBuffer::~NvtxBuffer() {
  NvtxChunk* chunk = head_ != nullptr ? head_ : first_.load(std::memory_order_acquire);
  while (chunk != nullptr) {
    NvtxChunk* next = chunk->next.load(std::memory_order_acquire);
    memory_.give_back(chunk);
    chunk = next;
  }
}

char* NvtxBuffer::room_for(std::size_t bytes, NvtxUrgency urgency) {
  const std::size_t held = this->held();
  const bool fits = tail_ != nullptr && tail_->capacity() - written_ >= bytes;
  if (fits) {
    // A chunk beyond the limit is for calls that close ranges.
    if (urgency == NvtxUrgency::normal && memory_.over_limit(held)) return nullptr;
    return tail_->data() + written_;
  }
  NvtxChunk* chunk = memory_.take(bytes, held, urgency);
  if (chunk == nullptr) return nullptr;
  held_.fetch_add(chunk->mapped_bytes, std::memory_order_relaxed);
  (tail_ != nullptr ? tail_->next : first_).store(chunk, std::memory_order_release);
  tail_ = chunk;
  written_ = 0;
  return chunk->data();
}

bool NvtxBuffer::append(const NvtxCall& call, std::uint64_t time_ns, NvtxUrgency urgency) {
  const NvtxText& name = call.name;
  std::size_t name_bytes = 0;
  if (name.bytes != nullptr) {
    name_bytes = std::strlen(name.bytes);
  } else if (name.wide != nullptr) {
    name_bytes = utf8_size(name.wide);
  }
  if (name_bytes > kMaxRecordBytes) return false;

  Head head{time_ns, call.domain, static_cast<std::uint8_t>(call.kind), 0, static_cast<std::uint8_t>(call.payload_type),
            0};
  std::size_t size = sizeof(Head);
  if (call.range != 0) {
    head.parts |= has_range;
    size += sizeof(call.range);
  }
  if (call.category != 0 || call.color != 0) {
    head.parts |= has_look;
    size += sizeof(Look);
  }
  if (call.payload_type != trace::NvtxPayload::none) {
    head.parts |= has_payload;
    size += sizeof(call.payload);
  }
  const bool registered = name.bytes == nullptr && name.wide == nullptr && name.registered != 0;
  if (registered || name_bytes != 0) {
    head.parts |= has_name;
    size += sizeof(Name) + padded(name_bytes);
  }

  char* out = room_for(size, urgency);
  if (out == nullptr) return false;
  put(out, head);
  if ((head.parts & has_range) != 0) put(out, call.range);
  if ((head.parts & has_look) != 0) put(out, Look{call.category, call.color});
  if ((head.parts & has_payload) != 0) put(out, call.payload);
  if ((head.parts & has_name) != 0) {
    put(out, Name{registered ? name.registered : 0, static_cast<std::uint32_t>(name_bytes)});
    if (name.bytes != nullptr) {
      std::memcpy(out, name.bytes, name_bytes);
    } else if (name.wide != nullptr) {
      write_utf8(name.wide, out);
    }
  }
  written_ += size;
  tail_->committed.store(written_, std::memory_order_release);
  return true;
}

bool NvtxBuffer::read(NvtxStoredCall& call, std::size_t& budget) {
  if (head_ == nullptr) {
    head_ = first_.load(std::memory_order_acquire);
    if (head_ == nullptr) return false;
  }
  while (taken_ == head_->committed.load(std::memory_order_acquire)) {
    NvtxChunk* next = head_->next.load(std::memory_order_acquire);
    if (next == nullptr) return false;
    // The last record of a chunk is committed before the next chunk is linked, but maybe after the look above.
    if (taken_ != head_->committed.load(std::memory_order_acquire)) break;
    held_.fetch_sub(head_->mapped_bytes, std::memory_order_relaxed);
    memory_.give_back(head_);
    head_ = next;
    taken_ = 0;
  }

  const char* const begin = head_->data() + taken_;
  const char* in = begin;
  const auto head = get<Head>(in);
  call = {};
  call.time_ns = head.time_ns;
  call.kind = static_cast<trace::NvtxKind>(head.kind);
  call.domain = head.domain;
  call.payload_type = static_cast<trace::NvtxPayload>(head.payload_type);
  if ((head.parts & has_range) != 0) call.range = get<std::uint64_t>(in);
  if ((head.parts & has_look) != 0) {
    const auto look = get<Look>(in);
    call.category = look.category;
    call.color = look.color;
  }
  if ((head.parts & has_payload) != 0) call.payload = get<std::uint64_t>(in);
  if ((head.parts & has_name) != 0) {
    const auto name = get<Name>(in);
    call.registered = name.registered;
    call.name = {in, name.bytes};
    in += padded(name.bytes);
  }
  const auto size = static_cast<std::size_t>(in - begin);
  taken_ += size;
  budget -= std::min(budget, size);
  return true;
}

void NvtxBuffer::restart() {
  // The chunks before the tail stay mapped: the parent's collector may have been about to give one of them back.
  first_ = tail_;
  head_ = tail_;
  taken_ = written_;
  held_ = tail_ != nullptr ? tail_->mapped_bytes : 0;
}

}  // namespace gpuprof::collector
