// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/nvtx_callbacks.hpp"

// The types without the functions.
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <bit>
#include <cstddef>

#include "collector/nvtx_recorder.hpp"

namespace gpuprof::collector {
namespace {

// What the first version of the attributes holds; later versions append.
constexpr std::size_t kAttributesBytes = 48;
static_assert(sizeof(nvtxEventAttributes_t) == kAttributesBytes);

NvtxRecorder& recorder() {
  return NvtxRecorder::instance();
}

// Nothing may be thrown into the program.
template <typename Call>
auto guarded(const Call& call) noexcept -> decltype(call()) {
  try {
    return call();
  } catch (...) {
    return decltype(call())();
  }
}

// Handles are indices; see NvtxNames. NVTX's null handles are index 0. The largest index is never given out.
std::uint32_t index_of(const void* handle) {
  constexpr std::uintptr_t kLargest = 0xFFFFFFFF;
  return static_cast<std::uint32_t>(std::min(reinterpret_cast<std::uintptr_t>(handle), kLargest));
}

template <typename Handle>
Handle handle_of(std::uint32_t index) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): it is not meant to be followed
  return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(index));
}

NvtxText text_of(const char* name) {
  NvtxText text;
  text.bytes = name;
  return text;
}

NvtxText text_of(const wchar_t* name) {
  NvtxText text;
  text.wide = name;
  return text;
}

NvtxText message_of(const nvtxEventAttributes_t& attributes) {
  NvtxText text;
  switch (attributes.messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
      text.bytes = attributes.message.ascii;
      break;
    case NVTX_MESSAGE_TYPE_UNICODE:
      text.wide = attributes.message.unicode;
      break;
    case NVTX_MESSAGE_TYPE_REGISTERED:
      text.registered = index_of(attributes.message.registered);
      break;
    default:
      break;
  }
  return text;
}

void take_payload(const nvtxEventAttributes_t& attributes, NvtxCall& call) {
  using trace::NvtxPayload;
  const auto& value = attributes.payload;
  const auto set = [&call](NvtxPayload type, std::uint64_t bits) {
    call.payload_type = type;
    call.payload = bits;
  };
  switch (attributes.payloadType) {
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT64:
      return set(NvtxPayload::unsigned_integer, value.ullValue);
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT32:
      return set(NvtxPayload::unsigned_integer, value.uiValue);
    case NVTX_PAYLOAD_TYPE_INT64:
      return set(NvtxPayload::signed_integer, static_cast<std::uint64_t>(value.llValue));
    case NVTX_PAYLOAD_TYPE_INT32:
      return set(NvtxPayload::signed_integer, static_cast<std::uint64_t>(std::int64_t{value.iValue}));
    case NVTX_PAYLOAD_TYPE_DOUBLE:
      return set(NvtxPayload::real, std::bit_cast<std::uint64_t>(value.dValue));
    case NVTX_PAYLOAD_TYPE_FLOAT:
      return set(NvtxPayload::real, std::bit_cast<std::uint64_t>(static_cast<double>(value.fValue)));
    default:
      return;  // structured payloads belong to an extension that is not served
  }
}

NvtxCall call_of(std::uint32_t domain, const nvtxEventAttributes_t* attributes) {
  NvtxCall call;
  call.domain = domain;
  // A size of 0 comes from programs that do not set it.
  if (attributes == nullptr || (attributes->size != 0 && attributes->size < kAttributesBytes)) return call;
  call.name = message_of(*attributes);
  call.category = attributes->category;
  if (attributes->colorType == NVTX_COLOR_ARGB) call.color = attributes->color;
  take_payload(*attributes, call);
  return call;
}

NvtxCall call_of(const NvtxText& name) {
  NvtxCall call;
  call.name = name;
  return call;
}

// The functions, in the forms that NVTX declares. A form for characters serves both `const char*` and `const wchar_t*`.
void NVTX_API domain_mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  guarded([&] { recorder().mark(call_of(index_of(domain), attributes)); });
}
void NVTX_API mark(const nvtxEventAttributes_t* attributes) {
  domain_mark(nullptr, attributes);
}
template <typename Character>
void NVTX_API mark_text(const Character* name) {
  guarded([&] { recorder().mark(call_of(text_of(name))); });
}

nvtxRangeId_t NVTX_API domain_start(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  return guarded([&] { return recorder().start(call_of(index_of(domain), attributes)); });
}
nvtxRangeId_t NVTX_API start(const nvtxEventAttributes_t* attributes) {
  return domain_start(nullptr, attributes);
}
template <typename Character>
nvtxRangeId_t NVTX_API start_text(const Character* name) {
  return guarded([&] { return recorder().start(call_of(text_of(name))); });
}

void NVTX_API domain_end(nvtxDomainHandle_t domain, nvtxRangeId_t range) {
  guarded([&] { recorder().end(index_of(domain), range); });
}
void NVTX_API end(nvtxRangeId_t range) {
  domain_end(nullptr, range);
}

int NVTX_API domain_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  return guarded([&] { return recorder().push(call_of(index_of(domain), attributes)); });
}
int NVTX_API push(const nvtxEventAttributes_t* attributes) {
  return domain_push(nullptr, attributes);
}
template <typename Character>
int NVTX_API push_text(const Character* name) {
  return guarded([&] { return recorder().push(call_of(text_of(name))); });
}

int NVTX_API domain_pop(nvtxDomainHandle_t domain) {
  return guarded([&] { return recorder().pop(index_of(domain)); });
}
int NVTX_API pop() {
  return domain_pop(nullptr);
}

