// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "target/launch.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

#include "support/catch2_compat.hpp"
#include "target/signals.hpp"

using namespace gpuprof;
using target::LaunchOptions;
using target::LaunchResult;

namespace {

// Runs the program with its standard output collected.
std::string output_of(LaunchOptions options, LaunchResult* result = nullptr) {
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  options.stdout_fd = ends[1];
  const LaunchResult launched = target::launch(options);
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  if (result != nullptr) *result = launched;
  return text;
}

LaunchOptions shell(const std::string& script) {
  LaunchOptions options;
  options.command = {"sh", "-c", script};
  return options;
}

}  // namespace

TEST_CASE("the program's exit status is reported") {
  for (int status : {0, 1, 7, 255}) {
    const LaunchResult result = target::launch(shell("exit " + std::to_string(status)));
    CHECK(result.end.kind == EndKind::exited);
    CHECK(target::shell_status(result.end) == status);
    CHECK(result.wall_time_ns > 0);
    CHECK(result.stop_signal == 0);
  }
}

TEST_CASE("death by a signal is told apart from an exit") {
  const LaunchResult result = target::launch(shell("kill -KILL $$"));
  CHECK(result.end.kind == EndKind::signalled);
  CHECK(result.end.code == SIGKILL);
  CHECK(target::shell_status(result.end) == 137);
  CHECK(target::describe_end(result.end) == "was killed by SIGKILL");
}

TEST_CASE("a program that cannot be executed says why") {
  LaunchOptions options;
  options.command = {"/no/such/program"};
  const LaunchResult missing = target::launch(options);
  CHECK(missing.end.kind == EndKind::not_started);
  CHECK(missing.end.code == ENOENT);
  CHECK(target::shell_status(missing.end) == 127);

  options.command = {"/"};
  const LaunchResult directory = target::launch(options);
  CHECK(directory.end.kind == EndKind::not_started);
  CHECK(target::shell_status(directory.end) == 126);
  CHECK_THAT(target::describe_end(directory.end), ContainsSubstring("could not be executed: "));
}

TEST_CASE("an unknown end is our failure, not a status of the program") {
  CHECK(target::shell_status({EndKind::running, 0}) == 125);
}

TEST_CASE("arguments arrive byte for byte") {
  LaunchOptions options;
  options.command = {"printf", "<%s>", "[a,b]", "", "--help", "--", "a b", "%%", "\xff", "'\"$x"};
  CHECK(output_of(options) == "<[a,b]><><--help><--><a b><%%><\xff><'\"$x>");
}

TEST_CASE("the environment is ours with the changes on top") {
  REQUIRE(setenv("GPUPROF_TEST_KEPT", "kept", 1) == 0);
  REQUIRE(setenv("GPUPROF_TEST_CHANGED", "old", 1) == 0);
  LaunchOptions options = shell("echo \"$GPUPROF_TEST_KEPT $GPUPROF_TEST_CHANGED $GPUPROF_TEST_NEW\"");
  options.environment = {{"GPUPROF_TEST_CHANGED", "new=1"}, {"GPUPROF_TEST_NEW", "2"}};
  CHECK(output_of(options) == "kept new=1 2\n");
  CHECK(std::string(getenv("GPUPROF_TEST_CHANGED")) == "old");
}

TEST_CASE("SIGTERM to us reaches the program, and is remembered") {
  LaunchOptions options = shell("trap 'echo got TERM; exit 3' TERM; kill -TERM $PPID; while :; do sleep 0.02; done");
  LaunchResult result;
  CHECK(output_of(options, &result) == "got TERM\n");
  CHECK(target::shell_status(result.end) == 3);
  CHECK(result.stop_signal == SIGTERM);
}

TEST_CASE("SIGUSR1 is forwarded without counting as a request to stop") {
  LaunchOptions options = shell("trap 'exit 4' USR1; kill -USR1 $PPID; while :; do sleep 0.02; done");
  const LaunchResult result = target::launch(options);
  CHECK(target::shell_status(result.end) == 4);
  CHECK(result.stop_signal == 0);
}

TEST_CASE("SIGINT to us is survived and left to the terminal") {
  const LaunchResult result = target::launch(shell("kill -INT $PPID; sleep 0.3; exit 5"));
  CHECK(target::shell_status(result.end) == 5);
  CHECK(result.stop_signal == SIGINT);
}

TEST_CASE("the program gets the signal mask and the SIGCHLD disposition we were started with") {
  struct sigaction ignore {};
  struct sigaction previous {};
  ignore.sa_handler = SIG_IGN;
  REQUIRE(sigaction(SIGCHLD, &ignore, &previous) == 0);
  const target::BlockedSignals blocked{SIGPIPE};
  LaunchOptions options;
  options.command = {"grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"};
  options.signal_mask = blocked.previous_mask();
  LaunchResult result;
  const std::string status = output_of(options, &result);
  REQUIRE(sigaction(SIGCHLD, &previous, nullptr) == 0);
  CHECK(target::shell_status(result.end) == 0);
  CHECK_THAT(status, ContainsSubstring("SigBlk:\t0000000000000000"));
  const unsigned long long ignored = std::stoull(status.substr(status.find("SigIgn:\t") + 8, 16), nullptr, 16);
  CHECK((ignored >> (SIGCHLD - 1) & 1) == 1);
}

TEST_CASE("ticks arrive while the program runs") {
  int ticks = 0;
  LaunchOptions options = shell("sleep 0.9");
  options.on_tick = [&] { ++ticks; };
  target::launch(options);
  CHECK(ticks >= 2);
  CHECK(ticks <= 5);
}

TEST_CASE("no descriptor of ours leaks into the program") {
  // Whoever started the tests may have left descriptors open; they go on to the program like without us.
  std::string inherited;
  for (int fd = 3; fd < 64; ++fd) {
    const int flags = fcntl(fd, F_GETFD);
    if (flags >= 0 && (flags & FD_CLOEXEC) == 0) inherited += std::to_string(fd) + "\n";
  }
  LaunchOptions options = shell("for fd in $(seq 3 63); do [ -e /proc/self/fd/$fd ] && echo $fd; done; true");
  CHECK(output_of(options) == inherited);
}

TEST_CASE("names of signals") {
  CHECK(target::signal_name(SIGSEGV) == "SIGSEGV");
  CHECK(target::signal_name(77) == "signal 77");
}
