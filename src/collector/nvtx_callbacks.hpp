// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The functions that NVTX calls in place of its own. The only place that knows NVTX's types.

#include <cstdint>

namespace gpuprof::collector {

// Enters them in the tables of one instance of NVTX: there is one in every library that includes its headers. False
// when it has no such tables.
bool install_nvtx_callbacks(const void* (*get_export_table)(std::uint32_t id));

}  // namespace gpuprof::collector
