// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// The calls of the program: launches, copies, sets and synchronisation, with the callbacks around them.

#include <cupti.h>

#include <chrono>
#include <optional>
#include <thread>

#include "activity.hpp"
#include "callbacks.hpp"
#include "control.h"
#include "device.hpp"
#include "kernel_launch.hpp"
#include "range_profiler.hpp"

namespace fake_cupti {
namespace {

struct LaunchIds {
  CUpti_CallbackId driver;
  CUpti_CallbackId runtime;
};

LaunchIds launch_ids(std::uint32_t flags) {
  const bool per_thread = (flags & kFakeLaunchPerThread) != 0;
  if ((flags & kFakeLaunchEx) != 0) {
    if (per_thread) {
      return {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_ptsz_v11060};
    }
    return {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060};
  }
  if ((flags & kFakeLaunchCooperative) != 0) {
    if (per_thread) {
      return {CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
              CUPTI_RUNTIME_TRACE_CBID_cudaLaunchCooperativeKernel_ptsz_v9000};
    }
    return {CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
            CUPTI_RUNTIME_TRACE_CBID_cudaLaunchCooperativeKernel_v9000};
  }
  if (per_thread) {
    return {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_ptsz_v7000};
  }
  return {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000};
}

// The arguments of every launch call, as the callback sees them.
struct LaunchParams {
  LaunchParams(const KernelWork& work, CUstream stream) {
    const CUfunction function = function_handle(work.name);
    kernel = {function,      work.grid[0],  work.grid[1],  work.grid[2],
              work.block[0], work.block[1], work.block[2], work.dynamic_shared_bytes,
              stream,        nullptr,       nullptr};
    cooperative = {function,      work.grid[0],  work.grid[1],  work.grid[2],
                   work.block[0], work.block[1], work.block[2], work.dynamic_shared_bytes,
                   stream,        nullptr};
    config = {work.grid[0],
              work.grid[1],
              work.grid[2],
              work.block[0],
              work.block[1],
              work.block[2],
              work.dynamic_shared_bytes,
              stream,
              nullptr,
              0};
    extended = {&config, function, nullptr, nullptr};
  }

  const void* of(std::uint32_t flags) const {
    if ((flags & kFakeLaunchEx) != 0) return &extended;
    if ((flags & kFakeLaunchCooperative) != 0) return &cooperative;
    return &kernel;
  }

  cuLaunchKernel_params kernel{};
  cuLaunchCooperativeKernel_params cooperative{};
  CUlaunchConfig config{};
  cuLaunchKernelEx_params extended{};
};

// A runtime call and the driver call inside it, with the same correlation id.
template <typename Body>
void api_call(CUpti_CallbackId runtime, CUpti_CallbackId driver, Body body) {
  Context& context = current_context();
  const std::uint32_t correlation = next_correlation();
  const ApiCall outer(CUPTI_CB_DOMAIN_RUNTIME_API, runtime, correlation, context, nullptr, nullptr);
  const ApiCall inner(CUPTI_CB_DOMAIN_DRIVER_API, driver, correlation, context, nullptr, nullptr);
  body(context, correlation);
}

CUpti_CallbackId copy_id(std::uint32_t kind) {
  if (kind == kFakeCopyHtoD) return CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2;
  if (kind == kFakeCopyDtoH) return CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoHAsync_v2;
  return CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2;
}

}  // namespace

int launch_kernel(const KernelWork& work, CUstream stream, const std::function<void(const Origin&)>& body) {
  Context& context = current_context();
  const LaunchIds ids = launch_ids(work.flags);
  const std::uint32_t correlation = next_correlation();
  const LaunchParams params(work, stream);
  const char* symbol = function_name(params.kernel.f);
  const int result = (work.flags & kFakeLaunchFails) != 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;

  std::optional<ApiCall> runtime;
  if ((work.flags & kFakeLaunchDriverOnly) == 0) {
    runtime.emplace(CUPTI_CB_DOMAIN_RUNTIME_API, ids.runtime, correlation, context, nullptr, symbol);
    runtime->set_result(result);
  }
  ApiCall driver(CUPTI_CB_DOMAIN_DRIVER_API, ids.driver, correlation, context, params.of(work.flags), symbol);
  driver.set_result(result);
  if (result == CUDA_SUCCESS) body({context, stream, correlation});
  return result;
}

}  // namespace fake_cupti

using namespace fake_cupti;

extern "C" {

void fake_cupti_allocate(uint64_t bytes) {
  Context& context = current_context();
  const std::uint64_t address = 0x7f0000000000 + (std::uint64_t{next_correlation()} << 21);
  const CUstream stream = stream_handle(0);
  record_memory(CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION, bytes, address, {context, stream, next_correlation()});
  record_memory(CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE, bytes, address, {context, stream, next_correlation()});
}

void fake_cupti_profiler(int start) {
  const ApiCall call(CUPTI_CB_DOMAIN_DRIVER_API,
                     start != 0 ? CUPTI_DRIVER_TRACE_CBID_cuProfilerStart : CUPTI_DRIVER_TRACE_CBID_cuProfilerStop,
                     next_correlation(), current_context(), nullptr, nullptr);
}


int fake_cupti_launch(const char* name, const uint32_t grid[3], const uint32_t block[3], uint32_t dynamic_shared_bytes,
                      uint64_t duration_ns, uint32_t stream, uint32_t flags) {
  const KernelWork work{
      name, {grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, dynamic_shared_bytes, duration_ns, flags};
  return launch_kernel(work, stream_handle(stream), [&](const Origin& origin) {
    measure_kernel(origin.context, work);
    run_kernel(work, origin);
  });
}

void fake_cupti_copy(uint32_t kind, uint64_t bytes, uint32_t stream) {
  api_call(CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020, copy_id(kind), [&](Context& context, std::uint32_t id) {
    run_copy(kind, bytes, {context, stream_handle(stream), id});
  });
}

void fake_cupti_set(uint64_t bytes, uint32_t stream) {
  api_call(CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020, CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async,
           [&](Context& context, std::uint32_t id) {
             run_set(bytes, {context, stream_handle(stream), id});
           });
}

void fake_cupti_sync() {
  api_call(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020, CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize,
           [](Context& context, std::uint32_t id) {
             CUpti_ActivitySynchronization2 record{};
             record.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
             record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE;
             record.start = now_ns();
             for (std::uint64_t idle = idle_at_ns(context); now_ns() < idle;) {
               std::this_thread::sleep_for(std::chrono::nanoseconds(idle - now_ns()));
             }
             record.end = now_ns();
             record.correlationId = id;
             record.contextId = context.id;
             record.streamId = static_cast<std::uint32_t>(CUPTI_SYNCHRONIZATION_INVALID_VALUE);
             if (kind_enabled(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION)) add_record(record);
           });
}

void fake_cupti_own_kernel() {
  KernelWork work;
  work.name = "WaitNs";
  work.duration_ns = 1'000;
  run_kernel(work, {current_context(), stream_handle(0)});
}
}
