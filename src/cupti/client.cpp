// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "cupti/client.hpp"

#include <algorithm>
#include <string_view>

#include "cupti/library.hpp"

namespace gpuprof::cupti {
namespace {

// Every driver entry point that launches kernels. Runtime launches pass through one of these.
constexpr CUpti_CallbackId kKernelLaunches[] = {
    CUPTI_DRIVER_TRACE_CBID_cuLaunch,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchGrid,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchGridAsync,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
};

constexpr CUpti_CallbackId kGraphLaunches[] = {
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz,
};

constexpr CUpti_CallbackId kCaptureBegins[] = {
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture,        CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2,     CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz,
};

constexpr CUpti_CallbackId kCaptureEnds[] = {
    CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture,
    CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz,
};

constexpr CUpti_CallbackId kProfilerSwitches[] = {
    CUPTI_DRIVER_TRACE_CBID_cuProfilerStart,
    CUPTI_DRIVER_TRACE_CBID_cuProfilerStop,
};

constexpr CUpti_CallbackId kResourceEvents[] = {
    CUPTI_CBID_RESOURCE_CONTEXT_CREATED,
    CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING,
    CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED,
};

template <std::size_t N>
bool contains(const CUpti_CallbackId (&ids)[N], CUpti_CallbackId id) {
  return std::find(std::begin(ids), std::end(ids), id) != std::end(ids);
}

void on_driver_call(Listener& listener, CUpti_CallbackId id, const CUpti_CallbackData& data) {
  const bool enters = data.callbackSite == CUPTI_API_ENTER;
  if (contains(kCaptureBegins, id)) {
    if (enters) listener.on_capture_begin();
    return;
  }
  if (contains(kCaptureEnds, id)) {
    if (!enters) listener.on_capture_end();
    return;
  }
  if (contains(kProfilerSwitches, id)) {
    const bool starts = id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStart;
    if (starts && !enters) listener.on_profiler_start();
    if (!starts && enters) listener.on_profiler_stop();
    return;
  }
  LaunchCall call;
  call.context = data.context;
  call.context_id = data.contextUid;
  call.function = id;
  call.parameters = data.functionParams;
  if (contains(kGraphLaunches, id)) {
    call.graph_exec = static_cast<const cuGraphLaunch_params*>(data.functionParams)->hGraph;
  } else {
    call.kernel_name = data.symbolName != nullptr ? data.symbolName : "";
  }
  if (enters) {
    listener.on_launch_enter(call);
  } else {
    const auto* result = static_cast<const CUresult*>(data.functionReturnValue);
    listener.on_launch_exit(call, result == nullptr || *result == CUDA_SUCCESS);
  }
}

void on_resource_event(Listener& listener, CUpti_CallbackId id, const CUpti_ResourceData& data) {
  switch (id) {
    case CUPTI_CBID_RESOURCE_CONTEXT_CREATED:
      listener.on_context_created(data.context);
      break;
    case CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING:
      listener.on_context_destroying(data.context);
      break;
    case CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED:
      listener.on_graph_node_created();
      break;
    default:
      break;
  }
}

void CUPTIAPI on_callback(void* user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  // The caller is the driver, which was not built to let an exception through.
  try {
    auto& listener = *static_cast<Listener*>(user);
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
      on_driver_call(listener, id, *static_cast<const CUpti_CallbackData*>(data));
    } else if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
      on_resource_event(listener, id, *static_cast<const CUpti_ResourceData*>(data));
    } else if (domain == CUPTI_CB_DOMAIN_STATE && id == CUPTI_CBID_STATE_FATAL_ERROR) {
      listener.on_fatal_error();
    }
  } catch (...) {
  }
}

CUptiResult subscribe_by_name(const Api& api, CUpti_SubscriberHandle& subscriber, Listener& listener,
                              std::string& holder) {
  if (api.cuptiSubscribe_v2 == nullptr) return api.cuptiSubscribe(&subscriber, on_callback, &listener);
  char holder_name[CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN + 1] = {};
  CUpti_SubscriberParams params{};
  params.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
  params.subscriberName = "gpuprof";
  params.oldSubscriberName = holder_name;
  params.oldSubscriberSize = CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN;
  const CUptiResult result = api.cuptiSubscribe_v2(&subscriber, on_callback, &listener, &params);
  holder = holder_name;
  return result;
}

template <std::size_t N>
void enable(const Api& api, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain,
            const CUpti_CallbackId (&ids)[N]) {
  // An id this libcupti does not know is refused; there is nothing to be seen for it then.
  for (CUpti_CallbackId id : ids) api.cuptiEnableCallback(1, subscriber, domain, id);
}

}  // namespace

