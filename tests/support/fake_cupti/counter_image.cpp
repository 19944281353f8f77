// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "counter_image.hpp"

#include <algorithm>
#include <cstring>

namespace fake_cupti {
namespace {

constexpr std::string_view kConfigMagic = "fake config\n";
constexpr std::uint64_t kImageMagic = 0x656761'6d69656b61;
constexpr std::uint64_t kValueModulus = 1'000'003;

}  // namespace

std::string serialise(const Groups& groups) {
  std::string text(kConfigMagic);
  for (const auto& group : groups) {
    for (const std::string& metric : group) text += metric + ' ';
    text += '\n';
  }
  return text;
}

bool parse(std::string_view image, Groups& groups) {
  if (image.substr(0, kConfigMagic.size()) != kConfigMagic) return false;
  groups.clear();
  std::vector<std::string> group;
  std::string metric;
  for (char c : image.substr(kConfigMagic.size())) {
    if (c == '\n') {
      groups.push_back(std::move(group));
      group.clear();
    } else if (c == ' ') {
      group.push_back(std::move(metric));
      metric.clear();
    } else {
      metric += c;
    }
  }
  return true;
}

std::string kernel_key(const KernelWork& work) {
  const auto text = [](const Dim& dim) {
    return std::to_string(dim[0]) + ',' + std::to_string(dim[1]) + ',' + std::to_string(dim[2]);
  };
  return work.name + '|' + text(work.grid) + '|' + text(work.block);
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
  return hash;
}

double value_of(std::string_view metric, const Range& range) {
  const std::uint64_t one_launch = (hash_of(metric) ^ range.kernel) % kValueModulus;
  return static_cast<double>(one_launch * range.launches);
}

std::size_t CounterImage::size_for(std::size_t passes, std::size_t ranges) {
  return sizeof(Header) + passes * (sizeof(std::uint64_t) + ranges * sizeof(Range));
}

bool CounterImage::initialise(std::size_t passes, std::size_t ranges) {
  if (bytes_ == nullptr || size_ < size_for(passes, ranges)) return false;
  std::memset(bytes_, 0, size_);
  header() = {kImageMagic, passes, ranges};
  return true;
}

bool CounterImage::is_initialised() const {
  return bytes_ != nullptr && size_ >= sizeof(Header) && header().magic == kImageMagic &&
         size_ >= size_for(header().passes, header().ranges);
}

Range* CounterImage::ranges_of(std::size_t pass) const {
  return reinterpret_cast<Range*>(counts() + header().passes) + pass * header().ranges;
}

std::size_t CounterImage::store(std::size_t pass, const std::vector<Range>& ranges) {
  const std::size_t kept = std::min<std::size_t>(ranges.size(), range_capacity());
  std::copy_n(ranges.begin(), kept, ranges_of(pass));
  counts()[pass] = kept;
  return ranges.size() - kept;
}

std::size_t CounterImage::range_count() const {
  const std::uint64_t* first = counts();
  return header().passes == 0 ? 0 : *std::max_element(first, first + header().passes);
}

const Range* CounterImage::find(std::size_t pass, std::size_t range) const {
  return pass < header().passes && range < counts()[pass] ? ranges_of(pass) + range : nullptr;
}

}  // namespace fake_cupti
