// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "target/signals.hpp"

#include <ctime>

namespace gpuprof::target {

BlockedSignals::BlockedSignals(std::initializer_list<int> signals) {
  sigemptyset(&blocked_);
  for (int signal : signals) sigaddset(&blocked_, signal);
  sigprocmask(SIG_BLOCK, &blocked_, &previous_);
}

BlockedSignals::~BlockedSignals() {
  while (take(std::chrono::milliseconds(0)) != 0) {
  }
  sigprocmask(SIG_SETMASK, &previous_, nullptr);
}

int BlockedSignals::take(std::chrono::milliseconds timeout) {
  timespec wait{};
  wait.tv_sec = timeout.count() / 1000;
  wait.tv_nsec = (timeout.count() % 1000) * 1'000'000;
  const int signal = sigtimedwait(&blocked_, nullptr, &wait);
  return signal > 0 ? signal : 0;
}

std::string signal_name(int signal) {
  // sigabbrev_np needs glibc 2.32, and musl has none.
  struct Name {
    int number;
    const char* text;
  };
  static constexpr Name kNames[] = {
      {SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},      {SIGTRAP, "SIGTRAP"},
      {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},   {SIGKILL, "SIGKILL"},    {SIGUSR1, "SIGUSR1"},
      {SIGSEGV, "SIGSEGV"}, {SIGUSR2, "SIGUSR2"}, {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"},    {SIGTERM, "SIGTERM"},
      {SIGXCPU, "SIGXCPU"}, {SIGSYS, "SIGSYS"},   {SIGXFSZ, "SIGXFSZ"}, {SIGVTALRM, "SIGVTALRM"}};
  for (const Name& name : kNames) {
    if (name.number == signal) return name.text;
  }
  return "signal " + std::to_string(signal);
}

}  // namespace gpuprof::target