Client::Client() : library_(std::make_unique<Library>()) {}
Client::~Client() = default;

const std::string& Client::path() const {
  return library_->path;
}
std::uint32_t Client::version() const {
  return library_->version;
}

std::unique_ptr<Client> Client::open(const std::string& preferred_path, Failure& failure) {
  std::unique_ptr<Client> client(new Client);
  std::string tried;
  if (open_library(preferred_path, *client->library_, tried)) return client;
  failure = {trace::NoticeCode::cupti_not_found, tried};
  return nullptr;
}

std::vector<std::string> Client::mapped_files() const {
  return mapped_libraries();
}

bool Client::subscribe(Listener& listener, Failure& failure) {
  const Api& api = library_->api;
  CUpti_SubscriberHandle subscriber = nullptr;
  std::string holder;
  const CUptiResult result = subscribe_by_name(api, subscriber, listener, holder);
  if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED || result == CUPTI_ERROR_MAX_LIMIT_REACHED) {
    failure = {trace::NoticeCode::cupti_subscriber_held, holder};
    return false;
  }
  if (result != CUPTI_SUCCESS) {
    // Without a usable driver CUPTI answers UNKNOWN, not NOT_INITIALIZED.
    const bool no_driver = result == CUPTI_ERROR_UNKNOWN || result == CUPTI_ERROR_NOT_INITIALIZED;
    failure = {no_driver ? trace::NoticeCode::no_driver : trace::NoticeCode::cupti_error,
               describe(api, "cuptiSubscribe", result)};
    return false;
  }
  enable(api, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, kKernelLaunches);
  enable(api, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, kGraphLaunches);
  enable(api, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, kCaptureBegins);
  enable(api, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, kCaptureEnds);
  enable(api, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, kProfilerSwitches);
  enable(api, subscriber, CUPTI_CB_DOMAIN_RESOURCE, kResourceEvents);
  api.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_FATAL_ERROR);
  return true;
}

std::uint64_t Client::timestamp_ns() const {
  std::uint64_t now = 0;
  return library_->api.cuptiGetTimestamp(&now) == CUPTI_SUCCESS ? now : 0;
}

std::string Client::chip_name(std::uint32_t device) const {
  const Api& api = library_->api;
  if (api.cuptiDeviceGetChipName == nullptr) return {};
  auto params = make_params<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
  params.deviceIndex = device;
  if (api.cuptiDeviceGetChipName(&params) != CUPTI_SUCCESS || params.pChipName == nullptr) return {};
  return params.pChipName;
}

std::uint32_t Client::device_of(void* context) const {
  std::uint32_t device = 0;
  library_->api.cuptiGetDeviceId(static_cast<CUcontext>(context), &device);
  return device;
}

std::uint32_t Client::graph_id(void* graph_exec) const {
  std::uint32_t id = 0;
  if (library_->api.cuptiGetGraphExecId != nullptr) {
    library_->api.cuptiGetGraphExecId(static_cast<CUgraphExec>(graph_exec), &id);
  }
  return id;
}

trace::KernelShape launch_shape(const LaunchCall& call) {
  trace::KernelShape shape;
  switch (call.function) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz: {
      const auto& p = *static_cast<const cuLaunchKernel_params*>(call.parameters);
      shape.grid = {p.gridDimX, p.gridDimY, p.gridDimZ};
      shape.block = {p.blockDimX, p.blockDimY, p.blockDimZ};
      shape.dynamic_shared_bytes = p.sharedMemBytes;
      break;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz: {
      const auto& p = *static_cast<const cuLaunchCooperativeKernel_params*>(call.parameters);
      shape.grid = {p.gridDimX, p.gridDimY, p.gridDimZ};
      shape.block = {p.blockDimX, p.blockDimY, p.blockDimZ};
      shape.dynamic_shared_bytes = p.sharedMemBytes;
      break;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
      const CUlaunchConfig* config = static_cast<const cuLaunchKernelEx_params*>(call.parameters)->config;
      if (config == nullptr) break;
      shape.grid = {config->gridDimX, config->gridDimY, config->gridDimZ};
      shape.block = {config->blockDimX, config->blockDimY, config->blockDimZ};
      shape.dynamic_shared_bytes = config->sharedMemBytes;
      break;
    }
    default:
      break;
  }
  return shape;
}

const void* launch_function(const LaunchCall& call) {
  switch (call.function) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
      return static_cast<const cuLaunchKernel_params*>(call.parameters)->f;
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
      return static_cast<const cuLaunchCooperativeKernel_params*>(call.parameters)->f;
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
      return static_cast<const cuLaunchKernelEx_params*>(call.parameters)->f;
    default:
      return nullptr;
  }
}

}  // namespace gpuprof::cupti
