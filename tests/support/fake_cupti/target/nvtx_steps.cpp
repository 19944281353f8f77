// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "nvtx_steps.hpp"

#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>

namespace fake_target {
namespace {

std::mutex mutex;
std::map<std::string, nvtxRangeId_t> started;  // under the mutex

bool is_set(const Step& step, const char* key) {
  return step.option(key, "0") != "0";
}

std::uint64_t number(const Step& step, const char* key) {
  return std::stoull(step.option(key, "0"), nullptr, 0);
}

// The name, in the characters the step asks for.
struct Name {
  explicit Name(const Step& step) : is_wide(is_set(step, "wide")), is_null(is_set(step, "null")) {
    const std::string hex = step.option("hex", "");
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
      bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    if (hex.empty()) bytes = step.text(0, "");
    const std::uint64_t times = std::stoull(step.option("times", "1"));
    for (std::uint64_t i = 0; i < times; ++i) narrow += bytes;
    if (hex.empty()) {
      for (char byte : narrow) wide += static_cast<wchar_t>(byte);
    }
    for (std::size_t i = 0; is_wide && i + 7 < hex.size(); i += 8) {
      wide += static_cast<wchar_t>(std::stoul(hex.substr(i, 8), nullptr, 16));
    }
  }
  const char* ascii() const { return is_null ? nullptr : narrow.c_str(); }
  const wchar_t* unicode() const { return is_null ? nullptr : wide.c_str(); }

