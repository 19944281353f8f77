// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "counters/trace_sums.hpp"

#include <algorithm>
#include <cmath>

#include "model/notice_text.hpp"

namespace gpuprof::counters {
namespace {

template <typename T>
void add_if_new(std::vector<T>& list, const T& value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

KernelKey key_of(const trace::KernelShape& shape, const trace::Dictionaries& dictionaries) {
  return {std::string(dictionaries.string(shape.name)), shape.grid, shape.block, shape.dynamic_shared_bytes};
}

}  // namespace

TraceSummer::TraceSummer(const trace::Dictionaries& dictionaries, TraceSums& sums)
    : dictionaries_(dictionaries), sums_(sums), file_(sums.files++) {}

void TraceSummer::on(const trace::ProcessInfo& record) {
  info_ = record;
}

void TraceSummer::on(const trace::ClockSample& record) {
  seen(record.realtime_ns);
}

void TraceSummer::on(const trace::LedgerSample& record) {
  ledger_ = record;
}

void TraceSummer::on(const trace::NoticeRecord& record) {
  seen(record.time_ns);
  for (RepeatedNotice& notice : notices_) {
    if (notice.first.code == record.code) {
      ++notice.count;
      return;
    }
  }
  notices_.push_back({record, 1});
}

void TraceSummer::on(const trace::ProcessEndRecord& record) {
  seen(record.time_ns);
  end_ = record;
}

void TraceSummer::on(const trace::CounterGroups& record) {
  armed_[record.device] = record.groups;
  if (!record.chip.empty()) add_if_new(sums_.chips, record.chip);
  for (const Metrics& group : record.groups) add_if_new(sums_.groups, group);
}

void TraceSummer::on(const trace::CounterWindow& window) {
  seen(window.end_ns);
  ++sums_.windows;
  if (window.end_ns > window.start_ns) sums_.window_time_ns += window.end_ns - window.start_ns;

  const Metrics* group = group_of(window);
  const bool damaged = !window.discarded && !is_sound(window, group);
  if (damaged) ++sums_.windows_damaged;
  if (window.discarded || damaged) {
    ++sums_.windows_discarded;
    for (const std::uint32_t shape : window.launches) {
      if (window.graph != 0 || shape < dictionaries_.shape_count()) ++sums_for(window, shape).discarded_launches;
    }
    return;
  }
  const double* row = window.values.data();
  std::uint32_t warm_up = window.warm_up_launches;
  for (const std::uint32_t shape : window.launches) {
    if (warm_up > 0) {
      --warm_up;
      row += group->size();
      continue;
    }
    WindowSums& target = sums_for(window, shape);
    ++target.launches;
    bool has_value = false;
    for (std::size_t i = 0; i < group->size(); ++i) {
      target.values.add((*group)[i], row[i]);
      has_value = has_value || std::isfinite(row[i]);
    }
    if (has_value) ++sums_.launches_measured;
    row += group->size();
  }
}

std::optional<ProcessReport> TraceSummer::process(const trace::ReadResult& result) const {
  if (!info_) return std::nullopt;
  ProcessReport process;
  process.stage = info_->stage;
  process.pid = info_->pid;
  process.parent_pid = info_->parent_pid;
  process.host = info_->hostname;
  process.labels = info_->labels;
  process.executable = info_->executable;
  process.used_cuda = used_cuda_;
  process.kernel_launches = ledger_.kernel_launches + ledger_.graph_kernel_nodes;
  if (end_) {
    process.end.kind = end_->signal != 0 ? EndKind::signalled : EndKind::exited;
    process.end.code = static_cast<int>(end_->signal);
    process.clean_exit = true;
  }
  process.truncated = result.state == trace::FileState::torn;
  process.last_record_ns = last_record_ns_ > info_->time_ns ? last_record_ns_ - info_->time_ns : 0;
  return process;
}

std::vector<Notice> TraceSummer::notices() const {
  std::vector<Notice> list;
  for (const RepeatedNotice& repeated : notices_) {
    Notice notice = model::notice_from(repeated.first, info_ ? info_->pid : 0);
    if (repeated.count > 1) notice.text += " (the first of " + std::to_string(repeated.count) + ")";
    list.push_back(std::move(notice));
  }
  return list;
}

std::string TraceSummer::obstacle() const {
  for (const auto effect : {model::CounterEffect::prevented, model::CounterEffect::interrupted}) {
    for (const RepeatedNotice& repeated : notices_) {
      if (model::counter_effect(repeated.first.code) == effect) return model::describe(repeated.first);
    }
  }
  return {};
}

void TraceSummer::seen(std::uint64_t time_ns) {
  last_record_ns_ = std::max(last_record_ns_, time_ns);
}

const TraceSummer::Metrics* TraceSummer::group_of(const trace::CounterWindow& window) const {
  const auto device = armed_.find(window.device);
  if (device == armed_.end() || window.group >= device->second.size()) return nullptr;
  return &device->second[window.group];
}

bool TraceSummer::is_sound(const trace::CounterWindow& window, const Metrics* group) const {
  if (group == nullptr || window.values.size() != window.launches.size() * group->size()) return false;
  return window.graph != 0 || std::all_of(window.launches.begin(), window.launches.end(),
                                          [this](std::uint32_t shape) { return shape < dictionaries_.shape_count(); });
}

WindowSums& TraceSummer::sums_for(const trace::CounterWindow& window, std::uint32_t shape) {
  if (window.graph != 0) return sums_.graphs[{file_, window.graph}];
  return sums_.kernels[key_of(dictionaries_.shape(shape), dictionaries_)];
}

}  // namespace gpuprof::counters
