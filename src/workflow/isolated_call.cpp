// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/isolated_call.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.hpp"
#include "target/launch.hpp"

namespace gpuprof::workflow {
namespace {

[[noreturn]] void answer(const std::function<std::string()>& question, int fd) {
  const int null_device = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null_device, STDOUT_FILENO);
  dup2(null_device, STDERR_FILENO);
  std::string text;
  try {
    text = question();
  } catch (...) {
    _exit(1);
  }
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t written = write(fd, text.data() + sent, text.size() - sent);
    if (written <= 0) _exit(1);
    sent += static_cast<std::size_t>(written);
  }
  // Not exit(): the libraries' handlers are what may hang.
  _exit(0);
}

// Reads until the child closes its end; false when it does not do so in time.
bool receive(int fd, std::chrono::seconds limit, std::string& text) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  char buffer[4096];
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd readable{fd, POLLIN, 0};
    if (poll(&readable, 1, static_cast<int>(left.count())) <= 0) continue;
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got == 0) return true;
    if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace

IsolatedAnswer ask_in_child(const std::function<std::string()>& question, std::chrono::seconds limit) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error(std::string("cannot create a pipe: ") + std::strerror(errno));
  const pid_t pid = fork();
  if (pid < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    throw Error(std::string("cannot start a process: ") + std::strerror(error));
  }
  if (pid == 0) answer(question, ends[1]);
  close(ends[1]);
  IsolatedAnswer result;
  const bool in_time = receive(ends[0], limit, result.text);
  close(ends[0]);
  if (!in_time) kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time) {
    result.failure = "no answer within " + std::to_string(limit.count()) + " s";
  } else if (WIFSIGNALED(status)) {
    result.failure = "the asking process " + target::describe_end({EndKind::signalled, WTERMSIG(status)});
  } else if (WEXITSTATUS(status) != 0) {
    result.failure = "failed without a message";
  }
  result.answered = result.failure.empty();
  return result;
}

}  // namespace gpuprof::workflow
