// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gpuprof::trace {

// A trace file mapped read-only for the lifetime of the object. Throws Error when it cannot be read.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

  // Says that `bytes` more bytes have been used up. Every now and then the memory of the whole mapping is given back,
  // so that reading takes the same memory for any size of file; what is read again comes back from the page cache.
  void used(std::size_t bytes) {
    used_ += bytes;
    if (used_ >= kReleaseBytes) release();
  }

 private:
  static constexpr std::size_t kReleaseBytes = 16 << 20;

  void release();

  void* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
};

}  // namespace gpuprof::trace
