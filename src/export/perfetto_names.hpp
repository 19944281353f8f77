// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What slices and tracks are called. The numbers are CUPTI's (cupti_activity.h).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gpuprof/trace.hpp"

namespace gpuprof::perfetto {

std::string copy_name(std::uint32_t kind);        // "Copy HtoD"
std::string wait_name(std::uint32_t type);        // "Wait for stream"
std::string overhead_name(std::uint32_t kind);    // "Activity buffer flush"
std::string jit_name(const trace::Jit& record);   // "Compile PTX"
std::string api_name(std::string_view function);  // without the version of the runtime's table ("_v7000")
std::string dimensions(const Dim3& size);         // "132 x 1 x 1"

// Does this function put work on a device?
bool starts_work(std::string_view function);

// "python (pid 123, rank 0)", with the host where several took part.
std::string process_name(const trace::ProcessInfo& process, bool with_host);

}  // namespace gpuprof::perfetto
