// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// The entry point the CUDA driver looks for in the library named by CUDA_INJECTION64_PATH.

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "collector/collector.hpp"
#include "collector/options.hpp"
#include "collector/process.hpp"

namespace gpuprof::collector {
namespace {

// Keyed by pid, not a plain once: a child forked before CUDA was initialised has its own turn.
std::atomic<pid_t> initialised_pid{0};
Collector* collector = nullptr;

void after_fork_in_child() {
  // CUPTI's threads do not exist in the child: any call into it would wait for ever.
  if (collector != nullptr) collector->abandon();
  collector = nullptr;
}

void initialise() {
  const pid_t pid = getpid();
  if (initialised_pid.exchange(pid) == pid) return;
  const Options options = read_options();
  if (options.trace_directory.empty()) return;
  auto writer = create_trace(options.trace_directory,
                             current_process(options.stage == Stage::counters ? "counters" : "timeline"));
  if (writer == nullptr) {
    std::fprintf(stderr, "gpuprof: cannot create a trace in %s: %s; this process is not recorded\n",
                 options.trace_directory.c_str(), std::strerror(errno));
    return;
  }
  static const int registered = pthread_atfork(nullptr, nullptr, after_fork_in_child);
  static_cast<void>(registered);
  // Never destroyed: CUPTI may call back until the process is gone.
  collector = new Collector(options, std::move(writer));
  collector->start();
}

}  // namespace
}  // namespace gpuprof::collector

// Returns 1, success, whatever happened: failing to profile must not fail the program.
// NOLINTNEXTLINE(readability-identifier-naming): the driver's name for it
extern "C" __attribute__((visibility("default"))) int InitializeInjection(void) {
  try {
    gpuprof::collector::initialise();
  } catch (...) {
  }
  return 1;
}
