// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// The host side: which metrics exist, how they pack into passes, and what a range's values are.

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "counter_image.hpp"
#include "settings.hpp"
#include "state.hpp"

using namespace fake_cupti;

namespace {

constexpr const char* kChips[] = {"AD102", "GA100", "GB100", "GH100"};
constexpr const char* kCounters[] = {"dram__bytes_read",       "dram__bytes_write", "gpu__time_duration",
                                     "lts__t_sectors_op_read", "sm__inst_executed", "sm__warps_active"};
constexpr const char* kRatios[] = {"l1tex__t_sector_hit_rate", "smsp__average_warp_latency"};
constexpr const char* kThroughputs[] = {"dram__throughput", "sm__throughput"};
constexpr const char* kCounterRollups[] = {".avg", ".max", ".min", ".sum"};
constexpr const char* kRatioRollups[] = {".max_rate", ".pct", ".ratio"};
constexpr const char* kThroughputRollups[] = {".avg.pct_of_peak_sustained_elapsed"};
constexpr std::size_t kAvailabilityBytes = 64;

struct Host {
  Groups groups;
  std::string config;
  bool poisoned = false;  // a refused metric makes every later call fail
};

Host* host_of(CUpti_Profiler_Host_Object* object) {
  return reinterpret_cast<Host*>(object);
}

// Everything exists but names that a test marks as bad.
bool is_known(std::string_view metric) {
  return !metric.empty() && metric.substr(0, 5) != "bogus";
}

CUpti_MetricType type_of(std::string_view metric) {
  if (metric.find("throughput") != std::string_view::npos) return CUPTI_METRIC_TYPE_THROUGHPUT;
  if (metric.find("_rate") != std::string_view::npos || metric.find("average_") != std::string_view::npos) {
    return CUPTI_METRIC_TYPE_RATIO;
  }
  return CUPTI_METRIC_TYPE_COUNTER;
}

template <std::size_t Count>
void give_names(const char* const (&names)[Count], const char**& list, std::size_t& count) {
  list = const_cast<const char**>(names);
  count = Count;
}

bool contains(const std::vector<std::string>& group, std::string_view metric) {
  return std::find(group.begin(), group.end(), metric) != group.end();
}

// The pass that measured a metric: the one that holds the whole call's metrics, or else the first that holds this one.
std::size_t pass_of(const Host& host, const CUpti_Profiler_Host_EvaluateToGpuValues_Params& params,
                    std::size_t metric) {
  std::size_t first = host.groups.size();
  for (std::size_t pass = 0; pass < host.groups.size(); ++pass) {
    bool all = true;
    for (std::size_t i = 0; i < params.numMetrics; ++i)
      all = all && contains(host.groups[pass], params.ppMetricNames[i]);
    if (all) return pass;
    if (first == host.groups.size() && contains(host.groups[pass], params.ppMetricNames[metric])) first = pass;
  }
  return first;
}

template <typename Params>
CUptiResult check(const Params* params) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  return params == nullptr || params->structSize == 0 ? CUPTI_ERROR_INVALID_PARAMETER : CUPTI_SUCCESS;
}

}  // namespace

extern "C" {

CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params* pParams) {
  return check(pParams);
}

