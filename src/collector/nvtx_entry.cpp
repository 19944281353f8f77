// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// The entry points that NVTX looks for in the library named by NVTX_INJECTION64_PATH, at the program's first NVTX call.
// That may be long before CUDA is used, or in a program that never uses it. The entry point of NVTX's extensions is
// left out on purpose: without it NVTX turns them off.

#include <cstdint>

#include "collector/entry.hpp"
#include "collector/nvtx_recorder.hpp"

namespace gpuprof::collector {
namespace {

using GetExportTable = const void* (*)(std::uint32_t id);

int initialise(GetExportTable get_export_table) noexcept {
  try {
    // Refused, NVTX makes all its functions do nothing.
    if (ensure_collector() == nullptr) return 0;
    return NvtxRecorder::instance().install(get_export_table);
  } catch (...) {
    return 0;
  }
}

}  // namespace
}  // namespace gpuprof::collector

// NVTX's headers of version 3.
// NOLINTNEXTLINE(readability-identifier-naming): NVTX's name for it
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    const void* (*get_export_table)(std::uint32_t)) {
  return gpuprof::collector::initialise(get_export_table);
}

// libnvToolsExt, the library of version 2.
// NOLINTNEXTLINE(readability-identifier-naming): NVTX's name for it
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx(
    const void* (*get_export_table)(std::uint32_t)) {
  return gpuprof::collector::initialise(get_export_table);
}
