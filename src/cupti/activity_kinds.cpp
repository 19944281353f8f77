// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "cupti/activity_kinds.hpp"

#include <string_view>

namespace gpuprof::cupti {
namespace {

constexpr CUpti_ActivityKind kPermanentKinds[] = {
    CUPTI_ACTIVITY_KIND_DEVICE, CUPTI_ACTIVITY_KIND_CONTEXT,  CUPTI_ACTIVITY_KIND_STREAM,
    CUPTI_ACTIVITY_KIND_JIT,    CUPTI_ACTIVITY_KIND_OVERHEAD,
};

constexpr CUpti_ActivityKind kWorkKinds[] = {
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
    CUPTI_ACTIVITY_KIND_MEMCPY2,           CUPTI_ACTIVITY_KIND_MEMSET,
    CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
};

// API functions worth a record: launches, copies, allocations and synchronisation. Everything else is noise at ten
// calls a kernel in PyTorch programs. Decided by name, so that functions of newer toolkits are covered.
constexpr std::string_view kTracedPrefixes[] = {
    "cudaLaunch",    "cudaGraphLaunch", "cudaMemcpy",      "cudaMemset",     "cudaMalloc",        "cudaFree",
    "cudaHostAlloc", "cudaStreamWait",  "cudaGraphInstan", "cuLaunch",       "cuGraphLaunch",     "cuMemcpy",
    "cuMemset",      "cuMemAlloc",      "cuMemFree",       "cuMemHostAlloc", "cuStreamWaitEvent", "cuGraphInstan",
};

bool is_traced(std::string_view name) {
  for (std::string_view prefix : kTracedPrefixes) {
    if (name.substr(0, prefix.size()) == prefix) return true;
  }
  return name.find("Synchronize") != std::string_view::npos;
}

std::vector<CUpti_CallbackId> traced_functions(const Api& api, CUpti_CallbackDomain domain, CUpti_CallbackId end) {
  std::vector<CUpti_CallbackId> ids;
  for (CUpti_CallbackId id = 1; id < end; ++id) {
    const char* name = nullptr;
    if (api.cuptiGetCallbackName(domain, id, &name) == CUPTI_SUCCESS && name != nullptr && is_traced(name)) {
      ids.push_back(id);
    }
  }
  return ids;
}

void enable_unified_memory(const Api& api) {
  if (api.cuptiActivityConfigureUnifiedMemoryCounter == nullptr) return;
  constexpr CUpti_ActivityUnifiedMemoryCounterKind kCounters[] = {
      CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
      CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
      CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
      CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
  };
  std::vector<CUpti_ActivityUnifiedMemoryCounterConfig> configs;
  for (CUpti_ActivityUnifiedMemoryCounterKind kind : kCounters) {
    configs.push_back({CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE, kind, 0, 1});
  }
  const auto count = static_cast<std::uint32_t>(configs.size());
  // Refused on devices without unified memory; there is nothing to be seen then.
  if (api.cuptiActivityConfigureUnifiedMemoryCounter(configs.data(), count) == CUPTI_SUCCESS) {
    api.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
  }
}

}  // namespace

ActivityKinds::ActivityKinds(const Api& api, const ActivityOptions& options)
    : api_(api), options_(options), kinds_(std::begin(kWorkKinds), std::end(kWorkKinds)) {
  // Recording graphs as a whole suppresses the kernel records of their nodes, and those only.
  if (options.whole_graphs) kinds_.push_back(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
  if (options.all_api) {
    kinds_.push_back(CUPTI_ACTIVITY_KIND_RUNTIME);
    kinds_.push_back(CUPTI_ACTIVITY_KIND_DRIVER);
  } else if (api.cuptiActivityEnableRuntimeApi != nullptr && api.cuptiActivityEnableDriverApi != nullptr) {
    runtime_functions_ = traced_functions(api, CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_SIZE);
    driver_functions_ = traced_functions(api, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_SIZE);
  }
}

void ActivityKinds::enable_permanent() const {
  for (CUpti_ActivityKind kind : kPermanentKinds) api_.cuptiActivityEnable(kind);
  if (options_.memory) {
    api_.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMORY2);
    api_.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMORY_POOL);
  }
  if (options_.unified_memory) enable_unified_memory(api_);
}

bool ActivityKinds::enable(Failure& failure) const {
  for (CUpti_ActivityKind kind : kinds_) {
    const CUptiResult result = api_.cuptiActivityEnable(kind);
    if (result != CUPTI_SUCCESS && kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
      failure = {trace::NoticeCode::cupti_error, describe(api_, "cuptiActivityEnable(CONCURRENT_KERNEL)", result)};
      return false;
    }
  }
  for (CUpti_CallbackId id : runtime_functions_) api_.cuptiActivityEnableRuntimeApi(id, 1);
  for (CUpti_CallbackId id : driver_functions_) api_.cuptiActivityEnableDriverApi(id, 1);
  return true;
}

void ActivityKinds::disable() const {
  for (CUpti_ActivityKind kind : kinds_) api_.cuptiActivityDisable(kind);
  for (CUpti_CallbackId id : runtime_functions_) api_.cuptiActivityEnableRuntimeApi(id, 0);
  for (CUpti_CallbackId id : driver_functions_) api_.cuptiActivityEnableDriverApi(id, 0);
}

}  // namespace gpuprof::cupti
