// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "target/launch.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/error.hpp"
#include "target/environment.hpp"
#include "target/signals.hpp"

namespace gpuprof::target {
namespace {

constexpr std::chrono::milliseconds kTick{200};

// The parent has to collect its child, so SIGCHLD must not be ignored while the child lives; the program itself gets
// back whatever we were started with.
class DefaultChildSignal {
 public:
  DefaultChildSignal() {
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &action, &previous_);
  }
  ~DefaultChildSignal() { restore(); }
  DefaultChildSignal(const DefaultChildSignal&) = delete;
  DefaultChildSignal& operator=(const DefaultChildSignal&) = delete;

  void restore() const { sigaction(SIGCHLD, &previous_, nullptr); }

 private:
  struct sigaction previous_ {};
};

// Tells the parent the errno of a failed exec: closed without a word by a successful one.
struct ErrorPipe {
  int read_end = -1;
  int write_end = -1;

  ErrorPipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
      throw Error(std::string("cannot create a pipe: ") + std::strerror(errno),
                  "Raise the limit of open files (ulimit -n).");
    }
    read_end = ends[0];
    write_end = ends[1];
  }
  ~ErrorPipe() {
    close(read_end);
    close_write_end();
  }
  ErrorPipe(const ErrorPipe&) = delete;
  ErrorPipe& operator=(const ErrorPipe&) = delete;

  void close_write_end() {
    if (write_end >= 0) close(write_end);
    write_end = -1;
  }

  // 0 when the program was started.
  int receive() const {
    int error = 0;
    ssize_t got;
    do {
      got = read(read_end, &error, sizeof error);
    } while (got < 0 && errno == EINTR);
    return got == static_cast<ssize_t>(sizeof error) ? error : 0;
  }
};

bool redirect(int fd, int standard_fd) {
  return fd < 0 || dup2(fd, standard_fd) == standard_fd;
}

// Runs in the child, between fork and exec: no allocation, only what is safe there.
[[noreturn]] void become_program(const LaunchOptions& options, const std::vector<char*>& argv,
                                 const std::vector<char*>& envp, const sigset_t& mask, const DefaultChildSignal& chld,
                                 int error_fd) {
  const bool redirected = redirect(options.stdin_fd, STDIN_FILENO) && redirect(options.stdout_fd, STDOUT_FILENO) &&
                          redirect(options.stderr_fd, STDERR_FILENO);
  if (redirected) {
    chld.restore();
    sigprocmask(SIG_SETMASK, &mask, nullptr);
    execvpe(argv[0], argv.data(), envp.data());
  }
  const int error = errno;
  if (write(error_fd, &error, sizeof error) < 0) _exit(125);
  _exit(127);
}

ProcessEnd end_from_status(int status) {
  if (WIFSIGNALED(status)) return {EndKind::signalled, WTERMSIG(status)};
  return {EndKind::exited, WEXITSTATUS(status)};
}

bool is_stop_signal(int signal) {
  return signal == SIGINT || signal == SIGQUIT || signal == SIGTERM || signal == SIGHUP;
}

// Waits for the program, passing signals on. Signals go by kill(): the pid cannot be reused before waitpid succeeds.
void wait_for(pid_t pid, BlockedSignals& signals, const LaunchOptions& options, LaunchResult& result) {
  auto next_tick = std::chrono::steady_clock::now() + kTick;
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid) {
      result.end = end_from_status(status);
      return;
    }
    if (ended < 0 && errno != EINTR) {
      result.end = {EndKind::running, 0};
      return;
    }
    const auto now = std::chrono::steady_clock::now();
    if (now >= next_tick) {
      if (options.on_tick) options.on_tick();
      next_tick = now + kTick;
    }
    const int signal = signals.take(kTick);
    if (signal == 0 || signal == SIGCHLD) continue;
    if (result.stop_signal == 0 && is_stop_signal(signal)) result.stop_signal = signal;
    if (signal != SIGINT && signal != SIGQUIT) kill(pid, signal);
  }
}

}  // namespace

LaunchResult launch(const LaunchOptions& options) {
  std::vector<std::string> command = options.command;
  std::vector<std::string> environment = merged_environment(options.environment);
  const std::vector<char*> argv = pointers(command);
  const std::vector<char*> envp = pointers(environment);

  LaunchResult result;
  ErrorPipe errors;
  const DefaultChildSignal child_signal;
  BlockedSignals signals{SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCONT};
  const sigset_t mask = options.signal_mask.value_or(signals.previous_mask());
  const auto started = std::chrono::steady_clock::now();
  const pid_t pid = fork();
  if (pid < 0) {
    throw Error(std::string("cannot start a process: ") + std::strerror(errno),
                "Raise the limit of processes (ulimit -u) or free memory.");
  }
  if (pid == 0) become_program(options, argv, envp, mask, child_signal, errors.write_end);
  result.pid = static_cast<std::uint32_t>(pid);
  errors.close_write_end();
  const int exec_error = errors.receive();
  wait_for(pid, signals, options, result);
  if (exec_error != 0) result.end = {EndKind::not_started, exec_error};
  const auto wall = std::chrono::steady_clock::now() - started;
  result.wall_time_ns = static_cast<std::uint64_t>(std::chrono::nanoseconds(wall).count());
  // A Ctrl-C that ended the program may still be waiting for us.
  while (const int signal = signals.take(std::chrono::milliseconds(0))) {
    if (result.stop_signal == 0 && is_stop_signal(signal)) result.stop_signal = signal;
  }
  return result;
}

ProcessEnd become(const std::vector<std::string>& command) {
  std::vector<std::string> arguments = command;
  const std::vector<char*> argv = pointers(arguments);
  execvp(argv[0], argv.data());
  return {EndKind::not_started, errno};
}

int shell_status(const ProcessEnd& end) {
  switch (end.kind) {
    case EndKind::exited:
      return end.code;
    case EndKind::signalled:
      return 128 + end.code;
    case EndKind::not_started:
      return end.code == ENOENT ? 127 : 126;
    case EndKind::running:
    case EndKind::vanished:
    case EndKind::replaced:
      break;
  }
  return 125;
}

std::string describe_end(const ProcessEnd& end) {
  switch (end.kind) {
    case EndKind::exited:
      return "exited with status " + std::to_string(end.code);
    case EndKind::signalled:
      return "was killed by " + signal_name(end.code);
    case EndKind::not_started:
      return std::string("could not be executed: ") + std::strerror(end.code);
    case EndKind::vanished:
      return "ended without its exit handlers (_exit or a deadly signal)";
    case EndKind::replaced:
      return "went on as another program";
    case EndKind::running:
      break;
  }
  return "ended in an unknown way";
}

}  // namespace gpuprof::target
