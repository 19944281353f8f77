// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The two blobs that travel through the client: the configuration image and the counter data image. And the values: a
// function of the metric's name and of the kernel that ran in a range, so that a test can tell whether a value reached
// the right kernel.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device.hpp"

namespace fake_cupti {

using Groups = std::vector<std::vector<std::string>>;  // each list is measured in one pass

std::string serialise(const Groups& groups);
// Returns false when the bytes are not a configuration image.
bool parse(std::string_view image, Groups& groups);

struct Range {
  std::uint64_t kernel = 0;    // hash of kernel_key()
  std::uint64_t launches = 0;  // of that kernel
};

// "name|gx,gy,gz|bx,by,bz"
std::string kernel_key(const KernelWork& work);

// 64-bit FNV-1a.
std::uint64_t hash_of(std::string_view text);

double value_of(std::string_view metric, const Range& range);

// A counter data image in the client's memory.
class CounterImage {
 public:
  CounterImage(std::uint8_t* bytes, std::size_t size) : bytes_(bytes), size_(size) {}

  static std::size_t size_for(std::size_t passes, std::size_t ranges);

  bool initialise(std::size_t passes, std::size_t ranges);
  bool is_initialised() const;
  std::size_t pass_capacity() const { return header().passes; }
  std::size_t range_capacity() const { return header().ranges; }

  // Ranges of a pass. Returns the number that did not fit.
  std::size_t store(std::size_t pass, const std::vector<Range>& ranges);
  // Ranges that all passes together cover.
  std::size_t range_count() const;
  // Null when the pass has no such range.
  const Range* find(std::size_t pass, std::size_t range) const;

 private:
  struct Header {
    std::uint64_t magic;
    std::uint64_t passes;
    std::uint64_t ranges;
  };

  Header& header() const { return *reinterpret_cast<Header*>(bytes_); }
  std::uint64_t* counts() const { return reinterpret_cast<std::uint64_t*>(bytes_ + sizeof(Header)); }
  Range* ranges_of(std::size_t pass) const;

  std::uint8_t* bytes_;
  std::size_t size_;
};

}  // namespace fake_cupti
