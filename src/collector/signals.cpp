// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/signals.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace gpuprof::collector {
namespace {

constexpr int kSignals[] = {SIGTERM, SIGINT, SIGHUP};

// Lock-free, so it may be written in a handler.
std::atomic<int> arrived{0};
static_assert(std::atomic<int>::is_always_lock_free);

void note(int signal) {
  arrived.store(signal);
}

void set_default(int signal) {
  struct sigaction fall_back {};
  fall_back.sa_handler = SIG_DFL;
  sigemptyset(&fall_back.sa_mask);
  sigaction(signal, &fall_back, nullptr);
}

}  // namespace

void SignalWatch::install() {
  for (int signal : kSignals) {
    struct sigaction current {};
    if (sigaction(signal, nullptr, &current) != 0) continue;
    const bool is_default = (current.sa_flags & SA_SIGINFO) == 0 && current.sa_handler == SIG_DFL;
    if (!is_default) continue;
    struct sigaction ours {};
    ours.sa_handler = note;
    sigemptyset(&ours.sa_mask);
    // A second signal is not held up: should the trace not get finished, the program can still be ended.
    ours.sa_flags = SA_RESTART | SA_RESETHAND;
    sigaction(signal, &ours, nullptr);
  }
}

void SignalWatch::uninstall() {
  for (int signal : kSignals) {
    struct sigaction current {};
    if (sigaction(signal, nullptr, &current) != 0) continue;
    if ((current.sa_flags & SA_SIGINFO) == 0 && current.sa_handler == note) set_default(signal);
  }
}

int SignalWatch::pending() const {
  return arrived.load();
}

void SignalWatch::die_of(int signal) {
  set_default(signal);
  sigset_t only{};
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  kill(getpid(), signal);
  for (;;) pause();
}

}  // namespace gpuprof::collector
