// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Signals taken synchronously: blocked while an object lives, so that they end neither a wait nor a write.

#include <chrono>
#include <csignal>
#include <initializer_list>
#include <string>

namespace gpuprof::target {

class BlockedSignals {
 public:
  // Blocks `signals` in the calling thread.
  explicit BlockedSignals(std::initializer_list<int> signals);
  // Throws away what is still pending and restores the mask that the constructor found.
  ~BlockedSignals();
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

  const sigset_t& previous_mask() const { return previous_; }

  // The next pending one of the signals, or 0 when none arrives within `timeout`.
  int take(std::chrono::milliseconds timeout);

 private:
  sigset_t blocked_;
  sigset_t previous_;
};

// "SIGKILL"; "signal 77" for numbers without a name.
std::string signal_name(int signal);

}  // namespace gpuprof::target
