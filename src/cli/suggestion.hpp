// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// "Did you mean" for mistyped commands and options.

#include <string>
#include <vector>

namespace gpuprof::cli {

// "Did you mean kernels? " for the candidate nearest to `typed`, or an empty text when none is near.
std::string did_you_mean(const std::string& typed, const std::vector<std::string>& candidates);

}  // namespace gpuprof::cli
