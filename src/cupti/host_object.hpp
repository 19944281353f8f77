// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One profiler host object of CUPTI, owned. Internal to src/cupti.

#include <cstddef>
#include <string>
#include <vector>

#include "cupti/library.hpp"

namespace gpuprof::cupti {

// A host object for range profiling on one chip.
//
// A refused add_metrics() makes CUPTI refuse every later one on the same object, so an object is used for one
// configuration and then dropped. Look-ups do not have this effect.
class HostObject {
 public:
  // Plans for a chip that need not be there. Check result() before use.
  HostObject(const Api& api, const std::string& chip);
  ~HostObject();
  HostObject(const HostObject&) = delete;
  HostObject& operator=(const HostObject&) = delete;

  CUptiResult result() const { return result_; }
  CUpti_Profiler_Host_Object* get() const { return object_; }

  // Schedules a group of metrics, roll-ups included, in passes of its own.
  CUptiResult add_metrics(const std::vector<std::string>& metrics);

  // Builds the configuration image of everything added.
  CUptiResult config_image(std::vector<std::uint8_t>& image) const;

  // Passes that a configuration image takes. `image` must come from config_image(): a damaged one crashes CUPTI.
  CUptiResult passes(std::vector<std::uint8_t>& image, std::size_t& count) const;

  // The metrics of one type, without roll-ups.
  CUptiResult base_metrics(CUpti_MetricType type, std::vector<std::string>& names) const;

  // Looks a metric up, with or without roll-up.
  CUptiResult properties(const std::string& metric, CUpti_Profiler_Host_GetMetricProperties_Params& properties) const;

 private:
  const Api& api_;
  CUpti_Profiler_Host_Object* object_ = nullptr;
  CUptiResult result_ = CUPTI_SUCCESS;
};

}  // namespace gpuprof::cupti
