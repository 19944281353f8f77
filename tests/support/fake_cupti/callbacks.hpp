// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The subscriber and the calls it hears about.

#include <cupti_callbacks.h>

#include <cstdint>

#include "state.hpp"

namespace fake_cupti {

// Calls the subscriber when there is one that enabled this callback.
void notify(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);

// A resource callback about `context`; `descriptor` as the callback's documentation says.
void notify_resource(CUpti_CallbackIdResource id, Context& context, void* descriptor);

// One call of the CUDA API by the program: callbacks on both sides, then the activity record, if enabled.
class ApiCall {
 public:
  ApiCall(CUpti_CallbackDomain domain, CUpti_CallbackId id, std::uint32_t correlation, Context& context,
          const void* params, const char* symbol);
  ~ApiCall();
  ApiCall(const ApiCall&) = delete;
  ApiCall& operator=(const ApiCall&) = delete;

  void set_result(int result) { result_ = result; }

 private:
  CUpti_CallbackDomain domain_;
  CUpti_CallbackId id_;
  CUpti_CallbackData data_{};
  std::uint64_t correlation_data_ = 0;
  std::uint64_t start_ns_ = 0;
  int result_ = 0;
};

// Name of an API function as cuptiGetCallbackName spells it; null for an id the fake does not know.
const char* api_name(CUpti_CallbackDomain domain, CUpti_CallbackId id);

}  // namespace fake_cupti
