// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "cupti/host.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "cupti/host_object.hpp"
#include "cupti/library.hpp"

namespace gpuprof::cupti {
namespace {

constexpr const char* kInstallHint =
    "Install CUPTI 12.9 or later (package cuda-cupti-13-0 or cuda-cupti-12-9, or the CUDA Toolkit), or set "
    "GPUPROF_CUPTI_LIB to a libcupti.so.";

constexpr std::size_t kSuggestions = 3;

CUpti_MetricType native_type(MetricKind kind) {
  switch (kind) {
    case MetricKind::ratio:
      return CUPTI_METRIC_TYPE_RATIO;
    case MetricKind::throughput:
      return CUPTI_METRIC_TYPE_THROUGHPUT;
    case MetricKind::counter:
      break;
  }
  return CUPTI_METRIC_TYPE_COUNTER;
}

MetricKind kind_of(CUpti_MetricType type) {
  if (type == CUPTI_METRIC_TYPE_RATIO) return MetricKind::ratio;
  if (type == CUPTI_METRIC_TYPE_THROUGHPUT) return MetricKind::throughput;
  return MetricKind::counter;
}

std::string text_or_empty(const char* text) {
  return text != nullptr ? text : "";
}

bool has_host_api(const Api& api) {
  return api.cuptiProfilerInitialize != nullptr && api.cuptiProfilerHostInitialize != nullptr &&
         api.cuptiProfilerHostDeinitialize != nullptr && api.cuptiProfilerHostGetSupportedChips != nullptr &&
         api.cuptiProfilerHostGetBaseMetrics != nullptr && api.cuptiProfilerHostGetMetricProperties != nullptr &&
         api.cuptiProfilerHostConfigAddMetrics != nullptr && api.cuptiProfilerHostGetConfigImageSize != nullptr &&
         api.cuptiProfilerHostGetConfigImage != nullptr && api.cuptiProfilerHostGetNumOfPasses != nullptr;
}

class CuptiHost final : public Host {
 public:
  explicit CuptiHost(Library library) : library_(std::move(library)) {}

  std::string library_path() const override { return library_.path; }
  std::uint32_t library_version() const override { return library_.version; }

  std::vector<std::string> chips() const override {
    auto params = make_params<CUpti_Profiler_Host_GetSupportedChips_Params>(
        CUpti_Profiler_Host_GetSupportedChips_Params_STRUCT_SIZE);
    const CUptiResult result = library_.api.cuptiProfilerHostGetSupportedChips(&params);
    if (result != CUPTI_SUCCESS) fail("the chips it knows", "cuptiProfilerHostGetSupportedChips", result);
    std::vector<std::string> names(params.ppChipNames, params.ppChipNames + params.numChips);
    std::sort(names.begin(), names.end());
    return names;
  }

  std::vector<std::string> base_metrics(const std::string& chip, MetricKind kind) const override {
    std::vector<std::string> names;
    const CUptiResult result = lookup_object(chip).base_metrics(native_type(kind), names);
    if (result != CUPTI_SUCCESS) fail("the metrics of " + chip, "cuptiProfilerHostGetBaseMetrics", result);
    std::sort(names.begin(), names.end());
    return names;
  }

  bool find_metric(const std::string& chip, const std::string& metric, MetricProperties& properties) const override {
    CUpti_Profiler_Host_GetMetricProperties_Params found;
    if (lookup_object(chip).properties(metric, found) != CUPTI_SUCCESS) return false;
    properties.kind = kind_of(found.metricType);
    properties.description = text_or_empty(found.pDescription);
    properties.hardware_unit = text_or_empty(found.pHwUnit);
    properties.dimension = text_or_empty(found.pDimUnit);
    return true;
  }

  bool is_collectable(const std::string& chip, const std::string& metric) const override {
    return passes(chip, {metric}) > 0;
  }

  std::size_t passes(const std::string& chip, const std::vector<std::string>& metrics) const override {
    return passes_of_groups(chip, {metrics});
  }

  std::size_t passes_of_groups(const std::string& chip,
                               const std::vector<std::vector<std::string>>& groups) const override {
    HostObject object(library_.api, chip);
    check(object, chip);
    for (const std::vector<std::string>& group : groups) {
      if (group.empty() || object.add_metrics(group) != CUPTI_SUCCESS) return 0;
    }
    std::vector<std::uint8_t> image;
    std::size_t count = 0;
    if (groups.empty() || object.config_image(image) != CUPTI_SUCCESS) return 0;
    return object.passes(image, count) == CUPTI_SUCCESS ? count : 0;
  }

 private:
  [[noreturn]] void fail(const std::string& what, const char* function, CUptiResult result) const {
    throw Error("CUPTI did not tell " + what + ": " + describe(library_.api, function, result),
                "Check that libnvperf_host.so of the same release lies beside " + library_.path + ".");
  }

  void check(const HostObject& object, const std::string& chip) const {
    if (object.result() == CUPTI_SUCCESS) return;
    const std::vector<std::string> known = chips();
    if (object.result() == CUPTI_ERROR_NOT_SUPPORTED) {
      throw Error("CUPTI " + version_text(library_.version) + " offers no hardware counters on " + chip,
                  "Choose a chip of compute capability 7.5 or later.");
    }
    if (std::binary_search(known.begin(), known.end(), chip)) {
      fail("anything about " + chip, "cuptiProfilerHostInitialize", object.result());
    }
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
    const std::string similar = suggestion(nearest(chip, known, kSuggestions));
    throw Error("CUPTI " + version_text(library_.version) + " knows no chip \"" + chip + "\"" +
                    (similar.empty() ? "" : ": " + similar),
                "Chips of this CUPTI, in its spelling: " + list + ".");
  }

  // Kept for each chip because opening one takes up to 2 ms, and a listing looks thousands of metrics up.
  const HostObject& lookup_object(const std::string& chip) const {
    auto found = lookup_objects_.find(chip);
    if (found != lookup_objects_.end()) return *found->second;
    auto object = std::make_unique<HostObject>(library_.api, chip);
    check(*object, chip);
    return *lookup_objects_.emplace(chip, std::move(object)).first->second;
  }

  Library library_;
  mutable std::map<std::string, std::unique_ptr<HostObject>> lookup_objects_;
};

}  // namespace

std::unique_ptr<Host> Host::open(const std::string& preferred_path) {
  Library library;
  std::string tried;
  if (!open_library(preferred_path, library, tried)) {
    throw Error("libcupti could not be opened: " + tried, kInstallHint);
  }
  if (!has_host_api(library.api)) {
    throw Error("the libcupti at " + library.path + " (version " + version_text(library.version) +
                    ") lacks the host profiling API",
                kInstallHint);
  }
  // Without a driver this reports an unknown error, and everything that concerns the host works all the same.
  auto params = make_params<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
  library.api.cuptiProfilerInitialize(&params);
  return std::make_unique<CuptiHost>(std::move(library));
}

}  // namespace gpuprof::cupti
