// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// NVTX calls on their way from the program's threads to the collector's. Each thread appends to a buffer of its own;
// the collector's thread takes out. The two share no lock: a chunk's committed size is all they tell each other.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "collector/nvtx_text.hpp"
#include "gpuprof/trace.hpp"

namespace gpuprof::collector {

// One call, as the program made it.
struct NvtxCall {
  trace::NvtxKind kind = trace::NvtxKind::push;
  std::uint32_t domain = 0;  // index; 0: the default domain
  std::uint64_t range = 0;   // of start and end
  NvtxText name;
  std::uint32_t category = 0;
  std::uint32_t color = 0;
  trace::NvtxPayload payload_type = trace::NvtxPayload::none;
  std::uint64_t payload = 0;
};

// One call, as it is taken out of a buffer. The name is valid until the next one is taken.
struct NvtxStoredCall {
  std::uint64_t time_ns = 0;
  trace::NvtxKind kind = trace::NvtxKind::push;
  std::uint32_t domain = 0;
  std::uint64_t range = 0;
  std::uint32_t registered = 0;  // index of a registered string; 0: the name is in `name`
  std::string_view name;
  std::uint32_t category = 0;
  std::uint32_t color = 0;
  trace::NvtxPayload payload_type = trace::NvtxPayload::none;
  std::uint64_t payload = 0;
};

// A piece of a buffer; its records follow it in memory.
struct NvtxChunk {
  std::atomic<NvtxChunk*> next{nullptr};
  std::atomic<std::size_t> committed{0};  // bytes of whole records
  std::size_t mapped_bytes = 0;
  std::size_t capacity() const { return mapped_bytes - sizeof(NvtxChunk); }
  char* data() { return reinterpret_cast<char*>(this + 1); }
};

// Whether a call closes a range that is stored. Such calls may go over the limit a little, or the ranges around them
// would be paired wrongly.
enum class NvtxUrgency { normal, closes_stored_range };

// Where the buffers' memory comes from. It is mapped, not allocated: the program's allocator may itself call NVTX.
class NvtxMemory {
 public:
  NvtxMemory() = default;
  NvtxMemory(const NvtxMemory&) = delete;
  NvtxMemory& operator=(const NvtxMemory&) = delete;

  // `bytes` for one thread; all together get four times as much.
  void set_limit(std::size_t bytes);

  // Null when the limit is reached or the system has no more. `held` is what the asking thread has already.
  NvtxChunk* take(std::size_t record_bytes, std::size_t held, NvtxUrgency urgency);
  void give_back(NvtxChunk* chunk);
  bool over_limit(std::size_t held) const;
  std::size_t thread_limit() const { return thread_limit_.load(std::memory_order_relaxed); }

  // After fork, in the child: what the parent's threads hold stays mapped, but is not counted.
  void forget(std::size_t held);

 private:
  std::atomic<std::size_t> limit_{0};
  std::atomic<std::size_t> thread_limit_{0};
  std::atomic<std::size_t> used_{0};
  // Empty chunks, kept for their pages: fresh ones are faulted in one by one.
  std::mutex spare_mutex_;
  NvtxChunk* spare_ = nullptr;
  std::size_t spare_count_ = 0;
};

class NvtxBuffer {
 public:
  explicit NvtxBuffer(NvtxMemory& memory) : memory_(memory) {}
  ~NvtxBuffer();
  NvtxBuffer(const NvtxBuffer&) = delete;
  NvtxBuffer& operator=(const NvtxBuffer&) = delete;

  // On the thread that owns the buffer. False when there is no room.
  bool append(const NvtxCall& call, std::uint64_t time_ns, NvtxUrgency urgency);

  // On the collector's thread: hands out, in order, what is there, but about twice the limit at most, so that a thread
  // that never rests cannot keep the collector for ever. Take is void(const NvtxStoredCall&).
  template <typename Take>
  void take(Take&& take) {
    std::size_t budget = 2 * memory_.thread_limit();
    NvtxStoredCall call;
    while (budget != 0 && read(call, budget)) take(call);
  }

  // After fork, in the child, on the owning thread: drops what is in the buffer, which the parent will write.
  void restart();
  std::size_t held() const { return held_.load(std::memory_order_relaxed); }

 private:
  char* room_for(std::size_t bytes, NvtxUrgency urgency);
  bool read(NvtxStoredCall& call, std::size_t& budget);

  NvtxMemory& memory_;
  std::atomic<std::size_t> held_{0};  // bytes of its chunks
  // The owning thread's side.
  NvtxChunk* tail_ = nullptr;
  std::size_t written_ = 0;  // bytes in the tail
  // The collector's side.
  std::atomic<NvtxChunk*> first_{nullptr};
  NvtxChunk* head_ = nullptr;
  std::size_t taken_ = 0;  // bytes of the head
};

}  // namespace gpuprof::collector
