// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Causes of idle time in words.

#include <string>

#include "gpuprof/timeline.hpp"

namespace gpuprof::render {

// "waiting in cudaStreamSynchronize": safe for a terminal, a detail from the program cut to fit `width` columns.
std::string idle_phrase(const IdleTime& idle, std::size_t width);

}  // namespace gpuprof::render
