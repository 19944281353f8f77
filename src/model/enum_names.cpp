// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "model/enum_names.hpp"

namespace gpuprof {
namespace model {
namespace {

constexpr EnumName<ValueState> kValueStates[] = {
    {ValueState::measured, "measured"},
    {ValueState::derived, "derived"},
    {ValueState::estimated, "estimated"},
    {ValueState::not_measured, "not_measured"},
};

constexpr EnumName<Severity> kSeverities[] = {
    {Severity::info, "info"},
    {Severity::warning, "warning"},
    {Severity::error, "error"},
};

constexpr EnumName<EndKind> kEndKinds[] = {
    {EndKind::exited, "exited"},
    {EndKind::signalled, "signalled"},
    {EndKind::not_started, "not_started"},
    {EndKind::running, "running"},
};

template <typename Enum>
const char* name_of(Enum value) {
  for (const EnumName<Enum>& entry : enum_names(value)) {
    if (entry.value == value) return entry.name;
  }
  return "unknown";
}

}  // namespace

std::span<const EnumName<ValueState>> enum_names(ValueState) {
  return kValueStates;
}
std::span<const EnumName<Severity>> enum_names(Severity) {
  return kSeverities;
}
std::span<const EnumName<EndKind>> enum_names(EndKind) {
  return kEndKinds;
}

}  // namespace model

const char* to_string(ValueState state) {
  return model::name_of(state);
}
const char* to_string(Severity severity) {
  return model::name_of(severity);
}
const char* to_string(EndKind kind) {
  return model::name_of(kind);
}

}  // namespace gpuprof
