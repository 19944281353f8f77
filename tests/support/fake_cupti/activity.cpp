// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "activity.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <deque>

#include "buffers.hpp"
#include "settings.hpp"
#include "state.hpp"

namespace fake_cupti {
namespace {

constexpr std::size_t kMaxApiIds = 1024;
// Running work is looked through when this many records wait, so that buffers also fill without a flush.
constexpr std::size_t kSweepAt = 256;

std::atomic<bool> kinds[CUPTI_ACTIVITY_KIND_COUNT];
std::atomic<bool> driver_ids[kMaxApiIds];
std::atomic<bool> runtime_ids[kMaxApiIds];
std::atomic<std::size_t> dropped{0};

struct Pending {
  std::uint64_t ready_ns = 0;
  std::size_t size = 0;
  alignas(8) std::array<std::uint8_t, 256> bytes{};
};

// Guarded by library_lock().
struct Running {
  std::deque<Pending> records;
  std::size_t sweep_at = kSweepAt;
};

Running& running() {
  static auto* const kRunning = new Running;
  return *kRunning;
}

CUpti_ActivityKind kind_of(const void* record) {
  return static_cast<const CUpti_Activity*>(record)->kind;
}

void put_or_drop(const void* record, std::size_t size) {
  if (!put(record, size)) ++dropped;
}

// What a forced flush makes of work that still runs: a record without an end.
void mark_unfinished(Pending& pending) {
  void* record = pending.bytes.data();
  switch (kind_of(record)) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      static_cast<CUpti_ActivityKernel10*>(record)->end = 0;
      break;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      static_cast<CUpti_ActivityMemcpy6*>(record)->end = 0;
      break;
    case CUPTI_ACTIVITY_KIND_MEMSET:
      static_cast<CUpti_ActivityMemset4*>(record)->end = 0;
      break;
    case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
      static_cast<CUpti_ActivityGraphTrace2*>(record)->end = 0;
      break;
    default:
      break;
  }
}

// Caller holds library_lock().
void sweep(bool forced) {
  Running& state = running();
  const std::uint64_t now = now_ns();
  std::deque<Pending> rest;
  for (Pending& pending : state.records) {
    if (pending.ready_ns <= now) {
      put_or_drop(pending.bytes.data(), pending.size);
    } else if (forced) {
      mark_unfinished(pending);
      put_or_drop(pending.bytes.data(), pending.size);
    } else {
      rest.push_back(pending);
    }
  }
  state.records.swap(rest);
  state.sweep_at = std::max(kSweepAt, 2 * state.records.size());
}

std::size_t size_of(CUpti_ActivityKind kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return sizeof(CUpti_ActivityKernel10);
    case CUPTI_ACTIVITY_KIND_DRIVER:
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      return sizeof(CUpti_ActivityAPI);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return sizeof(CUpti_ActivityMemcpy6);
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return sizeof(CUpti_ActivityMemset4);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return sizeof(CUpti_ActivitySynchronization2);
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
      return sizeof(CUpti_ActivityOverhead3);
    case CUPTI_ACTIVITY_KIND_DEVICE:
      return sizeof(CUpti_ActivityDevice5);
    case CUPTI_ACTIVITY_KIND_CONTEXT:
      return sizeof(CUpti_ActivityContext3);
    case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
      return sizeof(CUpti_ActivityGraphTrace2);
    case CUPTI_ACTIVITY_KIND_MEMORY2:
      return sizeof(CUpti_ActivityMemory4);
    default:
      return 0;
  }
}

CUptiResult enable(CUpti_ActivityKind kind, bool on) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  if (on && settings().enable_error != 0) return static_cast<CUptiResult>(settings().enable_error);
  if (kind <= CUPTI_ACTIVITY_KIND_INVALID || kind >= CUPTI_ACTIVITY_KIND_COUNT) return CUPTI_ERROR_INVALID_KIND;
  kinds[kind] = on;
  return CUPTI_SUCCESS;
}

CUptiResult enable_api(std::atomic<bool>* ids, CUpti_CallbackId id, bool on) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  if (id >= kMaxApiIds) return CUPTI_ERROR_INVALID_PARAMETER;
  ids[id] = on;
  return CUPTI_SUCCESS;
}

}  // namespace

bool kind_enabled(CUpti_ActivityKind kind) {
  return kinds[kind];
}

bool api_enabled(CUpti_ActivityKind kind, CUpti_CallbackId id) {
  if (kinds[kind]) return true;
  return id < kMaxApiIds && (kind == CUPTI_ACTIVITY_KIND_DRIVER ? driver_ids[id] : runtime_ids[id]);
}

void add_bytes(const void* record, std::size_t size, std::uint64_t ready_ns) {
  if (is_shut_down()) return;
  const std::lock_guard<std::mutex> guard(library_lock());
  if (ready_ns == kReadyNow) {
    put_or_drop(record, size);
    return;
  }
  Running& state = running();
  Pending& pending = state.records.emplace_back();
  pending.ready_ns = ready_ns;
  pending.size = size;
  std::memcpy(pending.bytes.data(), record, size);
  if (state.records.size() >= state.sweep_at) sweep(false);
}

void count_dropped() {
  ++dropped;
}

}  // namespace fake_cupti

using namespace fake_cupti;

extern "C" {

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc funcBufferRequested,
                                           CUpti_BuffersCallbackCompleteFunc funcBufferCompleted) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  if (funcBufferRequested == nullptr || funcBufferCompleted == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  set_client(funcBufferRequested, funcBufferCompleted);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  return enable(kind, true);
}
CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  return enable(kind, false);
}

CUptiResult cuptiActivityEnableDriverApi(CUpti_CallbackId cbid, uint8_t on) {
  return enable_api(driver_ids, cbid, on != 0);
}
CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId cbid, uint8_t on) {
  return enable_api(runtime_ids, cbid, on != 0);
}

CUptiResult cuptiActivityFlushAll(uint32_t flag) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  {
    const std::lock_guard<std::mutex> guard(library_lock());
    const bool forced = (flag & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) != 0;
    sweep(forced);
    if (settings().hold != 0 && !forced && !running().records.empty()) return CUPTI_SUCCESS;
  }
  flush_buffers();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t* buffer, size_t validBufferSizeBytes, CUpti_Activity** record) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  if (buffer == nullptr || record == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  std::uint8_t* next = buffer;
  if (*record != nullptr) next = reinterpret_cast<std::uint8_t*>(*record) + size_of((*record)->kind);
  if (next + sizeof(CUpti_Activity) > buffer + validBufferSizeBytes) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  auto* candidate = reinterpret_cast<CUpti_Activity*>(next);
  if (size_of(candidate->kind) == 0) return CUPTI_ERROR_INVALID_KIND;
  *record = candidate;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t, size_t* count) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  if (count == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  // The real one takes the lock under which buffers are requested: a client that holds its own lock here and in the
  // request callback deadlocks.
  const std::lock_guard<std::mutex> guard(library_lock());
  *count = dropped.exchange(0);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute, size_t* valueSize, void* value) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  return valueSize == nullptr || value == nullptr ? CUPTI_ERROR_INVALID_PARAMETER : CUPTI_SUCCESS;
}
}
