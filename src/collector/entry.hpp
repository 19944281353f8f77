// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The collector of this process, whoever needs it first: the CUDA driver or NVTX.

#include "collector/collector.hpp"

namespace gpuprof::collector {

// Creates and starts the collector on the first call in this process. Null when nobody asked for a profile or no trace
// can be created; a message has then been printed. A child forked from a process with a collector gets its own.
Collector* ensure_collector();

}  // namespace gpuprof::collector
