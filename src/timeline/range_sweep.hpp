// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// NVTX ranges of one process: paired, with the kernels launched inside and the time a device was busy meanwhile.

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gpuprof/report.hpp"
#include "timeline/busy_clock.hpp"
#include "timeline/launch_owners.hpp"
#include "timeline/nvtx_steps.hpp"
#include "timeline/range_table.hpp"
#include "trace/cupti_names.hpp"
#include "trace/event_stream.hpp"

namespace gpuprof::timeline {

// Push and pop pair up by thread and domain, start and end by the range's id on whatever threads. A kernel belongs to
// every range that was open on its launching thread at the time of the launch call (a start/end range: on the thread
// that opened it), once for each name; the kernels of a graph launch to those of that launch. A push/pop range on a
// thread that launches nothing has no kernels, even if another thread launches meanwhile: what the device did then is
// in overlapping_busy_ns. Memory grows with open ranges and with names, not with the number of ranges.
class RangeSweep : public trace::EventVisitor {
 public:
  using trace::EventVisitor::on;

  // All three have to outlive the sweep; `span` has to be known before the first event.
  RangeSweep(const trace::Dictionaries& dictionaries, const trace::EventSpan& span, RangeTable& table)
      : dictionaries_(dictionaries), span_(span), table_(table) {}

  void on(const trace::Operation& operation) override;
  void on(const trace::ApiCall& call) override;
  void on(const trace::NvtxEvent& event) override;
  void on(const trace::CapturePhase& phase) override { capture_.add(phase); }

  // To be called once after the last event: closes what is open at the end of the span, and completes the table.
  void finish();

  // Valid after finish(). `events` are those in the trace; `dropped` is left to the caller.
  const NvtxReport& counts() const { return counts_; }
  std::optional<StepReport> take_steps() { return steps_.take(kernels_); }

 private:
  struct Names {
    std::uint32_t row = 0;
    std::uint32_t candidate = NvtxSteps::kNone;
  };
  // What is open on one thread in all domains, and how much it has launched.
  struct Thread {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> rows;  // ascending; how many ranges of the row are open
    bool changed = false;                                       // since `owners` was asked for
    std::uint32_t owners = 0;
    std::uint64_t launches = 0;
  };
  struct Range {
    Names names;
    std::uint32_t thread = 0;
    bool open = true;
    bool cross_thread = false;
    std::uint64_t start_ns = 0;
    std::uint64_t end_ns = 0;
    std::uint64_t busy_ns = 0;  // until the start while open; in the range in the end; likewise the next three
    std::uint64_t kernels = 0;
    std::uint64_t uncaptured_ns = 0;
    std::uint64_t launches = 0;
  };
  // The push/pop ranges of one thread and domain.
  struct Nest {
    std::vector<std::uint32_t> ranges;
    std::unordered_map<std::uint32_t, Names> names;  // by string id
  };
  // What was the device's state at this time? Answered when its operations up to then are known.
  struct Question {
    std::uint64_t time_ns = 0;
    std::uint32_t range = 0;
    bool at_end = false;
  };

  void push(const trace::NvtxEvent& event);
  void pop(const trace::NvtxEvent& event);
  void start(const trace::NvtxEvent& event);
  void end(const trace::NvtxEvent& event);
  std::uint32_t open_range(const trace::NvtxEvent& event, const Names& names);
  void close_range(std::uint32_t id, std::uint64_t time_ns);
  void close_open(std::uint32_t id);
  void answer(const Question& question);
  void answer_until(std::uint64_t time_ns);
  Thread& thread(std::uint32_t id);

  const trace::Dictionaries& dictionaries_;
  const trace::EventSpan& span_;
  RangeTable& table_;
  NvtxReport counts_;
  NvtxSteps steps_;
  LaunchOwners owners_;
  BusyClock busy_;
  CaptureClock capture_;
  std::uint64_t kernels_ = 0;

  std::unordered_map<std::uint32_t, Thread> threads_;
  std::uint32_t last_thread_id_ = 0;  // events of a thread come in a row, mostly
  Thread* last_thread_ = nullptr;
  std::unordered_map<std::uint64_t, Nest> nests_;                  // by thread and domain
  std::unordered_map<std::uint64_t, std::uint32_t> started_;       // by range id
  std::vector<std::uint32_t> replaced_;                            // started ranges whose id was started again
  std::unordered_map<std::uint64_t, std::uint32_t> started_rows_;  // by domain and name
  std::vector<Range> ranges_;
  std::vector<std::uint32_t> free_ranges_;
  std::deque<Question> questions_;     // in order of time
  std::vector<trace::ApiRole> roles_;  // by string id
  std::vector<std::uint32_t> rows_scratch_;
};

}  // namespace gpuprof::timeline
