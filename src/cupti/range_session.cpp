// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "cupti/range_session.hpp"

#include "cupti/library.hpp"

namespace gpuprof::cupti {
namespace {

trace::NoticeCode notice_for(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return trace::NoticeCode::counters_permission;
    case CUPTI_ERROR_HARDWARE_BUSY:
      return trace::NoticeCode::counters_busy;
    case CUPTI_ERROR_NOT_SUPPORTED:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_INVALID_CHIP_NAME:
      return trace::NoticeCode::counters_unsupported;
    default:
      return trace::NoticeCode::counters_error;
  }
}

bool has_range_profiler(const Api& api) {
  return api.cuptiRangeProfilerEnable != nullptr && api.cuptiRangeProfilerGetCounterDataInfo != nullptr &&
         api.cuptiProfilerHostInitialize != nullptr && api.cuptiDeviceGetChipName != nullptr;
}

std::vector<std::uint8_t> counter_availability(const Api& api, void* context) {
  auto params = make_params<CUpti_Profiler_GetCounterAvailability_Params>(
      CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE);
  params.ctx = static_cast<CUcontext>(context);
  if (api.cuptiProfilerGetCounterAvailability(&params) != CUPTI_SUCCESS) return {};
  std::vector<std::uint8_t> image(params.counterAvailabilityImageSize);
  params.pCounterAvailabilityImage = image.data();
  if (api.cuptiProfilerGetCounterAvailability(&params) != CUPTI_SUCCESS) return {};
  return image;
}

CUpti_Profiler_Host_Object* as_host(void* host) {
  return static_cast<CUpti_Profiler_Host_Object*>(host);
}
CUpti_RangeProfiler_Object* as_profiler(void* profiler) {
  return static_cast<CUpti_RangeProfiler_Object*>(profiler);
}

}  // namespace

RangeSession::RangeSession(const Client& client, void* context, const std::vector<std::vector<std::string>>& groups,
                           std::size_t max_ranges, RangeMode mode)
    : client_(client), context_(context), groups_(groups), max_ranges_(max_ranges), mode_(mode) {
  for (const auto& group : groups_) {
    auto& names = group_names_.emplace_back();
    for (const std::string& metric : group) {
      names.push_back(metric.c_str());
      all_names_.push_back(metric.c_str());
    }
  }
}

std::unique_ptr<RangeSession> RangeSession::open(const Client& client, void* context,
                                                 const std::vector<std::vector<std::string>>& groups,
                                                 std::size_t max_ranges, RangeMode mode, Failure& failure) {
  const Api& api = client.library().api;
  if (!has_range_profiler(api)) {
    failure = {trace::NoticeCode::counters_unsupported, client.path() + " has no range profiler"};
    return nullptr;
  }
  std::unique_ptr<RangeSession> session(new RangeSession(client, context, groups, max_ranges, mode));
  if (!session->prepare_host() || !session->prepare_image()) {
    failure = session->failure_;
    return nullptr;
  }
  return session;
}

