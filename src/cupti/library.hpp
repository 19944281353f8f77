// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finds and opens libcupti at run time and holds its entry points. Internal to src/cupti: the other headers of this
// folder do not include vendor headers.
//
// Nothing links libcupti, so one collector serves CUDA 12 and 13, runs with the copy a program already mapped, and the
// tests can put a fake in its place.

#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gpuprof::cupti {

// X(name, required): every entry point used. A required one must exist; the others are null in older releases.
#define GPUPROF_CUPTI_FUNCTIONS(X)                       \
  X(cuptiGetVersion, true)                               \
  X(cuptiGetResultString, true)                          \
  X(cuptiGetTimestamp, true)                             \
  X(cuptiSubscribe, true)                                \
  X(cuptiSubscribe_v2, false)                            \
  X(cuptiEnableCallback, true)                           \
  X(cuptiGetCallbackName, true)                          \
  X(cuptiGetDeviceId, true)                              \
  X(cuptiGetGraphExecId, false)                          \
  X(cuptiSetThreadIdType, true)                          \
  X(cuptiActivityRegisterCallbacks, true)                \
  X(cuptiActivitySetAttribute, false)                    \
  X(cuptiActivityEnable, true)                           \
  X(cuptiActivityDisable, true)                          \
  X(cuptiActivityConfigureUnifiedMemoryCounter, false)   \
  X(cuptiActivityEnableRuntimeApi, false)                \
  X(cuptiActivityEnableDriverApi, false)                 \
  X(cuptiActivityFlushAll, true)                         \
  X(cuptiActivityGetNextRecord, true)                    \
  X(cuptiActivityGetNumDroppedRecords, true)             \
  X(cuptiProfilerInitialize, false)                      \
  X(cuptiDeviceGetChipName, false)                       \
  X(cuptiProfilerGetCounterAvailability, false)          \
  X(cuptiProfilerHostInitialize, false)                  \
  X(cuptiProfilerHostDeinitialize, false)                \
  X(cuptiProfilerHostGetSupportedChips, false)           \
  X(cuptiProfilerHostGetBaseMetrics, false)              \
  X(cuptiProfilerHostGetMetricProperties, false)         \
  X(cuptiProfilerHostConfigAddMetrics, false)            \
  X(cuptiProfilerHostGetConfigImageSize, false)          \
  X(cuptiProfilerHostGetConfigImage, false)              \
  X(cuptiProfilerHostGetNumOfPasses, false)              \
  X(cuptiProfilerHostEvaluateToGpuValues, false)         \
  X(cuptiRangeProfilerEnable, false)                     \
  X(cuptiRangeProfilerDisable, false)                    \
  X(cuptiRangeProfilerSetConfig, false)                  \
  X(cuptiRangeProfilerStart, false)                      \
  X(cuptiRangeProfilerStop, false)                       \
  X(cuptiRangeProfilerPushRange, false)                  \
  X(cuptiRangeProfilerPopRange, false)                   \
  X(cuptiRangeProfilerDecodeData, false)                 \
  X(cuptiRangeProfilerGetCounterDataSize, false)         \
  X(cuptiRangeProfilerCounterDataImageInitialize, false) \
  X(cuptiRangeProfilerGetCounterDataInfo, false)

// Entry points under their own names, so that a call reads api.cuptiGetVersion(...).
struct Api {
#define GPUPROF_MEMBER(name, required) decltype(&::name) name = nullptr;
  GPUPROF_CUPTI_FUNCTIONS(GPUPROF_MEMBER)
#undef GPUPROF_MEMBER
};

struct Library {
  Api api;
  std::string path;           // the file that was opened, as the dynamic linker names it
  std::uint32_t version = 0;  // cuptiGetVersion
};

// Opens libcupti, in this order: a copy the process has already mapped; `preferred_path` if not empty; the sonames; the
// usual places of the toolkit. On failure returns false and `tried` names every candidate with the linker's reason.
bool open_library(const std::string& preferred_path, Library& library, std::string& tried);

// Every libcupti file mapped into this process.
std::vector<std::string> mapped_libraries();

// "name: text (code)" for a failed call; `name` is the function that returned `result`.
std::string describe(const Api& api, const char* name, CUptiResult result);

// A zeroed parameter struct of the profiling API. `struct_size` is the Type_STRUCT_SIZE constant of the vendor header:
// sizeof is larger where the last field is small, and cuptiRangeProfilerSetConfig refuses it.
template <typename Params>
Params make_params(std::size_t struct_size) {
  Params params{};
  params.structSize = struct_size;
  return params;
}

}  // namespace gpuprof::cupti
