// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Samples the state of all GPUs through NVML while a program runs, into a trace file.

#include <cstdint>
#include <memory>
#include <string>

namespace gpuprof::telemetry {

class Sampler {
 public:
  // Loads libnvidia-ml (GPUPROF_NVML_LIB names another file) and creates `path`. Never fails: without NVML the sampler
  // does nothing and unavailable_reason() says why.
  static std::unique_ptr<Sampler> start(const std::string& path);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  // Takes one sample of every GPU. Called by the launcher, about `samples per second` times a second, from one thread.
  void sample();

  // Empty while NVML works.
  const std::string& unavailable_reason() const;

 private:
  struct State;
  explicit Sampler(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace gpuprof::telemetry