RangeSession::~RangeSession() {
  const Api& api = client_.library().api;
  if (profiler_ != nullptr) {
    auto params = make_params<CUpti_RangeProfiler_Disable_Params>(CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE);
    params.pRangeProfilerObject = as_profiler(profiler_);
    api.cuptiRangeProfilerDisable(&params);
  }
  if (host_ != nullptr) {
    auto params =
        make_params<CUpti_Profiler_Host_Deinitialize_Params>(CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
    params.pHostObject = as_host(host_);
    api.cuptiProfilerHostDeinitialize(&params);
  }
}

bool RangeSession::fail(const char* call, int result) {
  const auto code = static_cast<CUptiResult>(result);
  failure_ = {notice_for(code), describe(client_.library().api, call, code)};
  return false;
}

// Plans the groups on the host: one ConfigAddMetrics call a group makes each group a pass of its own.
bool RangeSession::prepare_host() {
  const Api& api = client_.library().api;
  auto initialize = make_params<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
  if (CUptiResult r = api.cuptiProfilerInitialize(&initialize)) return fail("cuptiProfilerInitialize", r);

  auto chip = make_params<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
  chip.deviceIndex = client_.device_of(context_);
  if (CUptiResult r = api.cuptiDeviceGetChipName(&chip)) return fail("cuptiDeviceGetChipName", r);
  chip_ = chip.pChipName;

  // Must be asked for before the range profiler is enabled: it may fail while a session is active on the device.
  const std::vector<std::uint8_t> availability = counter_availability(api, context_);

  auto host = make_params<CUpti_Profiler_Host_Initialize_Params>(CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
  host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  host.pChipName = chip_.c_str();
  host.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
  if (CUptiResult r = api.cuptiProfilerHostInitialize(&host)) return fail("cuptiProfilerHostInitialize", r);
  host_ = host.pHostObject;

  for (auto& names : group_names_) {
    auto add = make_params<CUpti_Profiler_Host_ConfigAddMetrics_Params>(
        CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
    add.pHostObject = as_host(host_);
    add.ppMetricNames = names.data();
    add.numMetrics = names.size();
    if (CUptiResult r = api.cuptiProfilerHostConfigAddMetrics(&add))
      return fail("cuptiProfilerHostConfigAddMetrics", r);
  }

  auto size = make_params<CUpti_Profiler_Host_GetConfigImageSize_Params>(
      CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
  size.pHostObject = as_host(host_);
  if (CUptiResult r = api.cuptiProfilerHostGetConfigImageSize(&size))
    return fail("cuptiProfilerHostGetConfigImageSize", r);
  configuration_.resize(size.configImageSize);
  auto image =
      make_params<CUpti_Profiler_Host_GetConfigImage_Params>(CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
  image.pHostObject = as_host(host_);
  image.configImageSize = configuration_.size();
  image.pConfigImage = configuration_.data();
  if (CUptiResult r = api.cuptiProfilerHostGetConfigImage(&image)) return fail("cuptiProfilerHostGetConfigImage", r);

  auto passes =
      make_params<CUpti_Profiler_Host_GetNumOfPasses_Params>(CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE);
  passes.configImageSize = configuration_.size();
  passes.pConfigImage = configuration_.data();
  if (CUptiResult r = api.cuptiProfilerHostGetNumOfPasses(&passes)) return fail("cuptiProfilerHostGetNumOfPasses", r);
  if (passes.numOfPasses != groups_.size()) {
    failure_ = {
        trace::NoticeCode::counters_unsupported,
        std::to_string(groups_.size()) + " groups need " + std::to_string(passes.numOfPasses) + " passes on " + chip_};
    return false;
  }
  return true;
}

bool RangeSession::prepare_image() {
  const Api& api = client_.library().api;
  auto enable = make_params<CUpti_RangeProfiler_Enable_Params>(CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE);
  enable.ctx = static_cast<CUcontext>(context_);
  if (CUptiResult r = api.cuptiRangeProfilerEnable(&enable)) return fail("cuptiRangeProfilerEnable", r);
  profiler_ = enable.pRangeProfilerObject;

  auto size = make_params<CUpti_RangeProfiler_GetCounterDataSize_Params>(
      CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
  size.pRangeProfilerObject = as_profiler(profiler_);
  size.pMetricNames = all_names_.data();
  size.numMetrics = all_names_.size();
  size.maxNumOfRanges = max_ranges_;
  size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(max_ranges_);
  if (CUptiResult r = api.cuptiRangeProfilerGetCounterDataSize(&size)) {
    return fail("cuptiRangeProfilerGetCounterDataSize", r);
  }
  image_.resize(size.counterDataSize);
  return true;
}

// A fresh image makes every window independent of the ones before.
bool RangeSession::configure() {
  const Api& api = client_.library().api;
  auto initialize = make_params<CUpti_RangeProfiler_CounterDataImage_Initialize_Params>(
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
  initialize.pRangeProfilerObject = as_profiler(profiler_);
  initialize.counterDataSize = image_.size();
  initialize.pCounterData = image_.data();
  if (CUptiResult r = api.cuptiRangeProfilerCounterDataImageInitialize(&initialize)) {
    return fail("cuptiRangeProfilerCounterDataImageInitialize", r);
  }
  auto config = make_params<CUpti_RangeProfiler_SetConfig_Params>(CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
  config.pRangeProfilerObject = as_profiler(profiler_);
  config.configSize = configuration_.size();
  config.pConfig = configuration_.data();
  config.counterDataImageSize = image_.size();
  config.pCounterDataImage = image_.data();
  config.range = mode_ == RangeMode::automatic ? CUPTI_AutoRange : CUPTI_UserRange;
  config.replayMode = CUPTI_UserReplay;
  config.maxRangesPerPass = max_ranges_;
  config.numNestingLevels = 1;
  config.minNestingLevel = 1;
  config.passIndex = 0;
  config.targetNestingLevel = 1;
  if (CUptiResult r = api.cuptiRangeProfilerSetConfig(&config)) return fail("cuptiRangeProfilerSetConfig", r);
  return true;
}

bool RangeSession::start() {
  if (!configure()) return false;
  auto params = make_params<CUpti_RangeProfiler_Start_Params>(CUpti_RangeProfiler_Start_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = as_profiler(profiler_);
  if (CUptiResult r = client_.library().api.cuptiRangeProfilerStart(&params)) return fail("cuptiRangeProfilerStart", r);
  return true;
}

bool RangeSession::push_range(const char* name) {
  auto params = make_params<CUpti_RangeProfiler_PushRange_Params>(CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = as_profiler(profiler_);
  params.pRangeName = name;
  if (CUptiResult r = client_.library().api.cuptiRangeProfilerPushRange(&params))
    return fail("cuptiRangeProfilerPushRange", r);
  return true;
}

bool RangeSession::pop_range() {
  auto params = make_params<CUpti_RangeProfiler_PopRange_Params>(CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = as_profiler(profiler_);
  if (CUptiResult r = client_.library().api.cuptiRangeProfilerPopRange(&params))
    return fail("cuptiRangeProfilerPopRange", r);
  return true;
}

bool RangeSession::stop() {
  const Api& api = client_.library().api;
  auto params = make_params<CUpti_RangeProfiler_Stop_Params>(CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = as_profiler(profiler_);
  if (CUptiResult r = api.cuptiRangeProfilerStop(&params)) return fail("cuptiRangeProfilerStop", r);
  auto decode = make_params<CUpti_RangeProfiler_DecodeData_Params>(CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE);
  decode.pRangeProfilerObject = as_profiler(profiler_);
  if (CUptiResult r = api.cuptiRangeProfilerDecodeData(&decode)) return fail("cuptiRangeProfilerDecodeData", r);
  stopped_group_ = next_group_;
  next_group_ = (next_group_ + 1) % groups_.size();
  return true;
}

std::size_t RangeSession::range_count() {
  auto params = make_params<CUpti_RangeProfiler_GetCounterDataInfo_Params>(
      CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE);
  params.pCounterDataImage = image_.data();
  params.counterDataImageSize = image_.size();
  if (CUptiResult r = client_.library().api.cuptiRangeProfilerGetCounterDataInfo(&params)) {
    fail("cuptiRangeProfilerGetCounterDataInfo", r);
    return 0;
  }
  return params.numTotalRanges;
}

bool RangeSession::evaluate(std::size_t range, double* values) {
  auto& names = group_names_[stopped_group_];
  auto params = make_params<CUpti_Profiler_Host_EvaluateToGpuValues_Params>(
      CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE);
  params.pHostObject = as_host(host_);
  params.pCounterDataImage = image_.data();
  params.counterDataImageSize = image_.size();
  params.rangeIndex = range;
  params.ppMetricNames = names.data();
  params.numMetrics = names.size();
  params.pMetricValues = values;
  if (CUptiResult r = client_.library().api.cuptiProfilerHostEvaluateToGpuValues(&params)) {
    return fail("cuptiProfilerHostEvaluateToGpuValues", r);
  }
  return true;
}

}  // namespace gpuprof::cupti
