// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Why the collector may not have been loaded by any process of a command.

#include <string>
#include <vector>

#include "gpuprof/report.hpp"

namespace gpuprof::workflow {

// The notice "collector.not_loaded" for a command in which no process loaded the collector: names the cause where it
// can be seen from the program (set-user-id, statically linked, a launcher that drops or leaves the environment), else
// says that CUDA was not initialised.
Notice silence_notice(const std::vector<std::string>& command);

}  // namespace gpuprof::workflow
