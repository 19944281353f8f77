// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// The least a CUPTI client can do: kernels, copies and the API calls for launches, copies, allocations and
// synchronisation are recorded into 8 MB buffers, and the buffers are thrown away. What a program loses under this
// library is the cost of CUPTI itself; bench/overhead.py sets the profilers' cost beside it.
//
// Use: CUDA_INJECTION64_PATH=/absolute/path/of/bare_client.so PROGRAM. It says at exit, on stderr, how much it
// received.

#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_driver_cbid.h>
#include <cupti_runtime_cbid.h>
#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

namespace {

constexpr std::size_t kBufferBytes = std::size_t{8} << 20;

// The program may have mapped its own libcupti (PyTorch does); a soname finds that copy before any other.
constexpr const char* kCandidates[] = {"libcupti.so.13", "libcupti.so.12", "/usr/local/cuda/lib64/libcupti.so",
                                       "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"};

constexpr CUpti_ActivityKind kKinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                         CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET,
                                         CUPTI_ACTIVITY_KIND_SYNCHRONIZATION};

// Beginnings of the names of the recorded API functions, without "cuda" or "cu"; and every synchronising function.
constexpr const char* kRuntimeNames[] = {"Launch", "GraphLaunch", "Memcpy",    "Memset",
                                         "Malloc", "Free",        "HostAlloc", "StreamWait"};
constexpr const char* kDriverNames[] = {"Launch",   "GraphLaunch", "Memcpy",       "Memset",
                                        "MemAlloc", "MemFree",     "MemHostAlloc", "StreamWaitEvent"};

struct Cupti {
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
  decltype(&cuptiActivityEnable) enable = nullptr;
  decltype(&cuptiActivityEnableRuntimeApi) enable_runtime_api = nullptr;
  decltype(&cuptiActivityEnableDriverApi) enable_driver_api = nullptr;
  decltype(&cuptiGetCallbackName) callback_name = nullptr;
  decltype(&cuptiActivityFlushAll) flush_all = nullptr;
};

Cupti cupti;
// Never destroyed: CUPTI still hands buffers back while the program's static objects are going away.
std::mutex& pool_mutex = *new std::mutex;
std::vector<std::uint8_t*>& idle_buffers = *new std::vector<std::uint8_t*>;
std::atomic<unsigned long long> received_bytes{0};
std::atomic<unsigned long long> received_buffers{0};

template <typename Function>
bool resolve(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool open_cupti() {
  for (const char* candidate : kCandidates) {
    void* library = dlopen(candidate, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    return resolve(library, "cuptiActivityRegisterCallbacks", cupti.register_callbacks) &&
           resolve(library, "cuptiActivityEnable", cupti.enable) &&
           resolve(library, "cuptiActivityEnableRuntimeApi", cupti.enable_runtime_api) &&
           resolve(library, "cuptiActivityEnableDriverApi", cupti.enable_driver_api) &&
           resolve(library, "cuptiGetCallbackName", cupti.callback_name) &&
           resolve(library, "cuptiActivityFlushAll", cupti.flush_all);
  }
  return false;
}

void CUPTIAPI on_buffer_requested(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) {
  *max_records = 0;
  *buffer = nullptr;
  {
    const std::lock_guard lock(pool_mutex);
    if (!idle_buffers.empty()) {
      *buffer = idle_buffers.back();
      idle_buffers.pop_back();
    }
  }
  if (*buffer == nullptr) *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(4096, kBufferBytes));
  *size = *buffer != nullptr ? kBufferBytes : 0;
}

void CUPTIAPI on_buffer_completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                                  std::size_t valid_bytes) {
  if (buffer == nullptr) return;
  received_bytes += valid_bytes;
  ++received_buffers;
  const std::lock_guard lock(pool_mutex);
  idle_buffers.push_back(buffer);
}

template <std::size_t N>
bool is_recorded(const char* name, const char* prefix, const char* const (&beginnings)[N]) {
  if (std::strstr(name, "Synchronize") != nullptr) return true;
  if (std::strncmp(name, prefix, std::strlen(prefix)) != 0) return false;
  for (const char* beginning : beginnings) {
    if (std::strncmp(name + std::strlen(prefix), beginning, std::strlen(beginning)) == 0) return true;
  }
  return false;
}

// Whole API domains would record ten trivial calls for every launch of a PyTorch program.
template <std::size_t N, typename Enable>
void enable_calls(CUpti_CallbackDomain domain, CUpti_CallbackId end, const char* prefix,
                  const char* const (&beginnings)[N], Enable enable) {
  for (CUpti_CallbackId id = 1; id < end; ++id) {
    const char* name = nullptr;
    if (cupti.callback_name(domain, id, &name) == CUPTI_SUCCESS && name != nullptr &&
        is_recorded(name, prefix, beginnings)) {
      enable(id, 1);
    }
  }
}

void report_at_exit() {
  cupti.flush_all(0);
  std::fprintf(stderr, "bare_client: %llu buffers, %llu bytes of records\n", received_buffers.load(),
               received_bytes.load());
}

bool start() {
  if (!open_cupti()) {
    std::fprintf(stderr, "bare_client: libcupti 12.5 or later was not found; put its directory into LD_LIBRARY_PATH\n");
    return false;
  }
  if (cupti.register_callbacks(on_buffer_requested, on_buffer_completed) != CUPTI_SUCCESS) {
    std::fprintf(stderr, "bare_client: cuptiActivityRegisterCallbacks failed; is another profiler active?\n");
    return false;
  }
  for (const CUpti_ActivityKind kind : kKinds) {
    const CUptiResult result = cupti.enable(kind);
    if (result != CUPTI_SUCCESS) {
      std::fprintf(stderr, "bare_client: activity kind %d could not be enabled (error %d)\n", kind, result);
    }
  }
  enable_calls(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_SIZE, "cuda", kRuntimeNames,
               cupti.enable_runtime_api);
  enable_calls(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_SIZE, "cu", kDriverNames, cupti.enable_driver_api);
  std::atexit(report_at_exit);
  return true;
}

}  // namespace

// Called by the CUDA driver when it initialises; 1 says that all is well, which must not depend on the profiler.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  static const bool started = start();
  static_cast<void>(started);
  return 1;
}
