// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a process of this host still runs.

#include <cstdint>
#include <string>

namespace gpuprof::target {

enum class ProcessState {
  runs,
  gone,     // also a zombie: all it did is done
  unknown,  // /proc does not tell
};

// `start_ticks` is field 22 of /proc/<pid>/stat; with it a later process of the same number is told apart.
ProcessState process_state(std::uint32_t pid, std::uint64_t start_ticks);

// The same from the text of /proc/<pid>/stat.
ProcessState process_state_in(const std::string& stat, std::uint64_t start_ticks);

}  // namespace gpuprof::target
