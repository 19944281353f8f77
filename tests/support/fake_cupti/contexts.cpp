// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <map>

#include "callbacks.hpp"
#include "control.h"
#include "device.hpp"
#include "state.hpp"

namespace fake_cupti {
namespace {

struct Contexts {
  std::mutex lock;
  std::map<std::uint32_t, Context*> by_id;
  Context* primary = nullptr;
};

Contexts& contexts() {
  static auto* const kContexts = new Contexts;
  return *kContexts;
}

thread_local Context* current = nullptr;

Context& create(std::uint32_t device) {
  Contexts& state = contexts();
  auto* context = new Context{0, device};
  {
    const std::lock_guard<std::mutex> guard(state.lock);
    context->id = static_cast<std::uint32_t>(state.by_id.size()) + 1;
    state.by_id[context->id] = context;
  }
  notify_resource(CUPTI_CBID_RESOURCE_CONTEXT_CREATED, *context, nullptr);
  announce(*context);
  return *context;
}

Context& primary() {
  static auto* const kCreating = new std::mutex;
  const std::lock_guard<std::mutex> guard(*kCreating);
  Contexts& state = contexts();
  if (state.primary == nullptr) state.primary = &create(0);
  return *state.primary;
}

}  // namespace

Context& current_context() {
  if (current == nullptr) current = &primary();
  return *current;
}

const Context* find_context(CUcontext context) {
  if (context == nullptr) return current;
  Contexts& state = contexts();
  const std::lock_guard<std::mutex> guard(state.lock);
  for (const auto& [id, known] : state.by_id) {
    if (handle_of(*known) == context) return known;
  }
  return nullptr;
}

}  // namespace fake_cupti

using namespace fake_cupti;

extern "C" {

uint32_t fake_cupti_context_create(uint32_t device) {
  current = &create(device);
  return current->id;
}

void fake_cupti_context_use(uint32_t context) {
  Contexts& state = contexts();
  const std::lock_guard<std::mutex> guard(state.lock);
  current = state.by_id.at(context);
}

void fake_cupti_context_destroy() {
  Context& context = current_context();
  notify_resource(CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING, context, nullptr);
  Contexts& state = contexts();
  if (state.primary == &context) state.primary = nullptr;
  current = nullptr;
}

CUptiResult cuptiGetContextId(CUcontext context, uint32_t* contextId) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  const Context* found = find_context(context);
  if (found == nullptr) return CUPTI_ERROR_INVALID_CONTEXT;
  *contextId = found->id;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetDeviceId(CUcontext context, uint32_t* deviceId) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  const Context* found = find_context(context);
  if (found == nullptr) return CUPTI_ERROR_INVALID_CONTEXT;
  *deviceId = found->device;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetStreamIdEx(CUcontext, CUstream stream, uint8_t, uint32_t* streamId) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  *streamId = stream_id(stream);
  return CUPTI_SUCCESS;
}
}
