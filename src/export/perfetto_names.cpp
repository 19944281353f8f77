// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "export/perfetto_names.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.hpp"
#include "trace/cupti_names.hpp"
#include "trace/rank_labels.hpp"

namespace gpuprof::perfetto {
namespace {

constexpr std::array<const char*, 5> kWaits{"Wait", "Wait for event", "Stream waits for event", "Wait for stream",
                                            "Wait for context"};
// Indexed by the upper half of the number.
constexpr std::array<const char*, 9> kOverheads{
    "Overhead",         "Activity buffer flush",  "Instrumentation",         "Profiler resources",   "Module loading",
    "Function loading", "Command buffer is full", "Activity buffer request", "Unified memory set-up"};
constexpr std::uint32_t kDriverCompiler = 1;
constexpr std::array<const char*, 3> kJitEntries{"code", "PTX", "NVVM IR"};
constexpr std::array<const char*, 4> kJitOperations{"Process", "Load from cache", "Store in cache", "Compile"};
std::string name_of(std::span<const char* const> names, std::uint32_t number) {
  return number < names.size() ? names[number] : "kind " + std::to_string(number);
}

bool begins(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

}  // namespace

std::string copy_name(std::uint32_t kind) {
  return "Copy " + trace::copy_kind_name(kind);
}

std::string wait_name(std::uint32_t type) {
  return type < kWaits.size() ? kWaits[type] : kWaits[0];
}

std::string overhead_name(std::uint32_t kind) {
  if (kind == kDriverCompiler) return "Driver compiler";
  const std::uint32_t index = kind >> 16;
  return index < kOverheads.size() && (kind & 0xffff) == 0 ? kOverheads[index] : "Overhead " + std::to_string(kind);
}

std::string jit_name(const trace::Jit& record) {
  return name_of(kJitOperations, record.operation) + " (" + name_of(kJitEntries, record.entry) + ")";
}

std::string api_name(std::string_view function) {
  const std::size_t at = function.rfind("_v");
  // cuMemAlloc_v2 is a function's real name; four digits and more are a release.
  constexpr std::size_t kReleaseDigits = 4;
  if (at != std::string_view::npos && function.size() - at - 2 >= kReleaseDigits &&
      function.find_first_not_of("0123456789", at + 2) == std::string_view::npos) {
    function = function.substr(0, at);
  }
  return printable(function);
}

std::string dimensions(const Dim3& size) {
  return std::to_string(size.x) + " x " + std::to_string(size.y) + " x " + std::to_string(size.z);
}

bool starts_work(std::string_view function) {
  std::string_view rest = function;
  if (begins(rest, "cuda")) {
    rest.remove_prefix(4);
  } else if (begins(rest, "cu")) {
    rest.remove_prefix(2);
  } else {
    return false;
  }
  if (begins(rest, "LaunchHostFunc")) return false;
  return begins(rest, "Launch") || begins(rest, "GraphLaunch") || begins(rest, "Memcpy") || begins(rest, "Memset");
}

std::string process_name(const trace::ProcessInfo& process, bool with_host) {
  const std::string& path = process.executable;
  std::string name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  if (name.empty()) name = "process";
  name = printable(name) + " (pid " + std::to_string(process.pid);
  if (const auto rank = trace::read_rank(process.labels).rank) name += ", rank " + std::to_string(*rank);
  if (with_host && !process.hostname.empty()) name += ", host " + printable(process.hostname);
  return name + ")";
}

}  // namespace gpuprof::perfetto
