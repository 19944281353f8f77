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
    {EndKind::exited, "exited"},   {EndKind::signalled, "signalled"}, {EndKind::not_started, "not_started"},
    {EndKind::running, "running"}, {EndKind::vanished, "vanished"},   {EndKind::replaced, "replaced"},
};

constexpr EnumName<IdleCause> kIdleCauses[] = {
    {IdleCause::not_captured, "not_captured"},
    {IdleCause::start_up, "start_up"},
    {IdleCause::shut_down, "shut_down"},
    {IdleCause::communication_not_overlapped, "communication_not_overlapped"},
    {IdleCause::copy_not_overlapped, "copy_not_overlapped"},
    {IdleCause::input_pipeline, "input_pipeline"},
    {IdleCause::synchronization, "synchronization"},
    {IdleCause::launch_bound, "launch_bound"},
    {IdleCause::unexplained, "unexplained"},
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
std::span<const EnumName<IdleCause>> enum_names(IdleCause) {
  return kIdleCauses;
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
const char* to_string(IdleCause cause) {
  return model::name_of(cause);
}

}  // namespace gpuprof
