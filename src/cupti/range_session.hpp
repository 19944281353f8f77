// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hardware counters of one context: CUPTI's range profiler with user replay, one single-pass group of metrics a window.
//
// A window is start() ... launches ... stop(), then evaluate(). In auto ranges every kernel launch becomes a range; in
// user ranges the caller puts push_range() and pop_range() around what is to be measured. Windows take the groups in
// turn: with every stop CUPTI goes on to the next pass, and starts over after the last. It cannot be told which pass to
// take: cuptiRangeProfilerSetConfig ignores passIndex under user replay (measured with CUDA 13.0 on an H200).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cupti/client.hpp"

namespace gpuprof::cupti {

enum class RangeMode {
  automatic,  // every kernel launch is a range
  user,       // pushed and popped by the caller: the only way to measure a graph launch
};

class RangeSession {
 public:
  // Arms `groups` on `context` (a CUcontext). `max_ranges`: the most ranges a window may hold. Returns null and fills
  // `failure`: no permission, counters in use, chip or metric not supported.
  static std::unique_ptr<RangeSession> open(const Client& client, void* context,
                                            const std::vector<std::vector<std::string>>& groups, std::size_t max_ranges,
                                            RangeMode mode, Failure& failure);

  // Gives the counters back. Best effort: the context may be on its way out.
  ~RangeSession();
  RangeSession(const RangeSession&) = delete;
  RangeSession& operator=(const RangeSession&) = delete;

  const std::string& chip() const { return chip_; }
  RangeMode mode() const { return mode_; }

  // The group that the next window will measure, or the open one does.
  std::size_t next_group() const { return next_group_; }

  // These return false and fill failure() when CUPTI refuses; the session is of no further use then.
  bool start();
  bool push_range(const char* name);
  bool pop_range();
  bool stop();  // stops and decodes

  // Number of ranges of the window just stopped.
  std::size_t range_count();

  // The values of one range of the window just stopped, in the order of its group's metrics; NaN where there is none.
  bool evaluate(std::size_t range, double* values);

  const Failure& failure() const { return failure_; }

 private:
  RangeSession(const Client& client, void* context, const std::vector<std::vector<std::string>>& groups,
               std::size_t max_ranges, RangeMode mode);
  bool prepare_host();
  bool prepare_image();
  bool configure();
  bool fail(const char* call, int result);

  const Client& client_;
  void* context_;
  std::vector<std::vector<std::string>> groups_;
  std::vector<std::vector<const char*>> group_names_;  // the same as C strings
  std::vector<const char*> all_names_;
  std::size_t max_ranges_;
  RangeMode mode_;
  std::string chip_;
  std::size_t next_group_ = 0;
  std::size_t stopped_group_ = 0;
  void* host_ = nullptr;      // CUpti_Profiler_Host_Object
  void* profiler_ = nullptr;  // CUpti_RangeProfiler_Object
  std::vector<std::uint8_t> configuration_;
  std::vector<std::uint8_t> image_;
  Failure failure_;
};

}  // namespace gpuprof::cupti
