// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The spelling of enumerators in report.json, one table per type.

#include <span>
#include <string_view>

#include "gpuprof/counter.hpp"
#include "gpuprof/report.hpp"

namespace gpuprof::model {

template <typename Enum>
struct EnumName {
  Enum value;
  const char* name;
};

// All enumerators of a type. The argument chooses the table; its value does not matter.
std::span<const EnumName<ValueState>> enum_names(ValueState);
std::span<const EnumName<Severity>> enum_names(Severity);
std::span<const EnumName<EndKind>> enum_names(EndKind);
std::span<const EnumName<IdleCause>> enum_names(IdleCause);

}  // namespace gpuprof::model
