// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/output_pattern.hpp"

#include <unistd.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "workflow/environment_info.hpp"
#include "workflow/settings.hpp"

namespace gpuprof::workflow {
namespace {

constexpr const char* kHint =
    "Patterns are %h (host), %p (process id of gpuprof), %q{VARIABLE}, %n (first free number) and %% (a percent sign).";

// The value of the variable whose name in braces begins at `at`, which is moved behind it.
std::string variable_value(std::string_view pattern, std::size_t& at, const PatternValues& values) {
  const std::size_t close = at < pattern.size() && pattern[at] == '{' ? pattern.find('}', at) : std::string_view::npos;
  if (close == std::string_view::npos || close == at + 1) {
    throw UsageError("%q in -o needs the name of a variable in braces", "Write for example %q{SLURM_PROCID}.");
  }
  const std::string name(pattern.substr(at + 1, close - at - 1));
  at = close + 1;
  const std::optional<std::string> value = values.environment(name);
  if (!value || value->empty()) {
    throw UsageError("the variable " + printable(name) + " in -o is " + (value ? "empty" : "not set"),
                     "Set it, or use another pattern; %p gives every gpuprof of a host its own name.");
  }
  return *value;
}

}  // namespace

PatternValues pattern_values() {
  return {read_environment().hostname, static_cast<std::uint64_t>(getpid()), environment_variable};
}

OutputName::OutputName(std::string_view pattern, const PatternValues& values) : parts_(1) {
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern[at] != '%') {
      parts_.back() += pattern[at++];
      continue;
    }
    const char kind = at + 1 < pattern.size() ? pattern[at + 1] : '\0';
    at += 2;
    switch (kind) {
      case '%':
        parts_.back() += '%';
        break;
      case 'h':
        parts_.back() += values.host;
        break;
      case 'p':
        parts_.back() += std::to_string(values.pid);
        break;
      case 'n':
        parts_.emplace_back();
        break;
      case 'q':
        parts_.back() += variable_value(pattern, at, values);
        break;
      default:
        throw UsageError(kind == '\0' ? std::string("-o ends with a single percent sign")
                                      : "-o holds the unknown pattern " + printable(pattern.substr(at - 2, 2)),
                         kHint);
    }
  }
}

std::string OutputName::with_number(int number) const {
  std::string name = parts_[0];
  for (std::size_t i = 1; i < parts_.size(); ++i) name += std::to_string(number) + parts_[i];
  return name;
}

}  // namespace gpuprof::workflow
