// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names that NVTX hands out handles for, domains and registered strings: each different one has an index. A handle is
// an index and never a pointer, so that what a program passes in by mistake is looked up and not followed.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gpuprof::collector {

// Not thread-safe.
class NvtxNames {
 public:
  // Index 0 is taken by the empty name: the default domain, or no registered string.
  NvtxNames() { index_of({}); }

  // The index of `name`, which gets one if it has none yet; 0 when the names take too much memory.
  std::uint32_t index_of(std::string_view name);

  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }

  // Empty for an index that was never given out.
  std::string_view operator[](std::uint32_t index) const;

 private:
  std::deque<std::string> names_;
  std::unordered_map<std::string_view, std::uint32_t> indices_;  // keys lie in names_
  std::size_t bytes_ = 0;
};

}  // namespace gpuprof::collector
