// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs a Sampler in a process of its own beside the program. NVML may take seconds to initialise, 20 ms for a single
// value, for ever when a GPU has fallen off the bus, and it may crash: the launcher, which has to pass signals on and
// to notice the program's end at once, waits for none of that.

#include <sys/types.h>

#include <string>

namespace gpuprof::telemetry {

struct SamplingOptions {
  std::string path;     // of the trace file to create
  std::string library;  // NVML; empty: libnvidia-ml.so.1
  double hz = 0;        // samples per second; 0: no process is started
};

class SamplingProcess {
 public:
  // Forks; to be called from a single-threaded process. Never fails: stop() tells. The process samples until stop() is
  // called or the calling process has ended, however it did. It takes no part in the terminal's signals, and holds none
  // of the caller's open files.
  explicit SamplingProcess(const SamplingOptions& options);
  ~SamplingProcess();
  SamplingProcess(const SamplingProcess&) = delete;
  SamplingProcess& operator=(const SamplingProcess&) = delete;

  // Ends the sampling, within a tenth of a second while NVML is still being initialised and within one second
  // otherwise. Returns why samples may be missing: the process could not be started, crashed, or did not answer and was
  // killed. Empty when it ended in order. A second call does nothing and returns the same.
  const std::string& stop();

 private:
  bool is_ready(int timeout_ms) const;
  bool wait_for_end(int timeout_ms, int& status);

  pid_t pid_ = -1;
  int socket_ = -1;
  std::string failure_;
};

}  // namespace gpuprof::telemetry
