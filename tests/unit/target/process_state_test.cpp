// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "target/process_state.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include "support/catch2_compat.hpp"

using gpuprof::target::process_state;
using gpuprof::target::process_state_in;
using gpuprof::target::ProcessState;

namespace {

// The text of /proc/<pid>/stat with these fields 3, 20 and 22.
std::string stat_of(const std::string& name, const std::string& state, int threads, std::uint64_t started) {
  return "42 (" + name + ") " + state + " 1 42 42 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 " + std::to_string(threads) +
         " 0 " + std::to_string(started) + " 1000 200 18446744073709551615\n";
}

}  // namespace

TEST_CASE("a process is known by its number and its start") {
  CHECK(process_state_in(stat_of("app", "S", 1, 77), 77) == ProcessState::runs);
  CHECK(process_state_in(stat_of("app", "S", 1, 78), 77) == ProcessState::gone);
  CHECK(process_state_in(stat_of("a) S 1 (b", "R", 1, 77), 77) == ProcessState::runs);
}

TEST_CASE("a zombie is gone unless threads of it still run") {
  CHECK(process_state_in(stat_of("app", "Z", 1, 77), 77) == ProcessState::gone);
  CHECK(process_state_in(stat_of("app", "Z", 3, 77), 77) == ProcessState::runs);
  CHECK(process_state_in(stat_of("app", "X", 1, 77), 77) == ProcessState::gone);
}

TEST_CASE("text that is something else says nothing") {
  for (const char* text : {"", "42 app S", "42 (app)", "42 (app) S 1 2 3", "42 (app) S x"}) {
    CHECK(process_state_in(text, 77) == ProcessState::unknown);
  }
}

TEST_CASE("a child before and after its end") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    char byte = 0;
    _exit(read(ends[0], &byte, 1) < 0 ? 1 : 0);
  }
  close(ends[0]);
  std::ifstream file("/proc/" + std::to_string(child) + "/stat");
  const std::string stat{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::uint64_t ticks = 0;
  for (std::size_t field = 2, at = stat.rfind(')'); field < 22 && at != std::string::npos; ++field) {
    at = stat.find(' ', at + 1);
    ticks = std::strtoull(stat.c_str() + at, nullptr, 10);
  }
  const auto pid = static_cast<std::uint32_t>(child);
  CHECK(process_state(pid, ticks) == ProcessState::runs);
  CHECK(process_state(pid, ticks + 1) == ProcessState::gone);
  close(ends[1]);
  siginfo_t info{};
  REQUIRE(waitid(P_PID, pid, &info, WEXITED | WNOWAIT) == 0);
  CHECK(process_state(pid, ticks) == ProcessState::gone);
  waitpid(child, nullptr, 0);
  CHECK(process_state(pid, ticks) == ProcessState::gone);
}
