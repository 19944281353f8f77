// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/process_trace.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "timeline/cupti_names.hpp"
#include "timeline/process_lifetime.hpp"

namespace gpuprof::timeline {
namespace {

bool has_duration(std::uint64_t start_ns, std::uint64_t end_ns) {
  return start_ns != 0 && end_ns >= start_ns && end_ns < ProcessLifetime::kImpossibleNs;
}

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
    seen(record.realtime_ns);
    seen(record.cupti_ns);
  }
  void on(const trace::ProcessEndRecord& record) override {
    result_.end = record;
    seen(record.time_ns);
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
      roles_.push_back(api_role(dictionaries_.string(id)));
    }
    driver_launches_.clear();
    std::uint64_t newest_ns = 0;
    for (const trace::ApiCall& record : records) {
      if (!has_duration(record.start_ns, record.end_ns)) continue;
      newest_ns = std::max(newest_ns, record.end_ns);
      const ApiRole role = roles_[record.function];
      if (role == ApiRole::runtime_launch) result_.launch_api_time_ns += record.end_ns - record.start_ns;
      if (role == ApiRole::driver_launch) driver_launches_.push_back(&record);
    }
    seen(newest_ns);
    if (!driver_launches_.empty()) add_driver_launches(records);
  }

  void on(std::span<const trace::Copy> records) override {
    result_.copies += records.size();
    add_copies(records);
  }
  void on(std::span<const trace::Set> records) override {
    result_.sets += records.size();
    add_copies(records);
  }

  void on(std::span<const trace::Synchronization> records) override {
    result_.synchronizations += records.size();
    for (const trace::Synchronization& record : records) {
      if (!host_waits(record.type) || !has_duration(record.start_ns, record.end_ns)) continue;
      result_.synchronization_time_ns += record.end_ns - record.start_ns;
    }
  }

  // Decides about the kernels that ended later than anything known when they were read.
  void finish() {
    for (const auto& [graph, nodes] : graph_nodes_) result_.graph_kernel_nodes[graph] = nodes.size();
    for (const Undecided& kernel : undecided_) {
      if (lifetime_.too_late_at_last(kernel.end_ns)) {
        ++result_.kernels.wrong_clock;
      } else {
        store(kernel.start_ns, kernel.end_ns, kernel.row, kernel.from_graph);
      }
    }
  }

 private:
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
    result_.newest_ns = std::max(result_.newest_ns, end_ns);
    kernel_table_.add(row, end_ns - start_ns, from_graph);
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
      if (roles_[record.function] == ApiRole::runtime_launch) runtime_correlations_.push_back(record.correlation);
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
  void add_copies(std::span<const Record> records) {
    for (const Record& record : records) {
      const bool timed = has_duration(record.start_ns, record.end_ns);
      result_.untimed_copies += timed ? 0 : 1;
      copy_table_.add(record, timed);
    }
  }

  std::unordered_map<std::uint32_t, std::unordered_set<std::uint64_t>> graph_nodes_;
  ProcessTrace& result_;
  const trace::Dictionaries& dictionaries_;
  KernelTable& kernel_table_;
  CopyTable& copy_table_;
  ProcessLifetime lifetime_;
  std::vector<std::uint32_t> rows_;  // of the kernel table, by shape id
  std::vector<ApiRole> roles_;       // by string id
  std::vector<Undecided> undecided_;
  std::vector<const trace::ApiCall*> driver_launches_;
  std::vector<std::uint32_t> runtime_correlations_;
};

}  // namespace

ProcessTrace read_process_trace(const std::string& path, KernelTable& kernels, CopyTable& copies) {
  ProcessTrace result;
  result.path = path;
  trace::Dictionaries dictionaries;
  Counter counter{result, dictionaries, kernels, copies};
  result.read = trace::read_file(path, dictionaries, counter);
  counter.finish();
  return result;
}

}  // namespace gpuprof::timeline
