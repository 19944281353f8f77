// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a test program tells the fake libcupti to play: the calls a CUDA program would make. Resolved by dlsym, so that
// the program links neither CUDA nor the fake.

#include <stdint.h>

extern "C" {

enum FakeLaunchFlags : uint32_t {
  kFakeLaunchPlain = 0,
  kFakeLaunchDriverOnly = 1u << 0,  // cuLaunchKernel without the runtime call around it
  kFakeLaunchEx = 1u << 1,          // cuLaunchKernelEx
  kFakeLaunchCooperative = 1u << 2,
  kFakeLaunchPerThread = 1u << 3,  // the _ptsz form
  kFakeLaunchFails = 1u << 4,      // returns an error, nothing runs
  kFakeLaunchNeverEnds = 1u << 5,  // only a forced flush delivers its record, with end 0
};

enum FakeCopyKind : uint32_t { kFakeCopyHtoD = 1, kFakeCopyDtoH = 2, kFakeCopyDtoD = 8 };

// Launches a kernel in the calling thread's context; `stream` 0 is the default stream. Returns the call's result.
int fake_cupti_launch(const char* name, const uint32_t grid[3], const uint32_t block[3], uint32_t dynamic_shared_bytes,
                      uint64_t duration_ns, uint32_t stream, uint32_t flags);
void fake_cupti_copy(uint32_t kind, uint64_t bytes, uint32_t stream);
void fake_cupti_set(uint64_t bytes, uint32_t stream);

// Allocates `bytes` of device memory and frees them again.
void fake_cupti_allocate(uint64_t bytes);

// cudaProfilerStart and cudaProfilerStop.
void fake_cupti_profiler(int start);

// Waits until the context is idle, as cudaDeviceSynchronize does. Kernels that never end are not waited for.
void fake_cupti_sync(void);

// Creates a context on `device` and makes it current in the calling thread. Without it the first call that needs one
// creates a context on device 0.
uint32_t fake_cupti_context_create(uint32_t device);
void fake_cupti_context_use(uint32_t context);
void fake_cupti_context_destroy(void);

enum FakeGraphOrigin : uint32_t {
  kFakeGraphBuilt = 0,     // node by node
  kFakeGraphCaptured = 1,  // by stream capture: launch calls that run nothing
  kFakeGraphCloned = 2,    // node by node, then copied by cudaGraphClone; the copy is instantiated
};

// Makes a graph of `kernel_nodes` kernels called `name` and `copy_nodes` copies and instantiates it. Returns a handle.
uint32_t fake_cupti_graph_create(const char* name, uint32_t kernel_nodes, uint32_t copy_nodes, uint32_t origin);
void fake_cupti_graph_launch(uint32_t graph, uint32_t stream);
void fake_cupti_graph_destroy(uint32_t graph);

// Another client of the same libcupti registers its own buffer callbacks: the collector gets no more buffers.
void fake_cupti_take_over(void);
// Hands the collector a buffer that it never gave.
void fake_cupti_foreign_buffer(void);
// A kernel of CUPTI's own appears in the trace; nobody launched it.
void fake_cupti_own_kernel(void);
// CUPTI reports a fatal error. Later calls fail, and each one is complained about on stderr.
void fake_cupti_fatal_error(void);
// The driver shuts down: every later call fails with CUPTI_ERROR_NOT_INITIALIZED and undelivered records are lost.
void fake_cupti_teardown(void);

}  // extern "C"
