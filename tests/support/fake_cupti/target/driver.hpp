// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The part of the CUDA driver that matters to an injected library, and the fake libcupti's controls.

#include "control.h"

namespace fake_target {

enum class Cupti {
  mapped,    // the program has mapped libcupti before CUDA starts, as PyTorch does
  unmapped,  // the collector has to find libcupti itself
  absent,    // there is no libcupti: launches are counted and nothing plays
};

// cuInit: loads the library in CUDA_INJECTION64_PATH and calls its entry point. Silent when that fails.
void initialise(Cupti cupti);

// Calls the injected library's entry point again.
void inject_again();

// The fake's controls by name; null without a fake. The function types are those of control.h.
void* find_control(const char* name);

}  // namespace fake_target
