// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// State that every part of the fake shares. All of it is allocated once and never freed: exit handlers of the program
// may run after the fake's own destructors would have.

#include <cuda.h>
#include <cupti_result.h>

#include <cstdint>
#include <mutex>
#include <string>

namespace fake_cupti {

struct Context {
  std::uint32_t id = 0;
  std::uint32_t device = 0;
};

// The lock inside "CUPTI". The buffer request callback runs under it, completion does not, as in the real library.
std::mutex& library_lock();

// To be called first in every entry point. Ends the process when a forked child uses the library its parent used, which
// hangs in the real one; fails once the driver is gone or a fatal error was reported, which forbids further calls.
CUptiResult enter();

void shut_down();
bool is_shut_down();
void report_fatal();

std::uint64_t now_ns();  // CLOCK_REALTIME, CUPTI's clock on Linux
std::uint32_t next_correlation();
std::uint32_t thread_id();
void use_system_thread_ids();

// The calling thread's context, created when there is none yet.
Context& current_context();
// `context` or, for null, the current one; null when there is none.
const Context* find_context(CUcontext context);
inline CUcontext handle_of(Context& context) {
  return reinterpret_cast<CUcontext>(&context);
}

// Streams are numbered by the test program; CUPTI's id of the default stream is 7.
CUstream stream_handle(std::uint32_t stream);
std::uint32_t stream_id(CUstream stream);

// The function handle of a kernel name; the name stays valid.
CUfunction function_handle(const std::string& name);
const char* function_name(CUfunction function);

}  // namespace fake_cupti
