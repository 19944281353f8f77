// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The NVTX push/pop range that repeats as the step of a program.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gpuprof/report.hpp"
#include "timeline/duration_counts.hpp"

namespace gpuprof::timeline {

// "ProfilerStep#12" -> "ProfilerStep", "step 7" -> "step": without a number at the end and what joins it to the name. A
// name that is nothing but a number stays as it is.
std::string_view without_number(std::string_view name);

// Looks at all push/pop ranges of one process. A range is the step when, on one thread and under one name, it
//  - was closed at least three times and is never inside itself,
//  - covers at least half of the time from its first start to its last end,
//  - holds at least a quarter of the process's kernels, and
//  - is not inside another range for which all that holds.
// Among several, one whose thread launches work wins, then the one with the most time.
class NvtxSteps {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  // What a closed range amounts to.
  struct Instance {
    std::uint64_t start_ns = 0;
    std::uint64_t end_ns = 0;
    std::uint64_t busy_ns = 0;
    std::uint64_t kernels = 0;   // started while it was open
    std::uint64_t launches = 0;  // launch calls of its thread meanwhile
    bool captured = true;        // all of it was recorded
  };

  // The candidate that ranges of this name on this thread belong to; kNone when there are too many names. The ids are
  // string ids of the trace. Callers may keep the answer.
  std::uint32_t candidate(std::uint32_t thread, std::uint32_t domain_id, std::uint32_t name_id, std::string_view name);

  // A range was opened or closed on the thread; in order of time.
  void enter(std::uint32_t candidate, std::uint32_t thread);
  void leave(std::uint32_t candidate, std::uint32_t thread);

  // A range that was left, once all about it is known; in order of its end.
  void add(std::uint32_t candidate, const Instance& instance);

  // `kernels` of the whole process. pid and rank are left to the caller.
  std::optional<StepReport> take(std::uint64_t kernels);

 private:
  struct Candidate {
    std::string name;           // without its number
    std::uint32_t name_id = 0;  // of the first instance
    bool numbered = false;      // the names differ
    bool nested_in_itself = false;
    std::uint32_t open = 0;
    std::uint32_t parent = kNone;  // the enclosing candidate of most instances, by majority vote
    std::uint64_t parent_votes = 0;
    std::uint64_t first_ns = 0;
    std::uint64_t last_ns = 0;
    DurationCounts durations;
    std::uint64_t captured = 0;  // instances recorded as a whole: the means are over these
    std::uint64_t idle_ns = 0;
    std::uint64_t kernels = 0;
    std::uint64_t launches = 0;
  };

  bool qualifies(const Candidate& candidate, std::uint64_t kernels) const;
  bool inside_another(const std::vector<bool>& qualified, std::uint32_t candidate) const;

  static constexpr std::size_t kMaxCandidates = 4096;

  std::unordered_map<std::string, std::uint32_t> index_;  // by thread, domain and name without its number
  std::vector<Candidate> candidates_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> open_;  // by thread: candidates, innermost last
};

}  // namespace gpuprof::timeline
