// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cupti/host.hpp"

namespace gpuprof::cupti {
namespace {

// CUPTI counted its releases one by one before CUDA 13 (cupti_version.h lists them).
struct HistoricVersion {
  std::uint32_t index;
  const char* toolkit;
};

constexpr HistoricVersion kHistoricVersions[] = {{19, "12.0"}, {20, "12.2"}, {21, "12.3"}, {22, "12.4"},  {23, "12.5"},
                                                 {24, "12.6"}, {26, "12.8"}, {27, "12.9"}, {28, "12.9.1"}};

constexpr std::uint32_t kFirstEncodedVersion = 130000;

}  // namespace

std::string version_text(std::uint32_t version) {
  if (version >= kFirstEncodedVersion) {
    return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
  }
  for (const HistoricVersion& known : kHistoricVersions) {
    if (known.index == version) return known.toolkit;
  }
  return std::to_string(version);
}

}  // namespace gpuprof::cupti