CUptiResult cuptiProfilerDeviceSupported(CUpti_Profiler_DeviceSupported_Params* pParams) {
  if (const CUptiResult result = check(pParams); result != CUPTI_SUCCESS) return result;
  const auto level =
      settings().unsupported != 0 ? CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED : CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
  pParams->isSupported = pParams->architecture = pParams->sli = pParams->vGpu = level;
  pParams->confidentialCompute = pParams->cmp = pParams->wsl = level;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params* pParams) {
  if (const CUptiResult result = check(pParams); result != CUPTI_SUCCESS) return result;
  if (pParams->pCounterAvailabilityImage != nullptr) {
    if (pParams->counterAvailabilityImageSize < kAvailabilityBytes) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    std::memset(pParams->pCounterAvailabilityImage, 1, kAvailabilityBytes);
  }
  pParams->counterAvailabilityImageSize = kAvailabilityBytes;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params* pParams) {
  if (const CUptiResult result = check(pParams); result != CUPTI_SUCCESS) return result;
  if (pParams->pChipName == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  const std::string_view chip = pParams->pChipName;
  if (std::find(std::begin(kChips), std::end(kChips), chip) == std::end(kChips)) return CUPTI_ERROR_INVALID_CHIP_NAME;
  pParams->pHostObject = reinterpret_cast<CUpti_Profiler_Host_Object*>(new Host);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params* pParams) {
  if (const CUptiResult result = check(pParams); result != CUPTI_SUCCESS) return result;
  delete host_of(pParams->pHostObject);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetSupportedChips(CUpti_Profiler_Host_GetSupportedChips_Params* pParams) {
  if (const CUptiResult result = check(pParams); result != CUPTI_SUCCESS) return result;
  pParams->numChips = std::size(kChips);
  pParams->ppChipNames = kChips;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetBaseMetrics(CUpti_Profiler_Host_GetBaseMetrics_Params* pParams) {
  if (const CUptiResult result = check(pParams); result != CUPTI_SUCCESS) return result;
  switch (pParams->metricType) {
    case CUPTI_METRIC_TYPE_COUNTER:
      give_names(kCounters, pParams->ppMetricNames, pParams->numMetrics);
      return CUPTI_SUCCESS;
    case CUPTI_METRIC_TYPE_RATIO:
      give_names(kRatios, pParams->ppMetricNames, pParams->numMetrics);
      return CUPTI_SUCCESS;
    case CUPTI_METRIC_TYPE_THROUGHPUT:
      give_names(kThroughputs, pParams->ppMetricNames, pParams->numMetrics);
      return CUPTI_SUCCESS;
    default:
      return CUPTI_ERROR_INVALID_PARAMETER;
  }
}

CUptiResult cuptiProfilerHostGetSubMetrics(CUpti_Profiler_Host_GetSubMetrics_Params* pParams) {
  if (const CUptiResult result = check(pParams); result != CUPTI_SUCCESS) return result;
  if (pParams->pMetricName == nullptr || !is_known(pParams->pMetricName)) return CUPTI_ERROR_INVALID_METRIC_NAME;
  if (type_of(pParams->pMetricName) != pParams->metricType) return CUPTI_ERROR_INVALID_PARAMETER;
  if (pParams->metricType == CUPTI_METRIC_TYPE_COUNTER) {
    give_names(kCounterRollups, pParams->ppSubMetrics, pParams->numOfSubmetrics);
  } else if (pParams->metricType == CUPTI_METRIC_TYPE_RATIO) {
    give_names(kRatioRollups, pParams->ppSubMetrics, pParams->numOfSubmetrics);
  } else {
    give_names(kThroughputRollups, pParams->ppSubMetrics, pParams->numOfSubmetrics);
  }
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetMetricProperties(CUpti_Profiler_Host_GetMetricProperties_Params* pParams) {
  if (const CUptiResult result = check(pParams); result != CUPTI_SUCCESS) return result;
  // The real one refuses the size of the whole struct, padding included.
  if (pParams->structSize != CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE) {
    return CUPTI_ERROR_INVALID_PARAMETER;
  }
  if (pParams->pMetricName == nullptr || !is_known(pParams->pMetricName)) return CUPTI_ERROR_INVALID_METRIC_NAME;
  pParams->pDescription = "a metric of the fake libcupti";
  pParams->pHwUnit = "fake";
  pParams->pDimUnit = "";
  pParams->metricType = type_of(pParams->pMetricName);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params* pParams) {
  if (const CUptiResult result = check(pParams); result != CUPTI_SUCCESS) return result;
  Host& host = *host_of(pParams->pHostObject);
  if (host.poisoned) return CUPTI_ERROR_UNKNOWN;
  std::vector<std::string> group;
  for (std::size_t i = 0; i < pParams->numMetrics; ++i) {
    const std::string_view metric = pParams->ppMetricNames[i];
    if (!is_known(metric) || metric.find('.') == std::string_view::npos) {
      host.poisoned = true;
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    group.emplace_back(metric);
  }
  if (group.empty()) return CUPTI_ERROR_INVALID_PARAMETER;
  host.groups.push_back(std::move(group));
  host.config = serialise(host.groups);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params* pParams) {
  if (const CUptiResult result = check(pParams); result != CUPTI_SUCCESS) return result;
  pParams->configImageSize = host_of(pParams->pHostObject)->config.size();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params* pParams) {
  if (const CUptiResult result = check(pParams); result != CUPTI_SUCCESS) return result;
  const std::string& config = host_of(pParams->pHostObject)->config;
  if (pParams->configImageSize < config.size()) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
  std::memcpy(pParams->pConfigImage, config.data(), config.size());
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params* pParams) {
  if (const CUptiResult result = check(pParams); result != CUPTI_SUCCESS) return result;
  Groups groups;
  const std::string_view image(reinterpret_cast<const char*>(pParams->pConfigImage), pParams->configImageSize);
  if (!parse(image, groups)) return CUPTI_ERROR_INVALID_PARAMETER;
  pParams->numOfPasses = groups.size();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params* pParams) {
  if (const CUptiResult result = check(pParams); result != CUPTI_SUCCESS) return result;
  const Host& host = *host_of(pParams->pHostObject);
  const CounterImage image(const_cast<std::uint8_t*>(pParams->pCounterDataImage), pParams->counterDataImageSize);
  if (!image.is_initialised() || pParams->rangeIndex >= image.range_count()) return CUPTI_ERROR_INVALID_PARAMETER;
  for (std::size_t i = 0; i < pParams->numMetrics; ++i) {
    const Range* range = image.find(pass_of(host, *pParams, i), pParams->rangeIndex);
    const bool measured = range != nullptr && range->launches != 0;
    pParams->pMetricValues[i] = measured ? value_of(pParams->ppMetricNames[i], *range) : std::nan("");
  }
  return CUPTI_SUCCESS;
}
}