template <typename Character>
void NVTX_API domain_name_category(nvtxDomainHandle_t domain, std::uint32_t category, const Character* name) {
  guarded([&] { recorder().name_category(index_of(domain), category, text_of(name)); });
}
template <typename Character>
void NVTX_API name_category(std::uint32_t category, const Character* name) {
  domain_name_category(nullptr, category, name);
}
template <typename Character>
void NVTX_API name_thread(std::uint32_t thread, const Character* name) {
  guarded([&] { recorder().name_thread(thread, text_of(name)); });
}

// Domains share their strings: what differs between them is the ranges.
template <typename Character>
nvtxStringHandle_t NVTX_API register_string(nvtxDomainHandle_t, const Character* name) {
  return guarded([&] { return handle_of<nvtxStringHandle_t>(recorder().register_string(text_of(name))); });
}
template <typename Character>
nvtxDomainHandle_t NVTX_API create_domain(const Character* name) {
  return guarded([&] { return handle_of<nvtxDomainHandle_t>(recorder().create_domain(text_of(name))); });
}

// One module's table.
class Table {
 public:
  Table(const NvtxExportTableCallbacks& callbacks, NvtxCallbackModule module) {
    if (callbacks.GetModuleFunctionTable(module, &slots_, &size_) == 0) size_ = 0;
  }

  bool present() const { return size_ != 0 && slots_ != nullptr; }

  // Type is the one that NVTX declares for the slot, so that the compiler compares it with the function's.
  template <typename Type>
  void set(unsigned id, Type function) {
    if (id < size_ && slots_[id] != nullptr) *slots_[id] = reinterpret_cast<NvtxFunctionPointer>(function);
  }

 private:
  NvtxFunctionTable slots_ = nullptr;
  unsigned size_ = 0;
};

void fill_core(Table table) {
  table.set<nvtxMarkEx_impl_fntype>(NVTX_CBID_CORE_MarkEx, mark);
  table.set<nvtxMarkA_impl_fntype>(NVTX_CBID_CORE_MarkA, mark_text);
  table.set<nvtxMarkW_impl_fntype>(NVTX_CBID_CORE_MarkW, mark_text);
  table.set<nvtxRangeStartEx_impl_fntype>(NVTX_CBID_CORE_RangeStartEx, start);
  table.set<nvtxRangeStartA_impl_fntype>(NVTX_CBID_CORE_RangeStartA, start_text);
  table.set<nvtxRangeStartW_impl_fntype>(NVTX_CBID_CORE_RangeStartW, start_text);
  table.set<nvtxRangeEnd_impl_fntype>(NVTX_CBID_CORE_RangeEnd, end);
  table.set<nvtxRangePushEx_impl_fntype>(NVTX_CBID_CORE_RangePushEx, push);
  table.set<nvtxRangePushA_impl_fntype>(NVTX_CBID_CORE_RangePushA, push_text);
  table.set<nvtxRangePushW_impl_fntype>(NVTX_CBID_CORE_RangePushW, push_text);
  table.set<nvtxRangePop_impl_fntype>(NVTX_CBID_CORE_RangePop, pop);
  table.set<nvtxNameCategoryA_impl_fntype>(NVTX_CBID_CORE_NameCategoryA, name_category);
  table.set<nvtxNameCategoryW_impl_fntype>(NVTX_CBID_CORE_NameCategoryW, name_category);
  table.set<nvtxNameOsThreadA_impl_fntype>(NVTX_CBID_CORE_NameOsThreadA, name_thread);
  table.set<nvtxNameOsThreadW_impl_fntype>(NVTX_CBID_CORE_NameOsThreadW, name_thread);
}

// Destroying a domain needs nothing done: its name stays valid, and so does a handle used too late.
void fill_core2(Table table) {
  table.set<nvtxDomainMarkEx_impl_fntype>(NVTX_CBID_CORE2_DomainMarkEx, domain_mark);
  table.set<nvtxDomainRangeStartEx_impl_fntype>(NVTX_CBID_CORE2_DomainRangeStartEx, domain_start);
  table.set<nvtxDomainRangeEnd_impl_fntype>(NVTX_CBID_CORE2_DomainRangeEnd, domain_end);
  table.set<nvtxDomainRangePushEx_impl_fntype>(NVTX_CBID_CORE2_DomainRangePushEx, domain_push);
  table.set<nvtxDomainRangePop_impl_fntype>(NVTX_CBID_CORE2_DomainRangePop, domain_pop);
  table.set<nvtxDomainNameCategoryA_impl_fntype>(NVTX_CBID_CORE2_DomainNameCategoryA, domain_name_category);
  table.set<nvtxDomainNameCategoryW_impl_fntype>(NVTX_CBID_CORE2_DomainNameCategoryW, domain_name_category);
  table.set<nvtxDomainRegisterStringA_impl_fntype>(NVTX_CBID_CORE2_DomainRegisterStringA, register_string);
  table.set<nvtxDomainRegisterStringW_impl_fntype>(NVTX_CBID_CORE2_DomainRegisterStringW, register_string);
  table.set<nvtxDomainCreateA_impl_fntype>(NVTX_CBID_CORE2_DomainCreateA, create_domain);
  table.set<nvtxDomainCreateW_impl_fntype>(NVTX_CBID_CORE2_DomainCreateW, create_domain);
}

}  // namespace

bool install_nvtx_callbacks(const void* (*get_export_table)(std::uint32_t id)) {
  if (get_export_table == nullptr) return false;
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(get_export_table(NVTX_ETID_CALLBACKS));
  if (callbacks == nullptr || callbacks->struct_size < sizeof(NvtxExportTableCallbacks)) return false;
  const Table core(*callbacks, NVTX_CB_MODULE_CORE);
  if (!core.present()) return false;
  fill_core(core);
  fill_core2(Table(*callbacks, NVTX_CB_MODULE_CORE2));
  return true;
}

}  // namespace gpuprof::collector
