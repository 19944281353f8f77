// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "telemetry/sampling_process.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "telemetry/sampler.hpp"

namespace gpuprof::telemetry {
namespace {

using Clock = std::chrono::steady_clock;

// Exit statuses of the sampling process.
constexpr int kNotWritten = 3;
constexpr int kFailed = 4;

// A program that ends sooner than NVML is ready (12 ms on an H200 with persistence mode, seconds without) is not kept
// waiting for samples of nothing.
constexpr int kReadyLimitMs = 100;
// Enough for eight GPUs that are asked for their PCIe throughput at this moment (21 ms a value).
constexpr int kEndLimitMs = 500;
constexpr int kKillLimitMs = 300;

// What the terminal sends to the foreground group is meant for the program; the process ends when its parent does.
void ignore_stop_signals() {
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2}) std::signal(signal, SIG_IGN);
}

// The same file under a number that is no standard stream's: where those are closed, a new file gets their numbers, and
// what is written to standard error would arrive in it.
int above_standard_streams(int file) {
  if (file > STDERR_FILENO) return file;
  const int moved = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(file);
  return moved;
}

// Somebody may wait for the end of a pipe that was handed down to us.
void let_go_of_files(int kept) {
  const int null_device = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (null_device >= 0) dup2(null_device, standard);
  }
  std::vector<int> files;
  if (DIR* directory = opendir("/proc/self/fd")) {
    while (const dirent* entry = readdir(directory)) files.push_back(std::atoi(entry->d_name));
    closedir(directory);
  }
  for (const int file : files) {
    if (file > STDERR_FILENO && file != kept) close(file);
  }
}

// True when the other end was closed, false when `until` has come.
bool closed_before(int socket, Clock::time_point until) {
  for (;;) {
    const auto left = std::chrono::nanoseconds(until - Clock::now()).count();
    if (left <= 0) return false;
    const timespec timeout{static_cast<time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
    pollfd end{socket, POLLIN, 0};
    if (ppoll(&end, 1, &timeout, nullptr) > 0) return true;
  }
}

int sample_until_closed(const SamplingOptions& options, int socket) {
  const std::unique_ptr<Sampler> sampler = Sampler::start(options.path, options.library);
  // Never blocks: it is the only byte that is ever sent.
  if (send(socket, "r", 1, MSG_NOSIGNAL) < 0) return 0;
  const auto period = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / options.hz));
  auto next = Clock::now();
  while (sampler->unavailable_reason().empty()) {
    sampler->sample();
    // A sample that took too long is not made up for.
    next = std::max(next + period, Clock::now() + std::chrono::milliseconds(1));
    if (closed_before(socket, next)) break;
  }
  sampler->finish();
  return sampler->writing() ? 0 : kNotWritten;
}

[[noreturn]] void be_sampling_process(const SamplingOptions& options, int socket) {
  prctl(PR_SET_NAME, "gpuprof-nvml");
  ignore_stop_signals();
  let_go_of_files(socket);
  int status = kFailed;
  try {
    status = sample_until_closed(options, socket);
  } catch (...) {
    // Told by the status.
  }
  // Not exit(): nothing of the parent is to be flushed or destroyed here.
  _exit(status);
}

std::string failure_of(int status) {
  if (WIFSIGNALED(status)) {
    return std::string("NVML crashed the process that asks it: ") + strsignal(WTERMSIG(status));
  }
  switch (WEXITSTATUS(status)) {
    case 0:
      return {};
    case kNotWritten:
      return "the samples could not be written to the session directory";
    case kFailed:
      return "the process that asks NVML ran out of memory";
    default:
      return "NVML ended the process that asks it, with status " + std::to_string(WEXITSTATUS(status));
  }
}

}  // namespace

SamplingProcess::SamplingProcess(const SamplingOptions& options) {
  if (options.hz <= 0) return;
  int ends[2];
  bool opened = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
  if (opened) {
    for (int& end : ends) end = above_standard_streams(end);
    opened = ends[0] >= 0 && ends[1] >= 0;
  }
  if (!opened) {
    failure_ = std::string("the process that asks NVML could not be started: ") + std::strerror(errno);
    return;
  }
  pid_ = fork();
  if (pid_ == 0) {
    close(ends[0]);
    be_sampling_process(options, ends[1]);
  }
  if (pid_ < 0) {
    failure_ = std::string("the process that asks NVML could not be started: ") + std::strerror(errno);
    close(ends[0]);
  } else {
    socket_ = ends[0];
  }
  close(ends[1]);
}

SamplingProcess::~SamplingProcess() {
  stop();
}

const std::string& SamplingProcess::stop() {
  if (pid_ < 0) return failure_;
  const bool ready = is_ready(kReadyLimitMs);
  close(socket_);
  int status = 0;
  bool ended = wait_for_end(ready ? kEndLimitMs : 0, status);
  if (!ended) {
    failure_ =
        ready ? "NVML did not answer any more when the program ended" : "the program ended before NVML was initialised";
    kill(pid_, SIGKILL);
    // A process that hangs inside the driver cannot even be killed; it is left to itself.
    wait_for_end(kKillLimitMs, status);
  } else {
    failure_ = failure_of(status);
  }
  pid_ = -1;
  socket_ = -1;
  return failure_;
}

// Also true when the process has ended: there is nothing to wait for.
bool SamplingProcess::is_ready(int timeout_ms) const {
  pollfd answer{socket_, POLLIN, 0};
  int result;
  do {
    result = poll(&answer, 1, timeout_ms);
  } while (result < 0 && errno == EINTR);
  return result > 0;
}

bool SamplingProcess::wait_for_end(int timeout_ms, int& status) {
  const auto deadline = Clock::now() + std::chrono::milliseconds(timeout_ms);
  for (;;) {
    const pid_t ended = waitpid(pid_, &status, WNOHANG);
    if (ended == pid_) return true;
    // Where SIGCHLD is ignored the status is gone with the process.
    if (ended < 0 && errno != EINTR) {
      status = 0;
      return true;
    }
    if (Clock::now() >= deadline) return false;
    poll(nullptr, 0, 2);
  }
}

}  // namespace gpuprof::telemetry
