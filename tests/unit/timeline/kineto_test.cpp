// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// The analysis against public traces that another profiler recorded: counts against a table made elsewhere, busy times
// against unions of intervals that are computed here in another way.

#include "support/kineto.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "support/catch2_compat.hpp"
#include "support/trace_builder.hpp"
#include "timeline/summary.hpp"

namespace gpuprof::timeline {
namespace {

using test::KinetoEvent;

std::string data_folder() {
  const char* given = std::getenv("GPUPROF_SHARED_DATA");
  return (given != nullptr ? std::string(given) : std::string(GPUPROF_SOURCE_DIR) + "/../shared/data") + "/kineto";
}

bool is_communication(const KinetoEvent& event) {
  return event.name.find("nccl") != std::string::npos;
}

using Interval = std::pair<std::uint64_t, std::uint64_t>;

std::vector<Interval> merged(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end());
  std::vector<Interval> out;
  for (const Interval& next : intervals) {
    if (!out.empty() && next.first <= out.back().second) {
      out.back().second = std::max(out.back().second, next.second);
    } else {
      out.push_back(next);
    }
  }
  return out;
}

std::uint64_t union_of(const std::vector<KinetoEvent>& events, const std::function<bool(const KinetoEvent&)>& counts) {
  std::vector<Interval> intervals;
  for (const KinetoEvent& event : events) {
    if (event.is_operation() && counts(event)) intervals.emplace_back(event.start_ns, event.end_ns);
  }
  std::uint64_t sum = 0;
  for (const Interval& interval : merged(intervals)) sum += interval.second - interval.first;
  return sum;
}

struct Counted {
  const char* file;
  std::size_t kernels;  // without NCCL's, like the next two
  std::size_t names;
  std::size_t configurations;
};

constexpr Counted kTable[] = {
    {"v100_index_resolver", 17'350, 48, 283},
    {"a100_diff_control", 8'508, 168, 533},
    {"v100_diff_test", 9'812, 129, 577},
    {"v100_ns_resolution", 4'350, 77, 192},
    {"a100_nccl", 2'679, 68, 190},
    {"sampled_rank0", 1'144, 193, 417},
    {"alexnet", 79, 16, 33},
};

Summary summary_of(const std::vector<KinetoEvent>& events) {
  const test::TraceFolder folder;
  test::write_kineto(events, folder.file("1-1.trace"));
  return summarize(folder.path());
}

void check_counts(const Counted& expected, const Summary& summary) {
  std::size_t kernels = 0;
  std::set<std::string> names;
  std::set<std::tuple<std::string, Dim3, Dim3>> configurations;
  for (const KernelReport& kernel : summary.kernels) {
    if (kernel.key.mangled_name.find("nccl") != std::string::npos) continue;
    kernels += kernel.launches;
    names.insert(kernel.key.mangled_name);
    configurations.insert({kernel.key.mangled_name, kernel.key.grid, kernel.key.block});
  }
  CHECK(kernels == expected.kernels);
  CHECK(names.size() == expected.names);
  CHECK(configurations.size() == expected.configurations);
}

void check_partition(const std::vector<KinetoEvent>& events, const DeviceTimeline& row) {
  const auto here = [&row](const KinetoEvent& event) { return event.device == row.device; };
  const auto computes = [&](const KinetoEvent& event) {
    return here(event) && event.category == "kernel" && !is_communication(event);
  };
  const auto communicates = [&](const KinetoEvent& event) {
    return here(event) && event.category == "kernel" && is_communication(event);
  };
  const std::uint64_t compute = row.compute_ns + row.compute_and_copy_ns + row.compute_and_communication_ns;
  const std::uint64_t without_compute =
      row.communication_ns + row.communication_and_copy_ns + row.copy_ns + row.idle_ns;
  CHECK(compute + without_compute == row.wall_ns);
  CHECK(row.busy_ns() == union_of(events, here));
  CHECK(compute == union_of(events, computes));
  CHECK(row.communication_ns + row.communication_and_copy_ns + row.compute_and_communication_ns ==
        union_of(events, communicates));
  std::uint64_t explained = 0;
  for (const IdleTime& idle : row.idle) explained += idle.time_ns;
  CHECK(explained == without_compute);
}

TEST_CASE("timelines that another profiler recorded") {
  if (!std::filesystem::exists(data_folder())) {
    WARN("skipped: " << data_folder() << " is not there");
    return;
  }
  for (const Counted& expected : kTable) {
    DYNAMIC_SECTION(expected.file) {
      const std::vector<KinetoEvent> events =
          test::read_kineto(data_folder() + "/" + std::string(expected.file) + ".json.gz");
      const Summary summary = summary_of(events);
      check_counts(expected, summary);
      std::set<std::uint32_t> devices;
      for (const KinetoEvent& event : events) {
        if (event.is_operation()) devices.insert(event.device);
      }
      REQUIRE(summary.devices.size() == devices.size());
      for (const DeviceTimeline& row : summary.devices) check_partition(events, row);
    }
  }
}

TEST_CASE("a rank that recorded no GPU work is calm") {
  const std::string path = data_folder() + "/no_gpu_rank.json.gz";
  if (!std::filesystem::exists(path)) {
    WARN("skipped: " << path << " is not there");
    return;
  }
  const Summary summary = summary_of(test::read_kineto(path));
  CHECK(summary.kernels.empty());
  CHECK(summary.devices.empty());
  CHECK(summary.steps.empty());
}

}  // namespace
}  // namespace gpuprof::timeline
