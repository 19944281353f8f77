// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "range_profiler.hpp"

#include <cupti_range_profiler.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>

#include "counter_image.hpp"
#include "settings.hpp"
#include "state.hpp"

namespace fake_cupti {
namespace {

struct Submitted {
  std::size_t pass = 0;
  std::vector<Range> ranges;
};

// One CUpti_RangeProfiler_Object. Guarded by `lock`.
struct RangeProfiler {
  std::mutex lock;
  const Context* context = nullptr;
  std::string config;        // the current configuration image
  std::string first_config;  // another one gives no values, as with the real library
  Groups groups;
  CounterImage image{nullptr, 0};
  CUpti_ProfilerRange mode = CUPTI_AutoRange;
  std::size_t image_passes = 0;  // what the counter data image was sized for
  std::size_t image_ranges = 0;
  std::size_t max_ranges = 0;
  std::size_t pass = 0;  // goes on from window to window and starts over; a new configuration does not reset it
  bool configured = false;
  bool started = false;
  bool range_open = false;
  bool graph_seen = false;
  std::vector<Range> ranges;
  std::vector<Submitted> submitted;
};

struct Profilers {
  std::mutex lock;
  std::map<const Context*, std::shared_ptr<RangeProfiler>> by_context;
};

Profilers& profilers() {
  static auto* const kProfilers = new Profilers;
  return *kProfilers;
}

std::atomic<std::uint32_t> windows_stopped{0};

std::shared_ptr<RangeProfiler> find(const Context& context) {
  Profilers& state = profilers();
  const std::lock_guard<std::mutex> guard(state.lock);
  const auto found = state.by_context.find(&context);
  return found == state.by_context.end() ? nullptr : found->second;
}

// The profiler behind a client's handle; null when it was disabled.
std::shared_ptr<RangeProfiler> find(const CUpti_RangeProfiler_Object* object) {
  Profilers& state = profilers();
  const std::lock_guard<std::mutex> guard(state.lock);
  for (const auto& [context, profiler] : state.by_context) {
    if (reinterpret_cast<CUpti_RangeProfiler_Object*>(profiler.get()) == object) return profiler;
  }
  return nullptr;
}

void measure(const Context& context, const KernelWork& work, std::uint64_t launches, bool is_graph) {
  const std::shared_ptr<RangeProfiler> profiler = find(context);
  if (profiler == nullptr) return;
  const std::lock_guard<std::mutex> guard(profiler->lock);
  if (!profiler->started) return;
  const Range range{hash_of(kernel_key(work)), launches};
  if (profiler->mode == CUPTI_AutoRange) {
    profiler->graph_seen |= is_graph;
    profiler->ranges.push_back(range);
  } else if (profiler->range_open) {
    Range& open = profiler->ranges.back();
    open.kernel = open.launches == 0 ? range.kernel : open.kernel ^ range.kernel;
    open.launches += launches;
  }
}

// The common start of a call: looks the profiler up, and runs `body` under its lock.
template <typename Params, typename Body>
CUptiResult with_profiler(Params* params, Body body) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  if (params == nullptr || params->structSize == 0) return CUPTI_ERROR_INVALID_PARAMETER;
  const std::shared_ptr<RangeProfiler> profiler = find(params->pRangeProfilerObject);
  if (profiler == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  const std::lock_guard<std::mutex> guard(profiler->lock);
  return body(*profiler);
}

CUptiResult stop(RangeProfiler& profiler, CUpti_RangeProfiler_Stop_Params& params) {
  if (!profiler.started) return CUPTI_ERROR_INVALID_OPERATION;
  profiler.started = false;
  if (profiler.graph_seen) {
    profiler.graph_seen = false;
    profiler.ranges.resize(1);
    profiler.submitted.push_back({profiler.pass, std::move(profiler.ranges)});
    profiler.ranges.clear();
    return CUPTI_ERROR_UNKNOWN;
  }
  const std::uint32_t interval = settings().missing_last_range;
  if (interval != 0 && ++windows_stopped % interval == 0 && !profiler.ranges.empty()) profiler.ranges.pop_back();
  params.passIndex = profiler.pass;
  params.targetNestingLevel = 1;
  profiler.submitted.push_back({profiler.pass, std::move(profiler.ranges)});
  profiler.ranges.clear();
  profiler.pass = (profiler.pass + 1) % profiler.groups.size();
  params.isAllPassSubmitted = profiler.pass == 0 ? 1 : 0;
  return CUPTI_SUCCESS;
}

CUptiResult set_config(RangeProfiler& profiler, const CUpti_RangeProfiler_SetConfig_Params& params) {
  if (profiler.started) return CUPTI_ERROR_INVALID_OPERATION;
  const std::string_view config(reinterpret_cast<const char*>(params.pConfig), params.configSize);
  const CounterImage image(params.pCounterDataImage, params.counterDataImageSize);
  if (params.pConfig == nullptr || !parse(config, profiler.groups) || !image.is_initialised() ||
      image.pass_capacity() < profiler.groups.size() || params.replayMode != CUPTI_UserReplay ||
      params.numNestingLevels == 0 || params.targetNestingLevel == 0) {
    return CUPTI_ERROR_INVALID_PARAMETER;
  }
  profiler.config = config;
  if (profiler.first_config.empty()) profiler.first_config = config;
  profiler.image = image;
  profiler.mode = params.range;
  profiler.max_ranges = params.maxRangesPerPass;
  profiler.submitted.clear();
  profiler.configured = true;
  return CUPTI_SUCCESS;
}

CUptiResult decode(RangeProfiler& profiler, CUpti_RangeProfiler_DecodeData_Params& params) {
  if (!profiler.configured || profiler.started) return CUPTI_ERROR_INVALID_OPERATION;
  params.numOfRangeDropped = 0;
  for (Submitted& submitted : profiler.submitted) {
    if (submitted.ranges.size() > profiler.max_ranges) {
      params.numOfRangeDropped += submitted.ranges.size() - profiler.max_ranges;
      submitted.ranges.resize(profiler.max_ranges);
    }
    // A range without launches evaluates to NaN.
    if (profiler.config != profiler.first_config) {
      for (Range& range : submitted.ranges) range.launches = 0;
    }
    params.numOfRangeDropped += profiler.image.store(submitted.pass, submitted.ranges);
  }
  profiler.submitted.clear();
  return CUPTI_SUCCESS;
}

}  // namespace

void measure_kernel(const Context& context, const KernelWork& work) {
  measure(context, work, 1, false);
}

void measure_graph(const Context& context, const KernelWork& work, std::uint64_t kernels) {
  measure(context, work, kernels, true);
}

}  // namespace fake_cupti

