// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// From correlation ids to API calls, for the newest of them. Ids grow with every call, so a table that is indexed by
// their low bits forgets the oldest calls first, and one id stays for all operations of a graph launch.

#include <cstdint>
#include <string_view>
#include <vector>

#include "gpuprof/trace.hpp"
#include "trace/reader.hpp"

namespace gpuprof::trace {

class LaunchTable {
 public:
  explicit LaunchTable(const Dictionaries& dictionaries) : slots_(kFirstSlots) {
    for (std::uint32_t id = 0; id < dictionaries.string_count(); ++id) {
      runtime_.push_back(dictionaries.string(id).substr(0, 4) == "cuda" ? 1 : 0);
    }
  }

  // A runtime call and the driver call inside it share their id; the runtime call is the one that the program made.
  void add(const ApiCall& call) {
    if (call.correlation == 0) return;
    ApiCall* slot = &slot_of(call.correlation);
    while (slot->correlation != 0 && slot->correlation != call.correlation && slots_.size() < kMostSlots) {
      grow();
      slot = &slot_of(call.correlation);
    }
    if (slot->correlation == call.correlation && runtime_[slot->function] > runtime_[call.function]) return;
    *slot = call;
  }

  // Null when the id is 0 or its call is not known (any more).
  const ApiCall* find(std::uint32_t correlation) const {
    const ApiCall& slot = slots_[correlation & (slots_.size() - 1)];
    return correlation != 0 && slot.correlation == correlation ? &slot : nullptr;
  }

 private:
  static constexpr std::size_t kFirstSlots = std::size_t{1} << 12;
  static constexpr std::size_t kMostSlots = std::size_t{1} << 20;

  ApiCall& slot_of(std::uint32_t correlation) { return slots_[correlation & (slots_.size() - 1)]; }

  void grow() {
    std::vector<ApiCall> before(2 * slots_.size());
    before.swap(slots_);
    for (const ApiCall& call : before) {
      if (call.correlation != 0) slot_of(call.correlation) = call;
    }
  }

  std::vector<ApiCall> slots_;         // correlation 0: free
  std::vector<std::uint8_t> runtime_;  // by string id: is it a function of the runtime API?
};

}  // namespace gpuprof::trace
