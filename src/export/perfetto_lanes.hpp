// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Perfetto wants the slices of one track nested or apart, and mixes up the ends of all others. Here slices are
// distributed so that they are. Memory depends on how many are open at one time.

#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "export/perfetto_packets.hpp"

namespace gpuprof::perfetto {

// Gives every slice the lowest lane that is free from its start on. Starts must not decrease.
class Lanes {
 public:
  std::size_t place(std::uint64_t start_ns, std::uint64_t end_ns);
  // A slice whose end is not known yet; release() ends it.
  std::size_t open();
  void release(std::size_t lane) { free_.push(lane); }

 private:
  struct Busy {
    std::uint64_t end_ns;
    std::size_t lane;
    bool operator>(const Busy& other) const { return end_ns > other.end_ns; }
  };
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy_;
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free_;
  std::size_t count_ = 0;
};

// The calls of one thread: slices that come in order of their start and are expected to be nested. Of slices with one
// start the longer one becomes the outer one. A slice that is not nested after all, which takes a wrong clock, goes to
// a lane beside the others.
class NestedSlices {
 public:
  // Lane 0 is the thread's own track.
  using Write = std::function<void(std::size_t lane, const Slice& slice)>;
  explicit NestedSlices(Write write) : write_(std::move(write)) {}

  void add(const Slice& slice);
  void flush();

 private:
  struct Held {
    Slice slice;
    std::string annotations;
  };
  Write write_;
  std::vector<Held> held_;  // slices with one start; the first held_count_ are in use
  std::size_t held_count_ = 0;
  std::vector<std::uint64_t> open_ends_ns_;  // of the slices around the next one, from the outside in
  Lanes others_;
};

}  // namespace gpuprof::perfetto
