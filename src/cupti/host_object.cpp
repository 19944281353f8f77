// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "cupti/host_object.hpp"

namespace gpuprof::cupti {

HostObject::HostObject(const Api& api, const std::string& chip) : api_(api) {
  auto params = make_params<CUpti_Profiler_Host_Initialize_Params>(CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
  params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  params.pChipName = chip.c_str();
  result_ = api_.cuptiProfilerHostInitialize(&params);
  if (result_ == CUPTI_SUCCESS) object_ = params.pHostObject;
}

HostObject::~HostObject() {
  if (object_ == nullptr) return;
  auto params =
      make_params<CUpti_Profiler_Host_Deinitialize_Params>(CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
  params.pHostObject = object_;
  api_.cuptiProfilerHostDeinitialize(&params);
}

CUptiResult HostObject::add_metrics(const std::vector<std::string>& metrics) {
  std::vector<const char*> names;
  for (const std::string& metric : metrics) names.push_back(metric.c_str());
  auto params =
      make_params<CUpti_Profiler_Host_ConfigAddMetrics_Params>(CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
  params.pHostObject = object_;
  params.ppMetricNames = names.data();
  params.numMetrics = names.size();
  return api_.cuptiProfilerHostConfigAddMetrics(&params);
}

CUptiResult HostObject::config_image(std::vector<std::uint8_t>& image) const {
  auto size = make_params<CUpti_Profiler_Host_GetConfigImageSize_Params>(
      CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
  size.pHostObject = object_;
  const CUptiResult sized = api_.cuptiProfilerHostGetConfigImageSize(&size);
  if (sized != CUPTI_SUCCESS) return sized;
  image.assign(size.configImageSize, 0);
  auto params =
      make_params<CUpti_Profiler_Host_GetConfigImage_Params>(CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
  params.pHostObject = object_;
  params.configImageSize = image.size();
  params.pConfigImage = image.data();
  return api_.cuptiProfilerHostGetConfigImage(&params);
}

CUptiResult HostObject::passes(std::vector<std::uint8_t>& image, std::size_t& count) const {
  auto params =
      make_params<CUpti_Profiler_Host_GetNumOfPasses_Params>(CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE);
  params.configImageSize = image.size();
  params.pConfigImage = image.data();
  const CUptiResult result = api_.cuptiProfilerHostGetNumOfPasses(&params);
  count = result == CUPTI_SUCCESS ? params.numOfPasses : 0;
  return result;
}

CUptiResult HostObject::base_metrics(CUpti_MetricType type, std::vector<std::string>& names) const {
  auto params =
      make_params<CUpti_Profiler_Host_GetBaseMetrics_Params>(CUpti_Profiler_Host_GetBaseMetrics_Params_STRUCT_SIZE);
  params.pHostObject = object_;
  params.metricType = type;
  const CUptiResult result = api_.cuptiProfilerHostGetBaseMetrics(&params);
  if (result == CUPTI_SUCCESS) names.assign(params.ppMetricNames, params.ppMetricNames + params.numMetrics);
  return result;
}

CUptiResult HostObject::properties(const std::string& metric,
                                   CUpti_Profiler_Host_GetMetricProperties_Params& properties) const {
  properties = make_params<CUpti_Profiler_Host_GetMetricProperties_Params>(
      CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE);
  properties.pHostObject = object_;
  properties.pMetricName = metric.c_str();
  return api_.cuptiProfilerHostGetMetricProperties(&properties);
}

}  // namespace gpuprof::cupti
