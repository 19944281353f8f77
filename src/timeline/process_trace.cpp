// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/process_trace.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "trace/cupti_names.hpp"
#include "trace/process_lifetime.hpp"

namespace gpuprof::timeline {
namespace {

using trace::has_duration;
using trace::ProcessLifetime;

class Counter : public trace::Visitor {
 public:
  Counter(ProcessTrace& result, const trace::Dictionaries& dictionaries, KernelTable& kernels, CopyTable& copies)
      : result_(result), dictionaries_(dictionaries), kernel_table_(kernels), copy_table_(copies) {}

  void on(const trace::ProcessInfo& record) override {
    result_.info = record;
    lifetime_.started(record.time_ns);
  }
  void on(const trace::CuptiInfo& record) override { result_.cupti = record; }
  void on(const trace::Device& record) override { result_.devices.push_back(record); }
  void on(const trace::LedgerSample& record) override { result_.ledger = record; }
  void on(const trace::NoticeRecord& record) override { result_.notices.push_back(record); }
  void on(const trace::ClockSample& record) override {
    result_.clock.add(record);
    seen(record.realtime_ns);
    seen(record.cupti_ns);
  }
  void on(const trace::ProcessEndRecord& record) override {
    result_.end = record;
    seen(record.time_ns);
  }

  void on(const trace::CapturePhase& record) override { result_.phases.push_back(record); }
  void on(const trace::Context&) override { ++result_.contexts; }
  void on(std::span<const trace::NvtxEvent> records) override { result_.nvtx_events += records.size(); }
  void on(const trace::LaunchCounts& record) override {
    extend_rows();
    for (std::size_t i = 0; i < record.shapes.size(); ++i) {
      kernel_table_.add_uncaptured(rows_[record.shapes[i]], static_cast<double>(record.launches[i]));
    }
  }

  void on(std::span<const trace::Kernel> records) override {
    extend_rows();
    for (const trace::Kernel& record : records) {
      if (record.graph != 0) {
        ++result_.kernels.from_graphs;
        graph_nodes_[record.graph].insert(record.graph_node);
      }
      if (record.end_ns == 0) {
        ++(record.start_ns == 0 ? result_.kernels.untimed : result_.kernels.unfinished);
      } else if (record.end_ns < record.start_ns) {
        ++result_.kernels.negative;
      } else if (lifetime_.too_early(record.start_ns)) {
        ++result_.kernels.wrong_clock;
      } else if (lifetime_.too_late(record.end_ns)) {
        undecided_.push_back({record.start_ns, record.end_ns, rows_[record.shape], record.graph != 0});
      } else {
        store(record.start_ns, record.end_ns, rows_[record.shape], record.graph != 0);
      }
    }
  }

  void on(std::span<const trace::ApiCall> records) override {
    result_.api_calls += records.size();
    for (std::uint32_t id = static_cast<std::uint32_t>(roles_.size()); id < dictionaries_.string_count(); ++id) {
      roles_.push_back(trace::api_role(dictionaries_.string(id)));
    }
    driver_launches_.clear();
    std::uint64_t newest_ns = 0;
    for (const trace::ApiCall& record : records) {
      if (classify_host(record, result_.api_call_classes) != Stamps::usable) continue;
      newest_ns = std::max(newest_ns, record.end_ns);
      const trace::ApiRole role = roles_[record.function];
      if (role == trace::ApiRole::runtime_launch) result_.launch_api_time_ns += record.end_ns - record.start_ns;
      if (role == trace::ApiRole::driver_launch) driver_launches_.push_back(&record);
    }
    seen(newest_ns);
    if (!driver_launches_.empty()) add_driver_launches(records);
  }

  void on(std::span<const trace::Copy> records) override {
    result_.copies += records.size();
    add_copies(records, result_.copy_classes, undecided_copies_);
  }
  void on(std::span<const trace::Set> records) override {
    result_.sets += records.size();
    add_copies(records, result_.set_classes, undecided_sets_);
  }

