// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums of the time in which a device computed nothing, by cause and detail.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "gpuprof/timeline.hpp"
#include "timeline/idle_attribution.hpp"
#include "trace/reader.hpp"

namespace gpuprof::timeline {

class IdleLedger {
 public:
  // Pieces in time order. One that continues the piece before it belongs to the same gap.
  void add(const IdlePiece& piece);

  // By descending time. Names of functions lose their version.
  std::vector<IdleTime> report(const trace::Dictionaries& dictionaries) const;

 private:
  struct Sum {
    std::uint64_t time_ns = 0;
    std::uint64_t gaps = 0;
  };
  // Programs that number their ranges have a name for each; beyond this many, new names go without detail.
  static constexpr std::size_t kMostNames = 256;
  static constexpr std::uint64_t kNoName = 0xffffffff;

  static std::uint64_t key(IdleCause cause, std::uint64_t name) {
    return static_cast<std::uint64_t>(cause) << 32 | name;
  }

  std::unordered_map<std::uint64_t, Sum> sums_;
  std::uint64_t newest_key_ = 0;
  std::uint64_t newest_end_ns_ = 0;
  Sum* newest_ = nullptr;
};

}  // namespace gpuprof::timeline
