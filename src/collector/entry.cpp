// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// The entry point the CUDA driver looks for in the library named by CUDA_INJECTION64_PATH.

#include "collector/entry.hpp"

#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "collector/collector.hpp"
#include "collector/nvtx_recorder.hpp"
#include "collector/options.hpp"
#include "collector/process.hpp"

namespace gpuprof::collector {
namespace {

// Keyed by pid, not a plain once: a child forked before CUDA was initialised has its own turn.
std::mutex mutex;
pid_t collector_pid = 0;
pid_t attached_pid = 0;
Collector* collector = nullptr;

// A thread of the parent may hold the mutex while another forks.
void before_fork() {
  mutex.lock();
  NvtxRecorder::instance().before_fork();
}

void after_fork_in_parent() {
  NvtxRecorder::instance().after_fork();
  mutex.unlock();
}

void after_fork_in_child() {
  // CUPTI's threads do not exist in the child: any call into it would wait for ever.
  NvtxRecorder::instance().abandon();
  if (collector != nullptr) collector->abandon();
  collector = nullptr;
  mutex.unlock();
}

std::unique_ptr<trace::Writer> create_writer(const Options& options) {
  trace::ProcessInfo process = current_process(options.stage == Stage::counters ? "counters" : "timeline");
  process.labels = options.labels;
  auto writer = create_trace(options.trace_directory, process);
  if (writer == nullptr) {
    std::fprintf(stderr, "gpuprof: cannot create a trace in %s: %s; this process is not recorded\n",
                 options.trace_directory.c_str(), std::strerror(errno));
  }
  return writer;
}

Collector* ensure_locked() {
  const pid_t pid = getpid();
  if (collector_pid == pid) return collector;
  collector_pid = pid;
  collector = nullptr;
  const Options options = read_options();
  if (options.trace_directory.empty()) return nullptr;
  auto writer = create_writer(options);
  if (writer == nullptr) return nullptr;
  static const int registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  static_cast<void>(registered);
  // Never destroyed: CUPTI may call back until the process is gone.
  collector = new Collector(options, std::move(writer));
  collector->start();
  return collector;
}

void attach_cuda() {
  const std::lock_guard lock(mutex);
  Collector* const target = ensure_locked();
  if (target == nullptr || attached_pid == getpid()) return;
  attached_pid = getpid();
  target->attach_cuda();
}

}  // namespace

Collector* ensure_collector() {
  const std::lock_guard lock(mutex);
  return ensure_locked();
}

}  // namespace gpuprof::collector

// Returns 1, success, whatever happened: failing to profile must not fail the program.
// NOLINTNEXTLINE(readability-identifier-naming): the driver's name for it
extern "C" __attribute__((visibility("default"))) int InitializeInjection(void) {
  try {
    gpuprof::collector::attach_cuda();
  } catch (...) {
  }
  return 1;
}