  void on(std::span<const trace::GraphExecution> records) override {
    result_.graph_executions += records.size();
    for (const trace::GraphExecution& record : records) {
      if (classify(record, result_.graph_execution_classes) == Stamps::undecided) {
        undecided_graph_executions_.push_back(record);
      }
    }
  }

  void on(std::span<const trace::Synchronization> records) override {
    result_.synchronizations += records.size();
    for (const trace::Synchronization& record : records) {
      if (classify_host(record, result_.synchronization_classes) != Stamps::usable || !trace::host_waits(record.type))
        continue;
      result_.synchronization_time_ns += record.end_ns - record.start_ns;
    }
  }

  // Decides about the records that ended later than anything known when they were read.
  void finish() {
    for (const auto& [graph, nodes] : graph_nodes_) result_.graph_kernel_nodes[graph] = nodes.size();
    for (const Undecided& kernel : undecided_) {
      if (lifetime_.too_late_at_last(kernel.end_ns)) {
        ++result_.kernels.wrong_clock;
      } else {
        store(kernel.start_ns, kernel.end_ns, kernel.row, kernel.from_graph);
      }
    }
    decide_copies(undecided_copies_, result_.copy_classes);
    decide_copies(undecided_sets_, result_.set_classes);
    for (const trace::GraphExecution& record : undecided_graph_executions_) {
      decide(record, result_.graph_execution_classes);
    }
    add_uncaptured_graphs();
  }

 private:
  enum class Stamps { usable, unusable, undecided };

  struct Undecided {
    std::uint64_t start_ns;
    std::uint64_t end_ns;
    std::uint32_t row;
    bool from_graph;
  };

  void seen(std::uint64_t time_ns) {
    if (time_ns >= ProcessLifetime::kImpossibleNs) return;
    lifetime_.alive(time_ns);
    result_.newest_ns = std::max(result_.newest_ns, time_ns);
  }

  void store(std::uint64_t start_ns, std::uint64_t end_ns, std::uint32_t row, bool from_graph) {
    ++result_.kernels.stored;
    result_.kernels.time_ns += end_ns - start_ns;
    result_.newest_ns = std::max(result_.newest_ns, end_ns);
    kernel_table_.add(row, end_ns - start_ns, from_graph);
    if (!from_graph) return;
    if (row >= graph_kernels_.size()) graph_kernels_.resize(row + std::size_t{1});
    ++graph_kernels_[row];
  }

  // Counts a record in its class, unless that is still undecided.
  template <typename Record>
  Stamps classify(const Record& record, RecordClasses& classes) {
    if (record.end_ns == 0) {
      ++(record.start_ns == 0 ? classes.untimed : classes.unfinished);
    } else if (record.end_ns < record.start_ns) {
      ++classes.negative;
    } else if (record.start_ns == 0 || lifetime_.too_early(record.start_ns) ||
               record.end_ns >= ProcessLifetime::kImpossibleNs) {
      ++classes.wrong_clock;
    } else if (lifetime_.too_late(record.end_ns)) {
      return Stamps::undecided;
    } else {
      ++classes.stored;
      return Stamps::usable;
    }
    return Stamps::unusable;
  }

  template <typename Record>
  Stamps classify_host(const Record& record, RecordClasses& classes) {
    const Stamps stamps = classify(record, classes);
    if (stamps != Stamps::undecided) return stamps;
    ++classes.stored;
    return Stamps::usable;
  }

  template <typename Record>
  bool decide(const Record& record, RecordClasses& classes) {
    const bool usable = !lifetime_.too_late_at_last(record.end_ns);
    ++(usable ? classes.stored : classes.wrong_clock);
    return usable;
  }

  // Launches of graphs while nothing was recorded are taken to be like the recorded ones on average.
  void add_uncaptured_graphs() {
    if (!result_.ledger || result_.ledger->graph_launches == 0) return;
    const double uncaptured_per_captured = static_cast<double>(result_.ledger->uncaptured_graph_launches) /
                                           static_cast<double>(result_.ledger->graph_launches);
    if (uncaptured_per_captured == 0) return;
    for (std::size_t row = 0; row < graph_kernels_.size(); ++row) {
      kernel_table_.add_uncaptured(row, static_cast<double>(graph_kernels_[row]) * uncaptured_per_captured);
    }
  }

