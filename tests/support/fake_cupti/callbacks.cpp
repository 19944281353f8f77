// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "callbacks.hpp"

#include <unistd.h>

#include <atomic>
#include <cstring>

#include "activity.hpp"
#include "control.h"
#include "settings.hpp"

namespace fake_cupti {
namespace {

constexpr std::size_t kMaxIds = 1024;
constexpr const char* kHolder = "another tool";

struct Subscription {
  CUpti_CallbackFunc function = nullptr;
  void* user_data = nullptr;
};

std::atomic<Subscription*> current{nullptr};
std::atomic<bool> enabled[CUPTI_CB_DOMAIN_SIZE][kMaxIds];

CUpti_SubscriberHandle handle_of(Subscription* subscription) {
  return reinterpret_cast<CUpti_SubscriberHandle>(subscription);
}

CUptiResult subscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc function, void* user_data) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  if (settings().subscribe_error != 0) return static_cast<CUptiResult>(settings().subscribe_error);
  auto* subscription = new Subscription{function, user_data};
  Subscription* expected = nullptr;
  if (!current.compare_exchange_strong(expected, subscription)) {
    delete subscription;
    return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  }
  *subscriber = handle_of(subscription);
  return CUPTI_SUCCESS;
}

}  // namespace

void notify(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  if (id >= kMaxIds || !enabled[domain][id] || is_shut_down()) return;
  if (const Subscription* subscription = current) subscription->function(subscription->user_data, domain, id, data);
}

void notify_resource(CUpti_CallbackIdResource id, Context& context, void* descriptor) {
  CUpti_ResourceData data{};
  data.context = handle_of(context);
  data.resourceDescriptor = descriptor;
  notify(CUPTI_CB_DOMAIN_RESOURCE, id, &data);
}

ApiCall::ApiCall(CUpti_CallbackDomain domain, CUpti_CallbackId id, std::uint32_t correlation, Context& context,
                 const void* params, const char* symbol)
    : domain_(domain), id_(id) {
  data_.callbackSite = CUPTI_API_ENTER;
  data_.functionName = api_name(domain, id);
  data_.functionParams = params;
  data_.symbolName = symbol;
  data_.context = handle_of(context);
  data_.contextUid = context.id;
  data_.correlationData = &correlation_data_;
  data_.correlationId = correlation;
  notify(domain_, id_, &data_);
  start_ns_ = now_ns();
}

ApiCall::~ApiCall() {
  const std::uint64_t end_ns = now_ns();
  data_.callbackSite = CUPTI_API_EXIT;
  data_.functionReturnValue = &result_;
  notify(domain_, id_, &data_);

  const auto kind = domain_ == CUPTI_CB_DOMAIN_DRIVER_API ? CUPTI_ACTIVITY_KIND_DRIVER : CUPTI_ACTIVITY_KIND_RUNTIME;
  if (!api_enabled(kind, id_)) return;
  CUpti_ActivityAPI record{};
  record.kind = kind;
  record.cbid = id_;
  record.start = start_ns_;
  record.end = end_ns;
  record.processId = static_cast<std::uint32_t>(getpid());
  record.threadId = thread_id();
  record.correlationId = data_.correlationId;
  record.returnValue = static_cast<std::uint32_t>(result_);
  add_record(record);
}

}  // namespace fake_cupti

using namespace fake_cupti;

extern "C" {

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* userdata) {
  return subscribe(subscriber, callback, userdata);
}

CUptiResult cuptiSubscribe_v2(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* userdata,
                              CUpti_SubscriberParams* pParams) {
  if (pParams == nullptr || pParams->structSize == 0) return CUPTI_ERROR_INVALID_PARAMETER;
  if (pParams->subscriberName != nullptr && std::strlen(pParams->subscriberName) > CUPTI_SUBSCRIBER_NAME_MAX_LEN) {
    return CUPTI_ERROR_INVALID_PARAMETER;
  }
  const CUptiResult result = subscribe(subscriber, callback, userdata);
  if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED && pParams->oldSubscriberName != nullptr) {
    if (pParams->oldSubscriberSize < CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN) return CUPTI_ERROR_INVALID_PARAMETER;
    std::strcpy(pParams->oldSubscriberName, kHolder);
  }
  return result;
}

CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain,
                                CUpti_CallbackId cbid) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  if (subscriber == nullptr || subscriber != handle_of(current.load())) return CUPTI_ERROR_INVALID_PARAMETER;
  if (domain <= CUPTI_CB_DOMAIN_INVALID || domain >= CUPTI_CB_DOMAIN_SIZE || cbid >= kMaxIds) {
    return CUPTI_ERROR_INVALID_PARAMETER;
  }
  enabled[domain][cbid] = enable != 0;
  return CUPTI_SUCCESS;
}

void fake_cupti_fatal_error() {
  CUpti_StateData data{};
  data.notification.result = CUPTI_ERROR_UNKNOWN;
  data.notification.message = "injected fatal error";
  report_fatal();
  notify(CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_FATAL_ERROR, &data);
}
}
