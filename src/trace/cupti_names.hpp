// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names for CUPTI's numbers in trace records, and what API functions do. The numbers are those of cupti_activity.h; it
// is not included because reading a trace must not need CUDA.

#include <cstdint>
#include <string>
#include <string_view>

namespace gpuprof::trace {

// CUpti_ActivityMemcpyKind: "HtoD", ...; "unknown" for 0 and "kind 42" for numbers without a name.
std::string copy_kind_name(std::uint32_t kind);

// CUpti_ActivityMemoryKind: "pageable", "pinned", ...
std::string memory_kind_name(std::uint32_t kind);

// Does the host wait inside this CUpti_ActivitySynchronizationType? cuStreamWaitEvent only makes a stream wait.
bool host_waits(std::uint32_t synchronization_type);

enum class ApiRole : std::uint8_t {
  other,
  runtime_launch,  // cudaLaunchKernel, cudaGraphLaunch, ...
  driver_launch,   // cuLaunchKernel, cuGraphLaunch, ...
};

// The role of a function, whatever its version and stream suffixes ("_v7000", "_ptsz") are.
ApiRole api_role(std::string_view function);

// "13.0.1" for 130001; the plain number for versions before 13, which CUPTI counts from 1 to 28.
std::string cupti_version_name(std::uint32_t version);

}  // namespace gpuprof::trace
