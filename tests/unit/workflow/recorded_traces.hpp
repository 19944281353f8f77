// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Traces as a program with two kernels would leave them, one of each stage.

#include <string>

namespace gpuprof::testing {

inline constexpr const char* kHotKernel = "_Z3hotPf";
inline constexpr const char* kColdKernel = "_Z4coldPf";

// 20 launches of the hot kernel (1 ms each) and 5 of the cold one (1 us each), on a GH100.
void write_timeline_trace(const std::string& path);

// One window of 12 launches of the hot kernel, measured with the first group of the quick tier.
void write_counter_trace(const std::string& path);

}  // namespace gpuprof::testing
