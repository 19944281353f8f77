// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums up the counter traces of a session, one file after the other.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "counters/combine.hpp"
#include "gpuprof/report.hpp"
#include "gpuprof/trace.hpp"
#include "trace/reader.hpp"

namespace gpuprof::counters {

// What the windows of all files said about one kernel or graph.
struct WindowSums {
  std::uint64_t launches = 0;
  std::uint64_t discarded_launches = 0;
  LaunchValues values;
};

// Sums over all files read so far.
struct TraceSums {
  std::map<KernelKey, WindowSums> kernels;
  std::map<std::pair<std::size_t, std::uint32_t>, WindowSums> graphs;  // by number of the file and graph id
  std::vector<std::string> chips;                                      // distinct, in order of appearance
  std::vector<std::vector<std::string>> groups;                        // distinct, in order of appearance
  std::uint64_t files = 0;
  std::uint64_t windows = 0;
  std::uint64_t windows_discarded = 0;
  std::uint64_t windows_damaged = 0;  // of the discarded: they refer to groups or launches the file does not hold
  std::uint64_t launches_measured = 0;
  std::uint64_t window_time_ns = 0;
};

// Adds one file to the sums and keeps what it says about its process.
class TraceSummer : public trace::Visitor {
 public:
  // `dictionaries` are those the file is being read with; both arguments must outlive the object.
  TraceSummer(const trace::Dictionaries& dictionaries, TraceSums& sums);

  void on(const trace::ProcessInfo& record) override;
  void on(const trace::CuptiInfo&) override { used_cuda_ = true; }
  void on(const trace::ClockSample& record) override;
  void on(const trace::LedgerSample& record) override;
  void on(const trace::NoticeRecord& record) override;
  void on(const trace::ProcessEndRecord& record) override;
  void on(const trace::CounterGroups& record) override;
  void on(const trace::CounterWindow& record) override;

  // The process, once the file has been read; empty when the file does not even say which process it is from.
  std::optional<ProcessReport> process(const trace::ReadResult& result) const;

  // The process's notices. Repeated ones are told once, with their number and the first one's detail.
  std::vector<Notice> notices() const;

  // What kept the process from measuring counters or, if nothing did, what ended its measuring early, in one sentence;
  // empty when it could measure to the end.
  std::string obstacle() const;

 private:
  using Metrics = std::vector<std::string>;

  void seen(std::uint64_t time_ns);
  const Metrics* group_of(const trace::CounterWindow& window) const;
  bool is_sound(const trace::CounterWindow& window, const Metrics* group) const;
  WindowSums& sums_for(const trace::CounterWindow& window, std::uint32_t shape);

  struct RepeatedNotice {
    trace::NoticeRecord first;
    std::uint64_t count = 0;
  };

  const trace::Dictionaries& dictionaries_;
  TraceSums& sums_;
  std::size_t file_;
  std::optional<trace::ProcessInfo> info_;
  bool used_cuda_ = false;
  std::optional<trace::ProcessEndRecord> end_;
  trace::LedgerSample ledger_;
  std::uint64_t last_record_ns_ = 0;
  std::map<std::uint32_t, std::vector<Metrics>> armed_;  // by device
  std::vector<RepeatedNotice> notices_;                  // by first appearance
};

}  // namespace gpuprof::counters
