// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The single checks of gpuprof doctor. Each fills in everything but the texts of what came before it.

#include <cstdint>
#include <string>

#include "workflow/cuda_probe.hpp"
#include "workflow/doctor.hpp"

namespace gpuprof::workflow {

Check check_driver(const CudaProbe& cuda);
Check check_gpus(const CudaProbe& cuda);
Check check_libcupti(const CudaProbe& cuda);
Check check_collector();
Check check_counter_permission(const CudaProbe& cuda);
Check check_nvml(const CudaProbe& cuda);
Check check_injection();
Check check_library_path();
Check check_mps();
Check check_session_directory();

// The parts that can be told from text alone.
// The value of RmProfilingAdminOnly in /proc/driver/nvidia/params: 0, 1, or -1 when it is not there.
int profiling_admin_only(const std::string& params);
// True when CapEff in the text of /proc/self/status holds CAP_SYS_ADMIN.
bool has_sys_admin(const std::string& status);
// The first directory of a colon-separated list whose path ends in "stubs"; empty when there is none.
std::string stubs_directory(const std::string& library_path);
// The CUDA major version a libcupti belongs to; 0 when its number does not tell.
int cuda_major_of_cupti(std::uint32_t version);

}  // namespace gpuprof::workflow
