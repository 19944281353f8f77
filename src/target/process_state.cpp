// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "target/process_state.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace gpuprof::target {

ProcessState process_state_in(const std::string& stat, std::uint64_t start_ticks) {
  // The command in field 2 may hold blanks and parentheses; field 3 follows its last ')'.
  const std::size_t close = stat.rfind(')');
  if (close == std::string::npos) return ProcessState::unknown;
  std::istringstream rest(stat.substr(close + 1));
  std::string state;
  std::string skipped;
  std::uint64_t threads = 0;
  std::uint64_t started = 0;
  rest >> state;
  for (int field = 4; field < 20; ++field) rest >> skipped;
  rest >> threads >> skipped >> started;
  if (!rest) return ProcessState::unknown;
  if (started != start_ticks) return ProcessState::gone;
  // A main thread that has ended before the others looks like a zombie.
  if (state == "X" || (state == "Z" && threads <= 1)) return ProcessState::gone;
  return ProcessState::runs;
}

ProcessState process_state(std::uint32_t pid, std::uint64_t start_ticks) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat", std::ios::binary);
  const std::string stat{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!stat.empty()) return process_state_in(stat, start_ticks);
  std::error_code ignored;
  return std::filesystem::exists("/proc/self/stat", ignored) ? ProcessState::gone : ProcessState::unknown;
}

}  // namespace gpuprof::target
