// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/device_front.hpp"

namespace gpuprof::timeline {
namespace {

constexpr unsigned bit(WorkClass work) {
  return 1U << static_cast<unsigned>(work);
}

constexpr unsigned kCompute = bit(WorkClass::compute);
constexpr unsigned kCommunication = bit(WorkClass::communication);
constexpr unsigned kCopy = bit(WorkClass::copy);

}  // namespace

void DeviceFront::add(const trace::Operation& operation, WorkClass work, const ThreadHistory* thread) {
  GapEnd end;
  end.cause = operations_ == 0 ? IdleCause::start_up : IdleCause::unexplained;
  end.launch = operation.launch;
  end.thread = thread;
  advance(operation.start_ns, end);
  std::uint64_t& until_ns = busy_until_ns_[static_cast<std::size_t>(work)];
  until_ns = std::max(until_ns, operation.end_ns);
  ++operations_;
  latency_.add(operation);
  depth_.add(operation.launch != nullptr ? operation.launch->start_ns : operation.start_ns, operation.start_ns,
             operation.end_ns);
}

void DeviceFront::advance(std::uint64_t to_ns, const GapEnd& end) {
  while (front_ns_ < to_ns) {
    unsigned works = 0;
    std::uint64_t next_ns = to_ns;
    for (unsigned work = 0; work < busy_until_ns_.size(); ++work) {
      if (busy_until_ns_[work] <= front_ns_) continue;
      works |= 1U << work;
      next_ns = std::min(next_ns, busy_until_ns_[work]);
    }
    if (works != 0) {
      add_busy(works, front_ns_, next_ns);
    } else {
      add_gap(front_ns_, to_ns, end);
    }
    front_ns_ = works != 0 ? next_ns : to_ns;
  }
}

void DeviceFront::add_busy(unsigned works, std::uint64_t start_ns, std::uint64_t end_ns) {
  busy_ns_[works] += end_ns - start_ns;
  if ((works & kCompute) != 0) return;
  const bool communicates = (works & kCommunication) != 0;
  add_without_compute(communicates ? IdleCause::communication_not_overlapped : IdleCause::copy_not_overlapped, start_ns,
                      end_ns);
}

void DeviceFront::add_without_compute(IdleCause cause, std::uint64_t start_ns, std::uint64_t end_ns) {
  capture_.split(start_ns, end_ns, capture_position_, [&](std::uint64_t from_ns, std::uint64_t to_ns, bool recorded) {
    idle_.add({recorded ? cause : IdleCause::not_captured, 0, from_ns, to_ns});
  });
}

void DeviceFront::add_gap(std::uint64_t start_ns, std::uint64_t end_ns, const GapEnd& end) {
  busy_ns_[0] += end_ns - start_ns;
  if (end.cause != IdleCause::unexplained) {
    add_without_compute(end.cause, start_ns, end_ns);
    return;
  }
  capture_.split(start_ns, end_ns, capture_position_, [&](std::uint64_t from_ns, std::uint64_t to_ns, bool recorded) {
    if (!recorded) {
      idle_.add({IdleCause::not_captured, 0, from_ns, to_ns});
      return;
    }
    IdleGap gap{from_ns, to_ns, {}};
    std::span<const NamedInterval> input;
    std::span<const NamedInterval> waits;
    // What ended a part that a pause of the recording cut short is not known.
    const bool ended = to_ns == end_ns;
    if (ended && end.launch != nullptr) gap.launch_ns = end.launch->start_ns;
    if (ended && end.thread != nullptr) {
      input = end.thread->input.from(from_ns);
      waits = end.thread->waits.from(from_ns);
    }
    pieces_.clear();
    attribute_gap(gap, input, waits, pieces_);
    for (const IdlePiece& piece : pieces_) idle_.add(piece);
  });
}

DeviceTimeline DeviceFront::finish(std::uint64_t last_ns, const trace::Dictionaries& dictionaries) {
  GapEnd end;
  end.cause = IdleCause::shut_down;
  advance(last_ns, end);
  depth_.finish();

  DeviceTimeline row;
  row.device = device_;
  row.wall_ns = last_ns - first_ns_;
  row.compute_ns = busy_ns_[kCompute];
  row.compute_and_copy_ns = busy_ns_[kCompute | kCopy];
  row.compute_and_communication_ns = busy_ns_[kCompute | kCommunication] + busy_ns_[kCompute | kCommunication | kCopy];
  row.communication_ns = busy_ns_[kCommunication];
  row.communication_and_copy_ns = busy_ns_[kCommunication | kCopy];
  row.copy_ns = busy_ns_[kCopy];
  row.idle_ns = busy_ns_[0];
  row.idle = idle_.report(dictionaries);
  row.operations = operations_;
  latency_.report(row);
  row.mean_queue_depth = depth_.mean();
  row.max_queue_depth = depth_.max();
  return row;
}

}  // namespace gpuprof::timeline
