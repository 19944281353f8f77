// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Samples the state of all GPUs through NVML while a program runs, into a trace file.

#include <memory>
#include <string>

namespace gpuprof::telemetry {

class Sampler {
 public:
  // Creates `path` and loads NVML: `library`, or libnvidia-ml.so.1 when empty. Never fails: without NVML the sampler
  // does nothing, unavailable_reason() says why, and so does the file.
  static std::unique_ptr<Sampler> start(const std::string& path, const std::string& library);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  // Takes one sample of every GPU, collects XID errors, and writes both to the file. To be called from one thread.
  // Values that are slow to get are taken less often than that: see values.hpp.
  void sample();

  // The program has ended: marks that in the file, then collects what came in since the last sample. Leaves out values
  // that are slow to get.
  void finish();

  // Empty while NVML works.
  const std::string& unavailable_reason() const;

  // False when the file cannot be written.
  bool writing() const;

 private:
  struct State;
  explicit Sampler(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace gpuprof::telemetry
