// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "buffers.hpp"

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <thread>

#include "control.h"
#include "settings.hpp"
#include "state.hpp"

namespace fake_cupti {
namespace {

struct Buffer {
  std::uint8_t* data = nullptr;
  std::size_t size = 0;
  std::size_t used = 0;
};

struct Client {
  CUpti_BuffersCallbackRequestFunc request = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete = nullptr;
};

// Guarded by library_lock(), but for the client's functions, which are called with it (request) or without (complete).
struct Buffers {
  Client client;
  Buffer current;
  std::deque<Buffer> full;
  bool worker_runs = false;
  bool worker_busy = false;
  std::condition_variable changed;
};

Buffers& buffers() {
  static auto* const kBuffers = new Buffers;
  return *kBuffers;
}

thread_local bool completing = false;

void complete(const Client& client, const Buffer& buffer) {
  if (client.complete == nullptr || is_shut_down()) return;
  completing = true;
  client.complete(nullptr, 0, buffer.data, buffer.size, buffer.used);
  completing = false;
}

void run_worker() {
  Buffers& state = buffers();
  std::unique_lock<std::mutex> guard(library_lock());
  while (true) {
    state.changed.wait(guard, [&] { return !state.full.empty(); });
    const Buffer buffer = state.full.front();
    state.full.pop_front();
    const Client client = state.client;
    state.worker_busy = true;
    guard.unlock();
    if (settings().delay != 0) std::this_thread::sleep_for(std::chrono::milliseconds(settings().delay));
    complete(client, buffer);
    guard.lock();
    state.worker_busy = false;
    state.changed.notify_all();
  }
}

bool request(Buffers& state) {
  if (state.client.request == nullptr) return false;
  Buffer buffer;
  std::size_t max_records = 0;
  state.client.request(&buffer.data, &buffer.size, &max_records);
  if (buffer.data == nullptr || buffer.size == 0) return false;
  if (reinterpret_cast<std::uintptr_t>(buffer.data) % ACTIVITY_RECORD_ALIGNMENT != 0) {
    std::fprintf(stderr, "fake libcupti: the client's activity buffer is not aligned to 8 bytes\n");
    std::abort();
  }
  state.current = buffer;
  return true;
}

void hand_to_worker(Buffers& state) {
  state.full.push_back(state.current);
  state.current = {};
  if (!state.worker_runs) {
    state.worker_runs = true;
    std::thread(run_worker).detach();
  }
  state.changed.notify_all();
}

// The other client of fake_cupti_take_over(): keeps what it gave, ignores what it did not.
void request_for_other_client(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) {
  static std::uint8_t* const kMemory = new std::uint8_t[1 << 20];
  *buffer = kMemory;
  *size = 1 << 20;
  *max_records = 0;
}

void complete_for_other_client(CUcontext, std::uint32_t, std::uint8_t*, std::size_t, std::size_t) {}

}  // namespace

void set_client(CUpti_BuffersCallbackRequestFunc request_function,
                CUpti_BuffersCallbackCompleteFunc complete_function) {
  const std::lock_guard<std::mutex> guard(library_lock());
  buffers().client = {request_function, complete_function};
}

bool put(const void* record, std::size_t size) {
  Buffers& state = buffers();
  if (state.current.data != nullptr && state.current.size - state.current.used < size) hand_to_worker(state);
  if (state.current.data == nullptr && !request(state)) return false;
  if (state.current.size - state.current.used < size) return false;
  std::memcpy(state.current.data + state.current.used, record, size);
  state.current.used += size;
  return true;
}

void flush_buffers() {
  Buffers& state = buffers();
  std::unique_lock<std::mutex> guard(library_lock());
  if (state.current.used != 0) {
    const Buffer buffer = state.current;
    const Client client = state.client;
    state.current = {};
    guard.unlock();
    complete(client, buffer);
    guard.lock();
  }
  if (!completing) state.changed.wait(guard, [&] { return state.full.empty() && !state.worker_busy; });
}

}  // namespace fake_cupti

using namespace fake_cupti;

extern "C" {

void fake_cupti_take_over() {
  set_client(request_for_other_client, complete_for_other_client);
}

void fake_cupti_foreign_buffer() {
  static auto* const kMemory = new std::uint64_t[64]();
  Client client;
  {
    const std::lock_guard<std::mutex> guard(library_lock());
    client = buffers().client;
  }
  complete(client, {reinterpret_cast<std::uint8_t*>(kMemory), 64 * sizeof(std::uint64_t), 0});
}
}
