// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "device.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "activity.hpp"
#include "control.h"
#include "settings.hpp"

namespace fake_cupti {
namespace {

constexpr std::uint64_t kLaunchLatency_ns = 2'000;
constexpr std::uint64_t kCopyTime_ns = 1'000;
constexpr std::uint64_t kSetTime_ns = 500;

struct Interval {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
};

struct Streams {
  std::mutex lock;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> busy_until_ns;  // (context, stream)
};

Streams& streams() {
  static auto* const kStreams = new Streams;
  return *kStreams;
}

std::atomic<std::uint32_t> kernels_seen{0};

// Work on one stream runs in order.
Interval queue_work(const Origin& origin, std::uint64_t duration_ns) {
  Streams& state = streams();
  const std::lock_guard<std::mutex> guard(state.lock);
  std::uint64_t& busy_until_ns = state.busy_until_ns[{origin.context.id, stream_id(origin.stream)}];
  const std::uint64_t start_ns = std::max(now_ns() + kLaunchLatency_ns, busy_until_ns);
  busy_until_ns = start_ns + duration_ns;
  return {start_ns, busy_until_ns};
}

bool every(std::uint32_t interval, std::uint32_t number) {
  return interval != 0 && number % interval == 0;
}

void spoil_times(CUpti_ActivityKernel10& record, std::uint32_t number) {
  if (every(settings().untimed, number)) {
    record.start = record.end = 0;
  } else if (every(settings().negative, number)) {
    record.end = record.start - 100;
  } else if (every(settings().wrong_clock, number)) {
    record.end = 1'000'000 + (record.end - record.start);
    record.start = 1'000'000;
  }
}

template <typename Record>
void fill_place(Record& record, const Origin& origin, const Interval& interval) {
  record.start = interval.start_ns;
  record.end = interval.end_ns;
  record.deviceId = origin.context.device;
  record.contextId = origin.context.id;
  record.streamId = stream_id(origin.stream);
  record.correlationId = origin.correlation;
  record.graphId = origin.graph;
  record.graphNodeId = origin.graph_node;
}

}  // namespace

void run_kernel(const KernelWork& work, const Origin& origin) {
  const bool endless = (work.flags & kFakeLaunchNeverEnds) != 0;
  const Interval interval = queue_work(origin, endless ? 0 : work.duration_ns);
  if (!kind_enabled(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) || settings().no_records != 0) return;
  const std::uint32_t number = ++kernels_seen;
  if (every(settings().drop, number)) return count_dropped();

  CUpti_ActivityKernel10 record{};
  record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  fill_place(record, origin, interval);
  record.gridX = static_cast<std::int32_t>(work.grid[0]);
  record.gridY = static_cast<std::int32_t>(work.grid[1]);
  record.gridZ = static_cast<std::int32_t>(work.grid[2]);
  record.blockX = static_cast<std::int32_t>(work.block[0]);
  record.blockY = static_cast<std::int32_t>(work.block[1]);
  record.blockZ = static_cast<std::int32_t>(work.block[2]);
  record.dynamicSharedMemory = static_cast<std::int32_t>(work.dynamic_shared_bytes);
  record.registersPerThread = 32;
  record.gridId = number;
  record.name = function_name(function_handle(work.name));
  record.launchType = (work.flags & kFakeLaunchCooperative) != 0 ? 1 : 0;
  spoil_times(record, number);
  add_record(record, endless ? kNeverReady : interval.end_ns);
}

void run_copy(std::uint32_t kind, std::uint64_t bytes, const Origin& origin) {
  const Interval interval = queue_work(origin, kCopyTime_ns);
  if (!kind_enabled(CUPTI_ACTIVITY_KIND_MEMCPY)) return;
  CUpti_ActivityMemcpy6 record{};
  record.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  fill_place(record, origin, interval);
  record.copyKind = static_cast<std::uint8_t>(kind);
  record.srcKind = kind == kFakeCopyHtoD ? CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE : CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  record.dstKind = kind == kFakeCopyDtoH ? CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE : CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  record.bytes = bytes;
  record.copyCount = 1;
  add_record(record, interval.end_ns);
}

void run_set(std::uint64_t bytes, const Origin& origin) {
  const Interval interval = queue_work(origin, kSetTime_ns);
  if (!kind_enabled(CUPTI_ACTIVITY_KIND_MEMSET)) return;
  CUpti_ActivityMemset4 record{};
  record.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  fill_place(record, origin, interval);
  record.bytes = bytes;
  record.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  add_record(record, interval.end_ns);
}

void run_whole_graph(std::uint64_t duration_ns, const Origin& origin) {
  const Interval interval = queue_work(origin, duration_ns);
  CUpti_ActivityGraphTrace2 record{};
  record.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
  record.start = interval.start_ns;
  record.end = interval.end_ns;
  record.deviceId = origin.context.device;
  record.contextId = origin.context.id;
  record.streamId = stream_id(origin.stream);
  record.correlationId = origin.correlation;
  record.graphId = origin.graph;
  add_record(record, interval.end_ns);
}

void record_memory(CUpti_ActivityMemoryOperationType operation, std::uint64_t bytes, std::uint64_t address,
                   const Origin& origin) {
  if (!kind_enabled(CUPTI_ACTIVITY_KIND_MEMORY2)) return;
  CUpti_ActivityMemory4 record{};
  record.kind = CUPTI_ACTIVITY_KIND_MEMORY2;
  record.memoryOperationType = operation;
  record.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  record.correlationId = origin.correlation;
  record.address = address;
  record.bytes = bytes;
  record.timestamp = now_ns();
  record.deviceId = origin.context.device;
  record.contextId = origin.context.id;
  record.streamId = stream_id(origin.stream);
  add_record(record);
}

std::uint64_t idle_at_ns(const Context& context) {
  Streams& state = streams();
  const std::lock_guard<std::mutex> guard(state.lock);
  std::uint64_t latest_ns = 0;
  for (const auto& [queue, busy_until_ns] : state.busy_until_ns) {
    if (queue.first == context.id) latest_ns = std::max(latest_ns, busy_until_ns);
  }
  return latest_ns;
}

void announce(const Context& context) {
  if (kind_enabled(CUPTI_ACTIVITY_KIND_DEVICE)) {
    CUpti_ActivityDevice5 record{};
    record.kind = CUPTI_ACTIVITY_KIND_DEVICE;
    record.id = context.device;
    record.name = "NVIDIA Fake H200";
    record.computeCapabilityMajor = 9;
    record.numMultiprocessors = 132;
    record.globalMemorySize = std::uint64_t{141} << 30;
    record.globalMemoryBandwidth = 4'915'200'000;  // kB/s
    record.l2CacheSize = 60u << 20;
    record.coreClockRate = 1'980'000;  // kHz
    record.numThreadsPerWarp = 32;
    record.uuid.bytes[15] = static_cast<char>(context.device + 1);
    add_record(record);
  }
  if (kind_enabled(CUPTI_ACTIVITY_KIND_CONTEXT)) {
    CUpti_ActivityContext3 record{};
    record.kind = CUPTI_ACTIVITY_KIND_CONTEXT;
    record.contextId = context.id;
    record.deviceId = context.device;
    record.nullStreamId = 7;
    add_record(record);
  }
  if (kind_enabled(CUPTI_ACTIVITY_KIND_OVERHEAD)) {
    CUpti_ActivityOverhead3 record{};
    record.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
    record.overheadKind = CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION;
    record.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    record.objectId.pt.threadId = thread_id();
    record.end = now_ns();
    record.start = record.end - 5'000;
    add_record(record);
  }
}

}  // namespace fake_cupti
