// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "cupti/buffer_pool.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>

namespace gpuprof::cupti {
namespace {

// CUPTI asks for 8; a page keeps buffers from sharing cache lines and pages.
constexpr std::size_t kAlignment = 4096;

std::atomic<std::size_t> lending_threads{0};

// Counts the thread it lives in for as long as that lives.
struct LendingThread {
  LendingThread() { ++lending_threads; }
  ~LendingThread() { --lending_threads; }
};

}  // namespace

std::uint8_t* BufferPool::lend(bool may_refuse) {
  thread_local const LendingThread counted;
  std::lock_guard lock(mutex_);
  if (free_.empty()) {
    const std::size_t limit = limits_.base_bytes + lending_threads * limits_.per_thread_bytes;
    if (may_refuse && allocated_bytes_ + buffer_bytes_ > limit) return nullptr;
    auto* data = static_cast<std::uint8_t*>(std::aligned_alloc(kAlignment, buffer_bytes_));
    if (data == nullptr) return nullptr;
    allocated_bytes_ += buffer_bytes_;
    free_.push_back(data);
  }
  std::uint8_t* data = free_.back();
  free_.pop_back();
  lent_.insert(data);
  return data;
}

bool BufferPool::complete(std::uint8_t* data, std::size_t valid_bytes) {
  {
    std::lock_guard lock(mutex_);
    if (lent_.erase(data) == 0) return false;
    ++completed_count_;
    if (valid_bytes == 0) {
      free_.push_back(data);
      return true;
    }
    completed_.push_back({data, valid_bytes});
  }
  changed_.notify_one();
  return true;
}

std::vector<BufferPool::Completed> BufferPool::take_completed() {
  std::vector<Completed> taken;
  std::lock_guard lock(mutex_);
  taken.swap(completed_);
  return taken;
}

void BufferPool::recycle(std::uint8_t* data) {
  std::lock_guard lock(mutex_);
  free_.push_back(data);
}

void BufferPool::wait(unsigned milliseconds) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::milliseconds(milliseconds), [this] { return woken_ || !completed_.empty(); });
  woken_ = false;
}

void BufferPool::wake() {
  {
    std::lock_guard lock(mutex_);
    woken_ = true;
  }
  changed_.notify_one();
}

std::uint64_t BufferPool::completed_count() const {
  std::lock_guard lock(mutex_);
  return completed_count_;
}

}  // namespace gpuprof::cupti
