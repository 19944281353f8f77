// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which activity kinds and API functions are recorded, and switching them.

#include <vector>

#include "cupti/activity.hpp"
#include "cupti/library.hpp"

namespace gpuprof::cupti {

class ActivityKinds {
 public:
  ActivityKinds(const Api& api, const ActivityOptions& options);

  // What is recorded from the first to the last moment: devices, contexts, streams, overheads, compilation, memory.
  void enable_permanent() const;

  // Device work and API calls. To be called in turns: disabling a driver function that is not enabled disables the
  // callbacks of that function as well (measured with CUDA 13.0). Returns false and fills `failure` when CUPTI refuses
  // what there is no timeline without.
  bool enable(Failure& failure) const;
  void disable() const;

 private:
  const Api& api_;
  ActivityOptions options_;
  std::vector<CUpti_ActivityKind> kinds_;  // device work and API calls
  std::vector<CUpti_CallbackId> runtime_functions_;
  std::vector<CUpti_CallbackId> driver_functions_;
};

}  // namespace gpuprof::cupti
