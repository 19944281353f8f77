// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// Random timelines: the sweep against a look at every single unit of time.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "support/catch2_compat.hpp"
#include "sweep_trace.hpp"

namespace gpuprof::timeline {
namespace {

using test::SweepTrace;

struct Interval {
  std::uint64_t start;
  std::uint64_t end;
  std::string name;
};

struct HostThread {
  std::vector<Interval> waits;
  std::vector<Interval> input;
};

// The operations in the order of the stream, in units after the start.
struct Recorded : trace::EventVisitor {
  struct Work {
    std::uint64_t start;
    std::uint64_t end;
    std::optional<std::uint64_t> launch;
    std::uint32_t thread;
    int kind;  // 0 compute, 1 communication, 2 copy
  };
  explicit Recorded(std::uint64_t scale) : unit(scale) {}

  void on(const trace::Operation& operation) override {
    Work work{};
    work.start = (operation.start_ns - SweepTrace::kStart) / unit;
    work.end = (operation.end_ns - SweepTrace::kStart) / unit;
    if (operation.launch != nullptr) {
      work.launch = (operation.launch->start_ns - SweepTrace::kStart) / unit;
      work.thread = operation.launch->thread;
    }
    // Shapes: 0 compute, 1 communication.
    work.kind = operation.kind == trace::OperationKind::copy ? 2 : static_cast<int>(operation.shape);
    all.push_back(work);
  }
  std::uint64_t unit;
  std::vector<Work> all;
};

struct Scene {
  std::uint64_t units = 0;
  std::map<std::uint32_t, HostThread> threads;
  std::vector<Interval> not_captured;
};

const Interval* at(const std::vector<Interval>& intervals, std::uint64_t t) {
  for (const Interval& interval : intervals) {
    if (interval.start <= t && t < interval.end) return &interval;
  }
  return nullptr;
}

// Why nothing computes in unit t, straight from the definitions.
std::string cause_at(std::uint64_t t, const Scene& scene, const std::vector<Recorded::Work>& all) {
  if (at(scene.not_captured, t) != nullptr) return "not_captured";
  if (t < all.front().start) return "start_up";
  bool communicates = false;
  bool copies = false;
  std::uint64_t dry = 0;
  const Recorded::Work* next = nullptr;
  for (const Recorded::Work& work : all) {
    if (work.start <= t) {
      dry = std::max(dry, work.end);
      if (t < work.end) (work.kind == 1 ? communicates : copies) = true;
    } else if (next == nullptr) {
      next = &work;
    }
  }
  if (communicates) return "communication_not_overlapped";
  if (copies) return "copy_not_overlapped";
  if (next == nullptr) return "shut_down";
  for (const Interval& pause : scene.not_captured) {
    if (pause.end <= t) dry = std::max(dry, pause.end);
    // The operation that ended this part of the gap is not known.
    if (pause.start > t && pause.start < next->start) return "unexplained";
  }
  if (!next->launch) return "unexplained";
  const bool late = *next->launch > dry;
  const HostThread& thread = scene.threads.at(next->thread);
  if (const Interval* range = at(thread.input, t)) return "input_pipeline/" + range->name;
  const Interval* wait = at(thread.waits, t);
  if (wait != nullptr && wait->start < *next->launch) return "synchronization/" + wait->name;
  return late ? "launch_bound" : "unexplained";
}

// Host threads that call one function after the other, and operations some time after their launches.
Scene random_scene(std::mt19937& random, std::uint64_t scale, SweepTrace& trace) {
  Scene scene;
  scene.units = 200 + random() % 200;
  const auto pick = [&random](std::uint64_t n) { return random() % n; };
  // Shape 0 and 1.
  for (const char* name : {"gemm", "ncclDevKernel_x"}) {
    trace::KernelShape shape;
    shape.name = trace.writer().string_id(name);
    trace.writer().shape_id(shape);
  }
  std::uint64_t time = 0;
  for (const std::uint64_t pauses = pick(3); scene.not_captured.size() < pauses;) {
    const std::uint64_t from = scene.not_captured.empty() && pick(3) == 0 ? 0 : time + 1 + pick(60);
    const std::uint64_t to = from + 1 + pick(40);
    // That nothing was recorded before a first phase that is on, is known only when it comes: with the host's lead.
    if (from > 0 || scale > 1) trace.capture(false, from * scale);
    trace.capture(true, to * scale);
    scene.not_captured.push_back({from, to, ""});
    time = to;
  }
  const std::uint64_t sparse = 1 + pick(12);
  for (std::uint32_t thread = 1; thread <= 2; ++thread) {
    HostThread& host = scene.threads[thread];
    for (std::uint64_t t = pick(30); t + 40 < scene.units; t += 1 + pick(4 * sparse)) {
      const std::uint64_t end = t + pick(15);
      const std::uint64_t start_of_work = t + pick(25);
      const std::uint64_t end_of_work = std::min(scene.units, start_of_work + pick(25));
      switch (pick(8)) {
        case 0: {
          trace.call("cudaStreamSynchronize", t * scale, end * scale, thread);
          if (end > t) host.waits.push_back({t, end, "cudaStreamSynchronize"});
          break;
        }
        case 1: {
          trace.copy(start_of_work * scale, end_of_work * scale,
                     trace.call("cudaMemcpy", t * scale, end * scale, thread));
          if (end > t) host.waits.push_back({t, end, "cudaMemcpy"});
          break;
        }
        case 2:
          trace.copy(start_of_work * scale, end_of_work * scale);
          continue;
        case 3:
          trace.kernel(start_of_work * scale, end_of_work * scale,
                       trace.call("cudaLaunchKernel", t * scale, end * scale, thread), "ncclDevKernel_x");
          break;
        case 4: {
          // A launch whose clock is ahead of the device's.
          const std::uint64_t early = t - std::min(t, pick(4));
          trace.kernel(early * scale, end_of_work * scale,
                       trace.call("cudaLaunchKernel", t * scale, end * scale, thread), "gemm");
          break;
        }
        default:
          trace.kernel(start_of_work * scale, end_of_work * scale,
                       trace.call("cudaLaunchKernel", t * scale, end * scale, thread), "gemm");
      }
      t = end;
    }
    for (std::uint64_t t = pick(60); t < scene.units && pick(4) != 0;) {
      const std::uint64_t end = t + 1 + pick(40);
      trace.push("step", t * scale, thread);
      trace.push("load_batch", t * scale, thread);
      trace.pop(end * scale, thread);
      trace.pop(end * scale, thread);
      host.input.push_back({t, end, "load_batch"});
      t = end + 1 + pick(80);
    }
  }
  return scene;
}

void check_row(const DeviceTimeline& row, const Scene& scene, const std::vector<Recorded::Work>& all,
               std::uint64_t scale, std::uint64_t units) {
  std::map<std::string, std::uint64_t> idle;
  std::map<std::string, std::uint64_t> gaps;
  std::string before;
  std::array<std::uint64_t, 8> parts{};
  for (std::uint64_t t = 0; t < units; ++t) {
    unsigned works = 0;
    for (const Recorded::Work& work : all) works |= work.start <= t && t < work.end ? 1U << work.kind : 0U;
    parts[works] += scale;
    const std::string cause = (works & 1U) != 0 ? "" : cause_at(t, scene, all);
    if (!cause.empty()) idle[cause] += scale;
    if (!cause.empty() && cause != before) ++gaps[cause];
    before = cause;
  }
  CHECK(row.wall_ns == units * scale);
  CHECK(row.idle_ns == parts[0]);
  CHECK(row.compute_ns == parts[1]);
  CHECK(row.communication_ns == parts[2]);
  CHECK(row.compute_and_communication_ns == parts[3] + parts[7]);
  CHECK(row.copy_ns == parts[4]);
  CHECK(row.compute_and_copy_ns == parts[5]);
  CHECK(row.communication_and_copy_ns == parts[6]);
  CHECK(test::adds_up(row));
  std::vector<std::string> expected;
  for (const auto& [cause, time_ns] : idle) {
    expected.push_back(cause + " " + std::to_string(time_ns) + " " + std::to_string(gaps[cause]));
  }
  std::sort(expected.begin(), expected.end());
  CHECK(test::idle_lines(row) == expected);

  std::uint64_t depths = 0;
  std::uint64_t deepest = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::uint64_t depth = 1;
    for (std::size_t j = 0; j < all.size(); ++j) {
      const std::uint64_t launch = std::min(all[j].launch.value_or(all[j].start), all[j].start);
      if (j < i) depth += all[j].end > all[i].start ? 1 : 0;
      if (j > i) depth += launch <= all[i].start ? 1 : 0;
    }
    depths += depth;
    deepest = std::max(deepest, depth);
  }
  CHECK(row.operations == all.size());
  CHECK(row.max_queue_depth == deepest);
  CHECK(row.mean_queue_depth == Approx(static_cast<double>(depths) / static_cast<double>(all.size())));
}

TEST_CASE("random timelines agree with a look at every unit of time") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random{seed};
    // With the large scale the host's lead is shorter than the timeline.
    const std::uint64_t scale = seed % 2 == 0 ? 1 : 100'000;
    SweepTrace trace;
    const Scene scene = random_scene(random, scale, trace);
    Recorded recorded{scale};
    const std::vector<DeviceTimeline> rows = trace.sweep(scene.units * scale, &recorded);
    REQUIRE(rows.size() <= 1);
    if (rows.empty()) continue;
    // A range or a call may end after the process.
    const std::uint64_t units = rows[0].wall_ns / scale;
    REQUIRE(units >= scene.units);
    check_row(rows[0], scene, recorded.all, scale, units);
  }
}

}  // namespace
}  // namespace gpuprof::timeline
