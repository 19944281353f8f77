// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs the program to be profiled: environment, fork and exec, signal forwarding, exit status.

#include <csignal>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpuprof/report.hpp"

namespace gpuprof::target {

struct LaunchOptions {
  std::vector<std::string> command;                              // argv; command[0] is looked up in PATH
  std::vector<std::pair<std::string, std::string>> environment;  // set in the program, on top of our own environment
  std::function<void()> on_tick;                                 // called about five times a second while it runs
  int stdin_fd = -1;                                             // the program's standard streams; -1: ours
  int stdout_fd = -1;
  int stderr_fd = -1;
  std::optional<sigset_t> signal_mask;  // the program's; empty: the one we have when launch() is called
};

struct LaunchResult {
  ProcessEnd end;  // not_started: code is the errno of exec
  std::uint32_t pid = 0;
  std::uint64_t wall_time_ns = 0;
  int stop_signal = 0;  // the first SIGINT, SIGQUIT, SIGTERM or SIGHUP that reached us meanwhile; 0: none
};

// Runs the program with our stdin, stdout and stderr unless told otherwise, forwards SIGTERM, SIGHUP, SIGUSR1, SIGUSR2
// and SIGCONT, leaves SIGINT and SIGQUIT to the terminal (which sends them to the whole foreground group) but survives
// them, and waits. Throws Error only when fork or pipe fail. To be called from a single-threaded process.
LaunchResult launch(const LaunchOptions& options);

// Turns this process into the program, with our environment, streams and signal mask. Returns only on failure: how the
// program could not be started.
ProcessEnd become(const std::vector<std::string>& command);

// The status a shell would report for `end`: the code, 128 + signal, 127 (not found) or 126 (not executable). 125 when
// the end is not known.
int shell_status(const ProcessEnd& end);

// What the program did, to follow its name: "exited with status 7", "was killed by SIGKILL", "could not be executed: No
// such file or directory".
std::string describe_end(const ProcessEnd& end);

}  // namespace gpuprof::target
