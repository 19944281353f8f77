// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The installed CUPTI's host API for tests, which need neither a GPU nor a driver for it.

#include <memory>

#include "base/error.hpp"
#include "cupti/host.hpp"
#include "support/catch2_compat.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GPUPROF_TEST_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define GPUPROF_TEST_ADDRESS_SANITIZER 1
#endif

namespace gpuprof {

// Null, with a warning that says why, where libcupti is not installed or cannot be used.
inline std::unique_ptr<cupti::Host> open_real_cupti() {
#if defined(GPUPROF_TEST_ADDRESS_SANITIZER)
  WARN("skipped: libcupti opens libnvperf_host.so with RTLD_DEEPBIND, at which AddressSanitizer ends the process");
  return nullptr;
#else
  try {
    return cupti::Host::open("");
  } catch (const Error& error) {
    CHECK_FALSE(error.hint().empty());
    WARN("skipped: " << error.what());
    return nullptr;
  }
#endif
}

}  // namespace gpuprof
