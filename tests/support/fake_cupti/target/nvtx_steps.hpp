// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Steps that call NVTX, as a program does that includes its headers. They print what NVTX returns: "push 0".
//
//   nvtx-push=NAME  nvtx-pop  nvtx-start=NAME,as=KEY  nvtx-end=KEY  nvtx-mark=NAME
//   nvtx-category=NAME,id=N  nvtx-thread=NAME[,id=N]  nvtx-init  nvtx-mark-at-thread-exit=NAME
//   nvtx-inject=SYMBOL: loads the collector (CUDA_INJECTION64_PATH) and calls this entry point of it
//   nvtx-wrong-handles: passes handles that nobody gave out
//
// Options of all: form=plain|ex|registered, domain=NAME, wide=1 (wide characters), hex=BYTES (the name in hexadecimal;
// with wide=1 its 32-bit characters, big-endian), times=N (the name N times over), null=1 (no name at all), quiet=1.
// Of ranges and marks in the forms ex and registered: category=N, color=N, payload=TYPE:VALUE with TYPE one of u64,
// i64, f64, u32, i32, f32; size=N (of the attributes, as the program claims it).

#include "script.hpp"

namespace fake_target {

// Plays the step. Returns false when it is none of these.
bool play_nvtx_step(const Step& step);

}  // namespace fake_target