  bool is_wide;
  bool is_null;
  std::string narrow;
  std::wstring wide;
};

nvtxDomainHandle_t domain_of(const Step& step, bool wide) {
  const std::string name = step.option("domain", "");
  if (name.empty()) return nullptr;
  // Each thread asks for itself: a lock could be left held in a forked child.
  thread_local std::map<std::string, nvtxDomainHandle_t> domains;
  const auto found = domains.find(name);
  if (found != domains.end()) return found->second;
  const auto handle =
      wide ? nvtxDomainCreateW(std::wstring(name.begin(), name.end()).c_str()) : nvtxDomainCreateA(name.c_str());
  return domains[name] = handle;
}

void set_payload(const Step& step, nvtxEventAttributes_t& attributes) {
  const std::string payload = step.option("payload", "");
  if (payload.empty()) return;
  const std::string type = payload.substr(0, 3);
  const std::string value = payload.substr(4);
  auto& out = attributes.payload;
  if (type == "u64") {
    attributes.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
    out.ullValue = std::stoull(value);
  } else if (type == "i64") {
    attributes.payloadType = NVTX_PAYLOAD_TYPE_INT64;
    out.llValue = std::stoll(value);
  } else if (type == "f64") {
    attributes.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
    out.dValue = std::stod(value);
  } else if (type == "u32") {
    attributes.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT32;
    out.uiValue = static_cast<std::uint32_t>(std::stoull(value));
  } else if (type == "i32") {
    attributes.payloadType = NVTX_PAYLOAD_TYPE_INT32;
    out.iValue = static_cast<std::int32_t>(std::stoll(value));
  } else if (type == "f32") {
    attributes.payloadType = NVTX_PAYLOAD_TYPE_FLOAT;
    out.fValue = std::stof(value);
  } else {
    throw std::runtime_error("unknown payload type '" + type + "'");
  }
}

nvtxEventAttributes_t attributes_of(const Step& step, const Name& name, nvtxDomainHandle_t domain) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = static_cast<std::uint16_t>(std::stoul(step.option("size", std::to_string(sizeof(attributes)))));
  attributes.category = static_cast<std::uint32_t>(number(step, "category"));
  if (const std::uint64_t color = number(step, "color"); color != 0) {
    attributes.colorType = NVTX_COLOR_ARGB;
    attributes.color = static_cast<std::uint32_t>(color);
  }
  set_payload(step, attributes);
  if (step.option("form", "") == "registered") {
    attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    attributes.message.registered = name.is_wide ? nvtxDomainRegisterStringW(domain, name.unicode())
                                                 : nvtxDomainRegisterStringA(domain, name.ascii());
  } else if (name.is_wide) {
    attributes.messageType = NVTX_MESSAGE_TYPE_UNICODE;
    attributes.message.unicode = name.unicode();
  } else {
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = name.ascii();
  }
  return attributes;
}

// One of the three families of functions: those that take text, those that take attributes, those of a domain.
template <typename Narrow, typename Wide, typename Ex, typename Domain>
auto call(const Step& step, Narrow narrow, Wide wide, Ex ex, Domain in_domain) {
  const Name name(step);
  const nvtxDomainHandle_t domain = domain_of(step, name.is_wide);
  if (domain == nullptr && step.option("form", "plain") == "plain") {
    return name.is_wide ? wide(name.unicode()) : narrow(name.ascii());
  }
  const nvtxEventAttributes_t attributes = attributes_of(step, name, domain);
  return domain == nullptr ? ex(&attributes) : in_domain(domain, &attributes);
}

void say(const Step& step, const char* what, long long value) {
  if (is_set(step, "quiet")) return;
  std::printf("%s %lld\n", what, value);
  // What stays in the buffer would be said again by a forked child.
  std::fflush(stdout);
}

void start(const Step& step) {
  const nvtxRangeId_t range = call(step, nvtxRangeStartA, nvtxRangeStartW, nvtxRangeStartEx, nvtxDomainRangeStartEx);
  say(step, "start", static_cast<long long>(range));
  const std::lock_guard lock(mutex);
  started[step.option("as", step.text(0, ""))] = range;
}

void end(const Step& step) {
  const nvtxDomainHandle_t domain = domain_of(step, false);
  nvtxRangeId_t range = 0;
  {
    const std::lock_guard lock(mutex);
    range = started.at(step.text(0, ""));
  }
  domain == nullptr ? nvtxRangeEnd(range) : nvtxDomainRangeEnd(domain, range);
}

void pop(const Step& step) {
  const nvtxDomainHandle_t domain = domain_of(step, false);
  say(step, "pop", domain == nullptr ? nvtxRangePop() : nvtxDomainRangePop(domain));
}

void name_category(const Step& step) {
  const Name name(step);
  const auto id = static_cast<std::uint32_t>(number(step, "id"));
  const nvtxDomainHandle_t domain = domain_of(step, false);
  if (domain != nullptr) {
    name.is_wide ? nvtxDomainNameCategoryW(domain, id, name.unicode())
                 : nvtxDomainNameCategoryA(domain, id, name.ascii());
  } else {
    name.is_wide ? nvtxNameCategoryW(id, name.unicode()) : nvtxNameCategoryA(id, name.ascii());
  }
}

void name_thread(const Step& step) {
  const Name name(step);
  const auto id = static_cast<std::uint32_t>(std::stoul(step.option("id", std::to_string(gettid()))));
  name.is_wide ? nvtxNameOsThreadW(id, name.unicode()) : nvtxNameOsThreadA(id, name.ascii());
}

void mark_at_thread_exit(const Step& step) {
  struct Marker {
    std::string name;
    ~Marker() {
      if (!name.empty()) nvtxMarkA(name.c_str());
    }
  };
  thread_local Marker marker;
  marker.name = step.text(0, "");
}

void inject(const Step& step) {
  const char* path = std::getenv("CUDA_INJECTION64_PATH");
  void* library = path != nullptr ? dlopen(path, RTLD_NOW) : nullptr;
  if (library == nullptr) throw std::runtime_error("no library to inject");
  auto* entry = reinterpret_cast<NvtxInitializeInjectionNvtxFunc_t>(dlsym(library, step.text(0, "").c_str()));
  if (entry == nullptr) throw std::runtime_error("no such entry point");
  // NVTX has to be initialised before, or it would overwrite what the library enters.
  nvtxInitialize(nullptr);
  say(step, "injected", entry(NVTX_VERSIONED_IDENTIFIER(nvtxGetExportTable)));
}

void pass_wrong_handles(const Step& step) {
  for (const std::uintptr_t handle : {std::uintptr_t{77}, std::uintptr_t{0xFFFFFFFE}, ~std::uintptr_t{0}}) {
    const auto domain = reinterpret_cast<nvtxDomainHandle_t>(handle);
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    attributes.message.registered = reinterpret_cast<nvtxStringHandle_t>(handle);
    say(step, "push", nvtxDomainRangePushEx(domain, &attributes));
    nvtxDomainMarkEx(domain, &attributes);
    nvtxDomainRangeEnd(domain, nvtxDomainRangeStartEx(domain, &attributes));
    nvtxDomainNameCategoryA(domain, 1, "c");
    nvtxDomainRangePop(domain);
    nvtxDomainDestroy(domain);
  }
}

}  // namespace

bool play_nvtx_step(const Step& step) {
  if (step.name == "nvtx-push") {
    say(step, "push", call(step, nvtxRangePushA, nvtxRangePushW, nvtxRangePushEx, nvtxDomainRangePushEx));
  } else if (step.name == "nvtx-pop") {
    pop(step);
  } else if (step.name == "nvtx-start") {
    start(step);
  } else if (step.name == "nvtx-end") {
    end(step);
  } else if (step.name == "nvtx-mark") {
    call(step, nvtxMarkA, nvtxMarkW, nvtxMarkEx, nvtxDomainMarkEx);
  } else if (step.name == "nvtx-category") {
    name_category(step);
  } else if (step.name == "nvtx-thread") {
    name_thread(step);
  } else if (step.name == "nvtx-init") {
    nvtxInitialize(nullptr);
  } else if (step.name == "nvtx-mark-at-thread-exit") {
    mark_at_thread_exit(step);
  } else if (step.name == "nvtx-inject") {
    inject(step);
  } else if (step.name == "nvtx-wrong-handles") {
    pass_wrong_handles(step);
  } else {
    return false;
  }
  return true;
}

}  // namespace fake_target