  void extend_rows() {
    for (std::uint32_t id = static_cast<std::uint32_t>(rows_.size()); id < dictionaries_.shape_count(); ++id) {
      const trace::KernelShape& shape = dictionaries_.shape(id);
      rows_.push_back(static_cast<std::uint32_t>(kernel_table_.row(shape, dictionaries_.string(shape.name))));
    }
  }

  // A runtime launch contains a driver launch with the same correlation id; its time must not count twice. Both records
  // are nearly always in one batch, because they are completed one right after the other.
  void add_driver_launches(std::span<const trace::ApiCall> records) {
    runtime_correlations_.clear();
    for (const trace::ApiCall& record : records) {
      if (roles_[record.function] == trace::ApiRole::runtime_launch)
        runtime_correlations_.push_back(record.correlation);
    }
    std::sort(runtime_correlations_.begin(), runtime_correlations_.end());
    for (const trace::ApiCall* record : driver_launches_) {
      if (record->correlation != 0 &&
          std::binary_search(runtime_correlations_.begin(), runtime_correlations_.end(), record->correlation)) {
        continue;
      }
      result_.launch_api_time_ns += record->end_ns - record->start_ns;
    }
  }

  template <typename Record>
  void add_copies(std::span<const Record> records, RecordClasses& classes, std::vector<Record>& undecided) {
    for (const Record& record : records) {
      const Stamps stamps = classify(record, classes);
      if (stamps == Stamps::undecided) {
        undecided.push_back(record);
      } else {
        add_copy(record, stamps == Stamps::usable);
      }
    }
  }

  template <typename Record>
  void decide_copies(const std::vector<Record>& undecided, RecordClasses& classes) {
    for (const Record& record : undecided) add_copy(record, decide(record, classes));
  }

  template <typename Record>
  void add_copy(const Record& record, bool timed) {
    result_.untimed_copies += timed ? 0 : 1;
    copy_table_.add(record, timed);
  }

  std::unordered_map<std::uint32_t, std::unordered_set<std::uint64_t>> graph_nodes_;
  ProcessTrace& result_;
  const trace::Dictionaries& dictionaries_;
  KernelTable& kernel_table_;
  CopyTable& copy_table_;
  ProcessLifetime lifetime_;
  std::vector<std::uint32_t> rows_;           // of the kernel table, by shape id
  std::vector<trace::ApiRole> roles_;         // by string id
  std::vector<std::uint64_t> graph_kernels_;  // stored ones of this process, by row of the kernel table
  std::vector<Undecided> undecided_;
  std::vector<trace::Copy> undecided_copies_;
  std::vector<trace::Set> undecided_sets_;
  std::vector<trace::GraphExecution> undecided_graph_executions_;
  std::vector<const trace::ApiCall*> driver_launches_;
  std::vector<std::uint32_t> runtime_correlations_;
};

ProcessTrace empty_trace(const std::string& path) {
  ProcessTrace result;
  result.path = path;
  result.copy_classes.kind = "copies";
  result.set_classes.kind = "sets";
  result.graph_execution_classes.kind = "graph_executions";
  result.api_call_classes.kind = "api_calls";
  result.synchronization_classes.kind = "synchronizations";
  return result;
}

}  // namespace

ProcessTrace read_process_trace(const std::string& path, KernelTable& kernels, CopyTable& copies,
                                trace::Dictionaries& dictionaries, trace::EventVisitor& sweep, trace::EventSpan& span) {
  ProcessTrace result = empty_trace(path);
  Counter counter{result, dictionaries, kernels, copies};
  result.read = trace::read_events(path, dictionaries, sweep, &counter, &span);
  counter.finish();
  return result;
}

}  // namespace gpuprof::timeline
