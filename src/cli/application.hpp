// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The command line as a whole: chooses the command, parses its options, runs it.

#include <string>
#include <vector>

namespace gpuprof::cli {

inline constexpr int kUsageStatus = 2;

// Runs the command named by the arguments (without the program's own name) and returns the exit status. Throws
// UsageError for a wrong command line, Error when the command fails.
int run_application(const std::vector<std::string>& arguments);

// The exit status when the command has failed with an exception: 125 for `run`, whose lower statuses belong to the
// program, else 1.
int failure_status(const std::vector<std::string>& arguments);

}  // namespace gpuprof::cli
