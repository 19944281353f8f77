// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "cupti/activity.hpp"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "cupti/activity_kinds.hpp"
#include "cupti/buffer_pool.hpp"
#include "cupti/decode.hpp"
#include "cupti/library.hpp"

namespace gpuprof::cupti {
namespace {

// From this API version on CUPTI accepts a null buffer and drops records; before, a null buffer can crash it.
constexpr std::uint32_t kNullBufferVersion = 27;  // CUDA 12.9

// Buffer callbacks carry no user pointer.
std::atomic<BufferPool*> pool{nullptr};
std::atomic<std::uint64_t> foreign_buffers{0};
std::atomic<bool> may_refuse{false};

void CUPTIAPI on_buffer_requested(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) {
  *max_records = 0;
  *buffer = nullptr;
  *size = 0;
  BufferPool* p = pool.load(std::memory_order_acquire);
  try {
    *buffer = p->lend(may_refuse.load(std::memory_order_relaxed));
    if (*buffer != nullptr) *size = p->buffer_bytes();
  } catch (...) {
  }
}

void CUPTIAPI on_buffer_completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                                  std::size_t valid_bytes) {
  if (buffer == nullptr) return;
  try {
    if (!pool.load(std::memory_order_acquire)->complete(buffer, valid_bytes)) ++foreign_buffers;
  } catch (...) {
  }
}

template <typename Value>
void set_attribute(const Api& api, CUpti_ActivityAttribute attribute, Value value) {
  std::size_t size = sizeof(value);
  api.cuptiActivitySetAttribute(attribute, &size, &value);
}

// CUPTI keeps the stamps of device work in device memory unless told otherwise. In pinned host memory the gap that
// recording adds between two kernels shrinks from 8 to 2 us, and a flush no longer copies from the device
// (docs/performance.md). Refused under confidential computing; it is the device's memory then.
void set_attributes(const Api& api, const ActivityOptions& options) {
  if (api.cuptiActivitySetAttribute == nullptr) return;
  set_attribute(api, CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED, std::uint8_t{1});
  if (options.device_buffers == 0) return;
  set_attribute(api, CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT, options.device_buffers);
}

}  // namespace

struct ActivityStream::State {
  State(const Api& api, const ActivityOptions& options)
      : buffers({options.buffer_bytes, options.limit_bytes, options.limit_bytes_per_thread}), kinds(api, options) {}
  BufferPool buffers;
  ActivityKinds kinds;
};

ActivityStream::ActivityStream(const Client& client) : client_(client), state_(nullptr) {}

ActivityStream* ActivityStream::start(const Client& client, const ActivityOptions& options, Failure& failure) {
  const Api& api = client.library().api;
  auto* stream = new ActivityStream(client);
  stream->state_ = new State(api, options);
  may_refuse = client.version() >= kNullBufferVersion;
  pool.store(&stream->state_->buffers, std::memory_order_release);

  set_attributes(api, options);
  // Thread ids as the operating system shows them; must be set before anything is enabled.
  api.cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
  CUptiResult result = api.cuptiActivityRegisterCallbacks(on_buffer_requested, on_buffer_completed);
  if (result != CUPTI_SUCCESS) {
    failure = {trace::NoticeCode::cupti_error, describe(api, "cuptiActivityRegisterCallbacks", result)};
    return nullptr;
  }
  stream->state_->kinds.enable_permanent();
  if (!options.paused && !stream->state_->kinds.enable(failure)) return nullptr;
  return stream;
}

void ActivityStream::pause() {
  flush();
  state_->kinds.disable();
}

void ActivityStream::resume() {
  // What CUPTI has accepted before it accepts again.
  Failure ignored;
  state_->kinds.enable(ignored);
}

void ActivityStream::flush() {
  client_.library().api.cuptiActivityFlushAll(0);
}

void ActivityStream::flush_unfinished() {
  client_.library().api.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
}

std::size_t ActivityStream::process(ActivitySink& sink) {
  const Api& api = client_.library().api;
  std::size_t records = 0;
  for (const BufferPool::Completed& buffer : state_->buffers.take_completed()) {
    CUpti_Activity* record = nullptr;
    // Any other status than success ends the buffer: its end, or an incomplete record after which nothing is readable.
    while (api.cuptiActivityGetNextRecord(buffer.data, buffer.valid_bytes, &record) == CUPTI_SUCCESS) {
      decode_record(record, sink);
      ++records;
    }
    state_->buffers.recycle(buffer.data);
  }
  return records;
}

void ActivityStream::wait(unsigned milliseconds) {
  state_->buffers.wait(milliseconds);
}
void ActivityStream::wake() {
  state_->buffers.wake();
}

std::uint64_t ActivityStream::take_dropped() {
  std::size_t dropped = 0;
  const CUptiResult result = client_.library().api.cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped);
  return result == CUPTI_SUCCESS ? dropped : 0;
}

BufferCounts ActivityStream::counts() const {
  return {state_->buffers.completed_count(), foreign_buffers.load()};
}

const char* ActivityStream::function_name(std::uint32_t domain_function, char* buffer, std::size_t buffer_bytes) const {
  const char* name = nullptr;
  const Api& api = client_.library().api;
  if (api.cuptiGetCallbackName(domain_of(domain_function), id_of(domain_function), &name) != CUPTI_SUCCESS ||
      name == nullptr) {
    std::snprintf(buffer, buffer_bytes, "cbid %u", id_of(domain_function));
    return buffer;
  }
  std::snprintf(buffer, buffer_bytes, "%s", name);
  // Runtime names end in the version that introduced them: "_v" and at least four digits.
  char* version = std::strstr(buffer, "_v");
  if (version != nullptr && std::strspn(version + 2, "0123456789") >= 4) *version = 0;
  return buffer;
}

}  // namespace gpuprof::cupti
