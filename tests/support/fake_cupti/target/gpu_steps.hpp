// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Steps that use the GPU.

#include "script.hpp"

namespace fake_target {

// Plays the step. Returns false when it is none of these.
bool play_gpu_step(const Step& step);

// "launched N" and, if any, "graph launches N" on stdout: what the program itself knows it did. Safe before _exit.
void print_totals();

}  // namespace fake_target
