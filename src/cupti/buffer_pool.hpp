// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Activity buffers: lent to CUPTI on request, queued when completed, recycled after decoding. A buffer that CUPTI still
// holds is never freed.

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_set>
#include <vector>

namespace gpuprof::cupti {

class BufferPool {
 public:
  struct Completed {
    std::uint8_t* data = nullptr;
    std::size_t valid_bytes = 0;
  };

  struct Limits {
    std::size_t buffer_bytes = 0;
    std::size_t base_bytes = 0;        // most memory for buffers: this much,
    std::size_t per_thread_bytes = 0;  // and this much for every thread that has asked for a buffer and still lives
  };

  explicit BufferPool(const Limits& limits) : buffer_bytes_(limits.buffer_bytes), limits_(limits) {}

  std::size_t buffer_bytes() const { return buffer_bytes_; }

  // A buffer for CUPTI. When the limit is reached: null if `may_refuse`, else the buffer is lent beyond the limit,
  // because older CUPTI releases crash on null. Null as well when memory is out.
  std::uint8_t* lend(bool may_refuse);

  // CUPTI gives a buffer back. Returns false when it was not one of ours; it is then left alone.
  bool complete(std::uint8_t* data, std::size_t valid_bytes);

  // The completed buffers, oldest first.
  std::vector<Completed> take_completed();

  // After decoding.
  void recycle(std::uint8_t* data);

  void wait(unsigned milliseconds);
  void wake();

  std::uint64_t completed_count() const;

 private:
  const std::size_t buffer_bytes_;
  const Limits limits_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::uint8_t*> free_;
  std::unordered_set<std::uint8_t*> lent_;
  std::vector<Completed> completed_;
  std::size_t allocated_bytes_ = 0;
  std::uint64_t completed_count_ = 0;
  bool woken_ = false;
};

}  // namespace gpuprof::cupti
