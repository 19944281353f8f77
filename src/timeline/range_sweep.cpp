// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/range_sweep.hpp"

#include <algorithm>

namespace gpuprof::timeline {
namespace {

std::uint64_t pair_key(std::uint32_t high, std::uint32_t low) {
  return std::uint64_t{high} << 32 | low;
}

}  // namespace

RangeSweep::Thread& RangeSweep::thread(std::uint32_t id) {
  if (last_thread_ == nullptr || last_thread_id_ != id) {
    last_thread_ = &threads_[id];
    last_thread_id_ = id;
  }
  return *last_thread_;
}

void RangeSweep::on(const trace::Operation& operation) {
  answer_until(operation.start_ns);
  busy_.add(operation);
  if (operation.kind != trace::OperationKind::kernel) return;
  ++kernels_;
  owners_.kernel(operation.correlation, operation.end_ns - operation.start_ns);
}

void RangeSweep::on(const trace::ApiCall& call) {
  if (threads_.empty()) return;
  if (last_thread_id_ != call.thread) {
    const auto known = threads_.find(call.thread);
    if (known == threads_.end()) return;
    last_thread_id_ = call.thread;
    last_thread_ = &known->second;
  }
  Thread& caller = *last_thread_;
  for (auto id = static_cast<std::uint32_t>(roles_.size()); id <= call.function; ++id) {
    roles_.push_back(trace::api_role(dictionaries_.string(id)));
  }
  const trace::ApiRole role = roles_[call.function];
  if (role == trace::ApiRole::other) return;
  ++caller.launches;
  if (caller.changed) {
    rows_scratch_.clear();
    for (const auto& [row, count] : caller.rows) rows_scratch_.push_back(row);
    caller.owners = owners_.owners(rows_scratch_);
    caller.changed = false;
  }
  owners_.launched(call.correlation, caller.owners);
}

void RangeSweep::on(const trace::NvtxEvent& event) {
  ++counts_.events;
  // Every operation that starts more than the lead before a host event has been delivered.
  if (event.time_ns > kHostLeadNs) answer_until(event.time_ns - kHostLeadNs);
  switch (event.kind) {
    case trace::NvtxKind::push:
      return push(event);
    case trace::NvtxKind::pop:
      return pop(event);
    case trace::NvtxKind::start:
      return start(event);
    case trace::NvtxKind::end:
      return end(event);
    case trace::NvtxKind::mark:
      ++counts_.marks;
      return;
  }
}

void RangeSweep::push(const trace::NvtxEvent& event) {
  Nest& nest = nests_[pair_key(event.thread, event.domain)];
  const auto [entry, added] = nest.names.try_emplace(event.name);
  if (added) {
    const std::string_view name = dictionaries_.string(event.name);
    entry->second.row = table_.row(dictionaries_.string(event.domain), name, RangeTable::Kind::push_pop);
    entry->second.candidate = steps_.candidate(event.thread, event.domain, event.name, name);
  }
  nest.ranges.push_back(open_range(event, entry->second));
  steps_.enter(entry->second.candidate, event.thread);
}

void RangeSweep::pop(const trace::NvtxEvent& event) {
  const auto nest = nests_.find(pair_key(event.thread, event.domain));
  if (nest == nests_.end() || nest->second.ranges.empty()) {
    ++counts_.unmatched_pops;
    return;
  }
  const std::uint32_t id = nest->second.ranges.back();
  nest->second.ranges.pop_back();
  steps_.leave(ranges_[id].names.candidate, event.thread);
  close_range(id, event.time_ns);
}

void RangeSweep::start(const trace::NvtxEvent& event) {
  const auto [row, added] = started_rows_.try_emplace(pair_key(event.domain, event.name));
  if (added) {
    row->second =
        table_.row(dictionaries_.string(event.domain), dictionaries_.string(event.name), RangeTable::Kind::start_end);
  }
  const std::uint32_t id = open_range(event, {row->second, NvtxSteps::kNone});
  const auto [entry, fresh] = started_.try_emplace(event.range, id);
  if (fresh) return;
  replaced_.push_back(entry->second);
  entry->second = id;
}

void RangeSweep::end(const trace::NvtxEvent& event) {
  const auto started = started_.find(event.range);
  if (started == started_.end()) {
    ++counts_.unmatched_ends;
    return;
  }
  const std::uint32_t id = started->second;
  started_.erase(started);
  if (ranges_[id].thread != event.thread) {
    ranges_[id].cross_thread = true;
    ++counts_.cross_thread_ranges;
  }
  close_range(id, event.time_ns);
}

std::uint32_t RangeSweep::open_range(const trace::NvtxEvent& event, const Names& names) {
  Thread& opener = thread(event.thread);
  const auto position = std::lower_bound(opener.rows.begin(), opener.rows.end(), std::pair{names.row, 0U});
  if (position != opener.rows.end() && position->first == names.row) {
    ++position->second;
  } else {
    opener.rows.insert(position, {names.row, 1});
    opener.changed = true;
  }

  std::uint32_t id = static_cast<std::uint32_t>(ranges_.size());
  if (free_ranges_.empty()) {
    ranges_.emplace_back();
  } else {
    id = free_ranges_.back();
    free_ranges_.pop_back();
  }
  Range& range = ranges_[id];
  range = Range{};
  range.names = names;
  range.thread = event.thread;
  range.start_ns = event.time_ns;
  range.uncaptured_ns = capture_.uncaptured_until(event.time_ns);
  range.launches = opener.launches;
  questions_.push_back({event.time_ns, id, false});
  return id;
}

void RangeSweep::close_range(std::uint32_t id, std::uint64_t time_ns) {
  Range& range = ranges_[id];
  Thread& opener = thread(range.thread);
  const auto position = std::lower_bound(opener.rows.begin(), opener.rows.end(), std::pair{range.names.row, 0U});
  if (--position->second == 0) {
    opener.rows.erase(position);
    opener.changed = true;
  }
  range.open = false;
  range.end_ns = std::max(range.start_ns, time_ns);
  range.uncaptured_ns = capture_.uncaptured_until(range.end_ns) - range.uncaptured_ns;
  range.launches = opener.launches - range.launches;
  questions_.push_back({range.end_ns, id, true});
}

void RangeSweep::answer(const Question& question) {
  Range& range = ranges_[question.range];
  const std::uint64_t busy_ns = busy_.busy_until(question.time_ns);
  if (!question.at_end) {
    range.busy_ns = busy_ns;
    range.kernels = kernels_;
    return;
  }
  range.busy_ns = busy_ns - std::min(busy_ns, range.busy_ns);
  range.kernels = kernels_ - range.kernels;
  const std::uint64_t wall_ns = range.end_ns - range.start_ns;
  table_.add(range.names.row, {wall_ns, range.busy_ns, range.uncaptured_ns, false, range.cross_thread});
  steps_.add(range.names.candidate,
             {range.start_ns, range.end_ns, range.busy_ns, range.kernels, range.launches, range.uncaptured_ns == 0});
  free_ranges_.push_back(question.range);
}

void RangeSweep::answer_until(std::uint64_t time_ns) {
  while (!questions_.empty() && questions_.front().time_ns <= time_ns) {
    answer(questions_.front());
    questions_.pop_front();
  }
}

void RangeSweep::close_open(std::uint32_t id) {
  const Range& range = ranges_[id];
  ++counts_.open_ranges;
  const std::uint64_t end_ns = std::max(range.start_ns, span_.last_ns);
  const std::uint64_t busy_ns = busy_.busy_until(end_ns);
  table_.add(range.names.row, {end_ns - range.start_ns, busy_ns - std::min(busy_ns, range.busy_ns),
                               capture_.uncaptured_until(end_ns) - range.uncaptured_ns, true, false});
}

void RangeSweep::finish() {
  // With no operation left, the end of the busy time is known.
  for (const Question& question : questions_) answer(question);
  questions_.clear();
  for (const auto& [key, nest] : nests_) {
    for (const std::uint32_t id : nest.ranges) close_open(id);
  }
  for (const auto& [range, id] : started_) close_open(id);
  for (const std::uint32_t id : replaced_) close_open(id);
  owners_.add_to(table_);
}

}  // namespace gpuprof::timeline
