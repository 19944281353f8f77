// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/nvtx_names.hpp"

namespace gpuprof::collector {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
// About what an entry takes beside its text.
constexpr std::size_t kEntryBytes = 96;

}  // namespace

std::uint32_t NvtxNames::index_of(std::string_view name) {
  if (const auto found = indices_.find(name); found != indices_.end()) return found->second;
  if (bytes_ + name.size() + kEntryBytes > kMaxBytes) return 0;
  const auto index = static_cast<std::uint32_t>(names_.size());
  names_.emplace_back(name);
  try {
    indices_.emplace(names_.back(), index);
  } catch (...) {
    names_.pop_back();
    throw;
  }
  bytes_ += name.size() + kEntryBytes;
  return index;
}

std::string_view NvtxNames::operator[](std::uint32_t index) const {
  return index < names_.size() ? std::string_view(names_[index]) : std::string_view();
}

}  // namespace gpuprof::collector