using namespace fake_cupti;

extern "C" {

CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params* pParams) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  if (pParams == nullptr || pParams->structSize == 0) return CUPTI_ERROR_INVALID_PARAMETER;
  if (settings().range_enable_error != 0) return static_cast<CUptiResult>(settings().range_enable_error);
  const Context* context = find_context(pParams->ctx);
  if (context == nullptr) return CUPTI_ERROR_INVALID_CONTEXT;
  Profilers& state = profilers();
  const std::lock_guard<std::mutex> guard(state.lock);
  auto& profiler = state.by_context[context];
  if (profiler != nullptr) return CUPTI_ERROR_INVALID_OPERATION;
  profiler = std::make_shared<RangeProfiler>();
  profiler->context = context;
  pParams->pRangeProfilerObject = reinterpret_cast<CUpti_RangeProfiler_Object*>(profiler.get());
  return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params* pParams) {
  const Context* context = nullptr;
  const CUptiResult result = with_profiler(pParams, [&](RangeProfiler& profiler) {
    context = profiler.context;
    return CUPTI_SUCCESS;
  });
  if (result != CUPTI_SUCCESS) return result;
  Profilers& state = profilers();
  const std::lock_guard<std::mutex> guard(state.lock);
  state.by_context.erase(context);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params* pParams) {
  return with_profiler(pParams, [&](RangeProfiler& profiler) { return set_config(profiler, *pParams); });
}

CUptiResult cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params* pParams) {
  return with_profiler(pParams, [](RangeProfiler& profiler) {
    if (!profiler.configured || profiler.started) return CUPTI_ERROR_INVALID_OPERATION;
    profiler.started = true;
    profiler.ranges.clear();
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params* pParams) {
  return with_profiler(pParams, [&](RangeProfiler& profiler) { return stop(profiler, *pParams); });
}

CUptiResult cuptiRangeProfilerPushRange(CUpti_RangeProfiler_PushRange_Params* pParams) {
  return with_profiler(pParams, [](RangeProfiler& profiler) {
    if (!profiler.started || profiler.range_open || profiler.mode != CUPTI_UserRange) {
      return CUPTI_ERROR_INVALID_OPERATION;
    }
    profiler.range_open = true;
    profiler.ranges.emplace_back();
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiRangeProfilerPopRange(CUpti_RangeProfiler_PopRange_Params* pParams) {
  return with_profiler(pParams, [](RangeProfiler& profiler) {
    if (!profiler.range_open) return CUPTI_ERROR_INVALID_OPERATION;
    profiler.range_open = false;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params* pParams) {
  return with_profiler(pParams, [&](RangeProfiler& profiler) { return decode(profiler, *pParams); });
}

CUptiResult cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params* pParams) {
  return with_profiler(pParams, [&](RangeProfiler& profiler) {
    if (pParams->numMetrics == 0 || pParams->maxNumRangeTreeNodes < pParams->maxNumOfRanges) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    profiler.image_passes = pParams->numMetrics;  // Each metric could need a pass of its own.
    profiler.image_ranges = pParams->maxNumOfRanges;
    pParams->counterDataSize = CounterImage::size_for(profiler.image_passes, profiler.image_ranges);
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiRangeProfilerCounterDataImageInitialize(
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params* pParams) {
  return with_profiler(pParams, [&](RangeProfiler& profiler) {
    CounterImage image(pParams->pCounterData, pParams->counterDataSize);
    const bool initialised = image.initialise(profiler.image_passes, profiler.image_ranges);
    return initialised ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
  });
}

CUptiResult cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params* pParams) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  if (pParams == nullptr || pParams->structSize == 0) return CUPTI_ERROR_INVALID_PARAMETER;
  const CounterImage image(const_cast<std::uint8_t*>(pParams->pCounterDataImage), pParams->counterDataImageSize);
  if (!image.is_initialised()) return CUPTI_ERROR_INVALID_PARAMETER;
  pParams->numTotalRanges = image.range_count();
  return CUPTI_SUCCESS;
}
}
