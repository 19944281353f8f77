// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "cupti/decode.hpp"

#include <cstdio>
#include <cstdlib>

namespace gpuprof::cupti {
namespace {

// Records are read through the oldest struct that holds the fields needed: CUPTI only ever appends fields, so an older
// struct fits every newer record, while a newer one would read past the end of an older record. CUDA 12.0 is the floor.
using KernelRecord = CUpti_ActivityKernel9;
using CopyRecord = CUpti_ActivityMemcpy5;
using PeerCopyRecord = CUpti_ActivityMemcpyPtoP4;
using SetRecord = CUpti_ActivityMemset4;
using SynchronizationRecord = CUpti_ActivitySynchronization;
using OverheadRecord = CUpti_ActivityOverhead3;
using DeviceRecord = CUpti_ActivityDevice4;
using GraphRecord = CUpti_ActivityGraphTrace;
using JitRecord = CUpti_ActivityJit;
using MemoryRecord = CUpti_ActivityMemory3;
using MemoryPoolRecord = CUpti_ActivityMemoryPool2;
using UnifiedMemoryRecord = CUpti_ActivityUnifiedMemoryCounter2;
using ContextRecord = CUpti_ActivityContext;

constexpr std::uint32_t kDriverBit = 1u << 31;

std::uint32_t as_unsigned(int value) {
  return static_cast<std::uint32_t>(value);
}

std::string uuid_text(const CUuuid& uuid) {
  char text[48];
  const auto* b = reinterpret_cast<const unsigned char*>(uuid.bytes);
  std::snprintf(text, sizeof(text), "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0],
                b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
  return text;
}

void decode(const KernelRecord& r, ActivitySink& sink) {
  trace::Kernel record;
  record.start_ns = r.start;
  record.end_ns = r.end;
  record.correlation = r.correlationId;
  record.graph = r.graphId;
  record.graph_node = r.graphNodeId;

  trace::KernelShape shape;
  shape.grid = {as_unsigned(r.gridX), as_unsigned(r.gridY), as_unsigned(r.gridZ)};
  shape.block = {as_unsigned(r.blockX), as_unsigned(r.blockY), as_unsigned(r.blockZ)};
  // Without a cluster CUPTI reports 0.
  if (r.clusterX != 0) shape.cluster = {r.clusterX, r.clusterY, r.clusterZ};
  shape.static_shared_bytes = as_unsigned(r.staticSharedMemory);
  shape.dynamic_shared_bytes = as_unsigned(r.dynamicSharedMemory);
  shape.registers_per_thread = r.registersPerThread;
  shape.local_bytes_per_thread = r.localMemoryPerThread;
  shape.launch_type = r.launchType;
  sink.on_kernel(record, r.name != nullptr ? r.name : "", shape, {r.deviceId, r.contextId, r.streamId});
}

void decode(const CopyRecord& r, ActivitySink& sink) {
  trace::Copy record;
  record.start_ns = r.start;
  record.end_ns = r.end;
  record.bytes = r.bytes;
  record.correlation = r.correlationId;
  record.kind = r.copyKind;
  record.source = r.srcKind;
  record.destination = r.dstKind;
  record.graph = r.graphId;
  sink.on_copy(record, {r.deviceId, r.contextId, r.streamId});
}

void decode(const PeerCopyRecord& r, ActivitySink& sink) {
  trace::Copy record;
  record.start_ns = r.start;
  record.end_ns = r.end;
  record.bytes = r.bytes;
  record.correlation = r.correlationId;
  record.kind = r.copyKind;
  record.source = r.srcKind;
  record.destination = r.dstKind;
  record.graph = r.graphId;
  record.source_device_plus_1 = r.srcDeviceId + 1;
  record.destination_device_plus_1 = r.dstDeviceId + 1;
  sink.on_copy(record, {r.deviceId, r.contextId, r.streamId});
}

void decode(const SetRecord& r, ActivitySink& sink) {
  trace::Set record;
  record.start_ns = r.start;
  record.end_ns = r.end;
  record.bytes = r.bytes;
  record.correlation = r.correlationId;
  record.memory = r.memoryKind;
  record.graph = r.graphId;
  sink.on_set(record, {r.deviceId, r.contextId, r.streamId});
}

void decode(const CUpti_ActivityAPI& r, ActivitySink& sink) {
  trace::ApiCall record;
  record.start_ns = r.start;
  record.end_ns = r.end;
  record.thread = r.threadId;
  record.correlation = r.correlationId;
  record.result = r.returnValue;
  const bool driver = r.kind == CUPTI_ACTIVITY_KIND_DRIVER;
  sink.on_api_call(record, domain_function(driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API, r.cbid));
}

void decode(const SynchronizationRecord& r, ActivitySink& sink) {
  sink.on_synchronization(
      {r.start, r.end, static_cast<std::uint32_t>(r.type), r.contextId, r.streamId, r.correlationId, r.cudaEventId});
}

void decode(const OverheadRecord& r, ActivitySink& sink) {
  const bool of_thread = r.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD;
  sink.on_overhead(
      {r.start, r.end, static_cast<std::uint32_t>(r.overheadKind), of_thread ? r.objectId.pt.threadId : 0});
  // The client owns this allocation.
  std::free(r.overheadData);
}

void decode(const DeviceRecord& r, ActivitySink& sink) {
  trace::Device record;
  record.id = r.id;
  record.name = r.name != nullptr ? r.name : "";
  record.uuid = uuid_text(r.uuid);
  record.compute_major = r.computeCapabilityMajor;
  record.compute_minor = r.computeCapabilityMinor;
  record.sm_count = r.numMultiprocessors;
  record.memory_bytes = r.globalMemorySize;
  record.l2_bytes = r.l2CacheSize;
  record.peak_dram_bytes_per_second = r.globalMemoryBandwidth * 1000;  // CUPTI gives kB/s
  record.max_sm_clock_khz = r.coreClockRate;
  sink.on_device(record);
}

void decode(const GraphRecord& r, ActivitySink& sink) {
  sink.on_graph_execution({r.start, r.end, 0, r.correlationId, r.graphId}, {r.deviceId, r.contextId, r.streamId});
}

void decode(const JitRecord& r, ActivitySink& sink) {
  sink.on_jit({r.start, r.end, static_cast<std::uint32_t>(r.jitEntryType),
               static_cast<std::uint32_t>(r.jitOperationType), 0, r.correlationId});
}

void decode(const MemoryRecord& r, ActivitySink& sink) {
  trace::MemoryEvent record;
  record.time_ns = r.timestamp;
  record.bytes = r.bytes;
  record.address = r.address;
  record.pool = r.memoryPoolConfig.address;
  record.operation = static_cast<std::uint32_t>(r.memoryOperationType);
  record.kind = static_cast<std::uint32_t>(r.memoryKind);
  record.correlation = r.correlationId;
  sink.on_memory(record, {r.deviceId, r.contextId, r.streamId});
}

void decode(const MemoryPoolRecord& r, ActivitySink& sink) {
  sink.on_memory_pool({r.timestamp, r.address, r.size, r.utilizedSize,
                       static_cast<std::uint32_t>(r.memoryPoolOperationType),
                       static_cast<std::uint32_t>(r.memoryPoolType), r.deviceId});
}

void decode(const UnifiedMemoryRecord& r, ActivitySink& sink) {
  sink.on_unified_memory(
      {r.start, r.end, r.value, r.address, static_cast<std::uint32_t>(r.counterKind), r.srcId, r.dstId});
}

void decode(const ContextRecord& r, ActivitySink& sink) {
  sink.on_context({r.contextId, r.deviceId, r.nullStreamId});
}

void decode(const CUpti_ActivityStream& r, ActivitySink& sink) {
  sink.on_stream({r.contextId, r.streamId, static_cast<std::int32_t>(r.priority), static_cast<std::uint32_t>(r.flag)});
}

template <typename Record>
const Record& as(const CUpti_Activity* record) {
  return *reinterpret_cast<const Record*>(record);
}

}  // namespace

std::uint32_t domain_function(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  return id | (domain == CUPTI_CB_DOMAIN_DRIVER_API ? kDriverBit : 0);
}

CUpti_CallbackDomain domain_of(std::uint32_t domain_function) {
  return (domain_function & kDriverBit) != 0 ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
}

CUpti_CallbackId id_of(std::uint32_t domain_function) {
  return domain_function & ~kDriverBit;
}

void decode_record(const CUpti_Activity* record, ActivitySink& sink) {
  switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_KERNEL:
      return decode(as<KernelRecord>(record), sink);
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
      return decode(as<CUpti_ActivityAPI>(record), sink);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return decode(as<CopyRecord>(record), sink);
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return decode(as<PeerCopyRecord>(record), sink);
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return decode(as<SetRecord>(record), sink);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return decode(as<SynchronizationRecord>(record), sink);
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
      return decode(as<OverheadRecord>(record), sink);
    case CUPTI_ACTIVITY_KIND_DEVICE:
      return decode(as<DeviceRecord>(record), sink);
    case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
      return decode(as<GraphRecord>(record), sink);
    case CUPTI_ACTIVITY_KIND_JIT:
      return decode(as<JitRecord>(record), sink);
    case CUPTI_ACTIVITY_KIND_MEMORY2:
      return decode(as<MemoryRecord>(record), sink);
    case CUPTI_ACTIVITY_KIND_MEMORY_POOL:
      return decode(as<MemoryPoolRecord>(record), sink);
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER:
      return decode(as<UnifiedMemoryRecord>(record), sink);
    case CUPTI_ACTIVITY_KIND_CONTEXT:
      return decode(as<ContextRecord>(record), sink);
    case CUPTI_ACTIVITY_KIND_STREAM:
      return decode(as<CUpti_ActivityStream>(record), sink);
    default:
      return;
  }
}

}  // namespace gpuprof::cupti
