// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is known about this machine without touching the GPU.

#include <string>

#include "gpuprof/report.hpp"

namespace gpuprof::workflow {

// Hostname, operating system and kernel driver version; the rest of the structure stays empty.
Environment read_environment();

// The driver version in the text of /proc/driver/nvidia/version; empty when there is none in it.
std::string driver_version_in(const std::string& text);

// The pipe directory of the Multi-Process Service that CUDA programs started here would use; empty when none runs.
std::string active_mps();

}  // namespace gpuprof::workflow
