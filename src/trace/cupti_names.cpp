// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/cupti_names.hpp"

#include <array>
#include <span>

namespace gpuprof::trace {
namespace {

constexpr std::array<const char*, 11> kCopyKinds{"unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA",
                                                 "AtoD",    "DtoA", "DtoD", "HtoH", "PtoP"};

constexpr std::array<const char*, 8> kMemoryKinds{"unknown", "pageable", "pinned",        "device",
                                                  "array",   "managed",  "device_static", "managed_static"};

std::string name_of(std::span<const char* const> names, std::uint32_t kind) {
  return kind < names.size() ? names[kind] : "kind " + std::to_string(kind);
}

constexpr std::uint32_t kStreamWaitEvent = 2;

}  // namespace

std::string copy_kind_name(std::uint32_t kind) {
  return name_of(kCopyKinds, kind);
}

std::string memory_kind_name(std::uint32_t kind) {
  return name_of(kMemoryKinds, kind);
}

bool host_waits(std::uint32_t synchronization_type) {
  return synchronization_type != kStreamWaitEvent;
}

ApiRole api_role(std::string_view function) {
  const auto begins = [function](std::string_view prefix) { return function.substr(0, prefix.size()) == prefix; };
  // Host functions are queued by a launch call too, but no kernel comes of it.
  if (begins("cudaLaunchHostFunc") || begins("cuLaunchHostFunc")) return ApiRole::other;
  if (begins("cudaLaunch") || begins("cudaGraphLaunch")) return ApiRole::runtime_launch;
  if (begins("cuLaunch") || begins("cuGraphLaunch")) return ApiRole::driver_launch;
  return ApiRole::other;
}

std::string cupti_version_name(std::uint32_t version) {
  if (version < 100000) return std::to_string(version);
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

}  // namespace gpuprof::trace
