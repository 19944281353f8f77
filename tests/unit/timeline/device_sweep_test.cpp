// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// Hand-made timelines with every nanosecond accounted for by hand.
#include "timeline/device_sweep.hpp"

#include "support/catch2_compat.hpp"
#include "sweep_trace.hpp"

namespace gpuprof::timeline {
namespace {

using test::adds_up;
using test::idle_lines;
using test::SweepTrace;
using Lines = std::vector<std::string>;

DeviceTimeline only_row(SweepTrace& trace, std::uint64_t end_ns) {
  std::vector<DeviceTimeline> rows = trace.sweep(end_ns);
  REQUIRE(rows.size() == 1);
  CHECK(adds_up(rows[0]));
  return rows[0];
}

TEST_CASE("compute, communication and copies side by side make seven parts") {
  SweepTrace trace;
  trace.kernel(100, 200);                                                // compute alone: 100-120
  trace.copy(120, 150);                                                  // and a copy: 120-130
  trace.kernel(130, 180, 0, "ncclDevKernel_AllReduce_Sum_f32_RING_LL");  // and communication: 130-180
  trace.kernel(300, 340, 0, "_Z13nvshmem_barrierv");                     // communication alone: 300-310, 320-340
  trace.copy(310, 320);                                                  // both: 310-320
  trace.copy(340, 345);                                                  // a copy alone: 340-345
  const DeviceTimeline row = only_row(trace, 500);
  CHECK(row.device == 0);
  CHECK(row.wall_ns == 500);
  CHECK(row.compute_ns == 20 + 20);
  CHECK(row.compute_and_copy_ns == 10);
  CHECK(row.compute_and_communication_ns == 50);
  CHECK(row.communication_ns == 10 + 20);
  CHECK(row.communication_and_copy_ns == 10);
  CHECK(row.copy_ns == 5);
  CHECK(row.idle_ns == 100 + 100 + 155);
  CHECK(row.busy_ns() == 145);
  CHECK(row.operations == 6);
  CHECK(idle_lines(row) == Lines{"communication_not_overlapped 40 1", "copy_not_overlapped 5 1", "shut_down 155 1",
                                 "start_up 100 1", "unexplained 100 1"});
  // By descending time.
  CHECK(row.idle.front().cause == IdleCause::shut_down);
}

TEST_CASE("a gap before a kernel that was launched too late is launch-bound") {
  SweepTrace trace;
  trace.kernel(100, 200, trace.call("cudaLaunchKernel", 50, 55));
  // Late: the device ran dry at 200.
  trace.kernel(280, 300, trace.call("cudaLaunchKernel", 250, 255));
  // In time, and yet it starts 20 ns after the kernel before.
  trace.kernel(320, 400, trace.call("cudaLaunchKernel", 260, 265));
  // Launched in the very nanosecond in which the device ran dry: in time.
  trace.kernel(405, 500, trace.call("cudaLaunchKernel", 400, 405));
  const DeviceTimeline row = only_row(trace, 500);
  CHECK(idle_lines(row) == Lines{"launch_bound 80 1", "start_up 100 1", "unexplained 25 2"});
}

TEST_CASE("time in a synchronising call of the launching thread goes to the function") {
  SweepTrace trace;
  trace.kernel(100, 200, trace.call("cudaLaunchKernel", 50, 55));
  // The call drains the device at 200, returns at 230, and the next launch comes at 250.
  trace.call("cudaDeviceSynchronize_v3020", 60, 230);
  trace.kernel(260, 300, trace.call("cudaLaunchKernel", 250, 255));
  // Another thread's call does not matter.
  trace.call("cudaStreamSynchronize_ptsz", 290, 390, 2);
  trace.kernel(400, 420, trace.call("cudaLaunchKernel", 350, 355));
  // Calls within the gap, the driver's inside the runtime's.
  trace.call("cudaEventSynchronize", 425, 440);
  trace.call("cuEventSynchronize", 426, 439);
  trace.call("cudaEventQuery", 441, 450);
  trace.call("cudaStreamSynchronize", 452, 460);
  trace.kernel(480, 500, trace.call("cudaLaunchKernel", 470, 475));
  const DeviceTimeline row = only_row(trace, 500);
  CHECK(idle_lines(row) == Lines{"launch_bound 167 5", "start_up 100 1", "synchronization/cudaDeviceSynchronize 30 1",
                                 "synchronization/cudaEventSynchronize 15 1",
                                 "synchronization/cudaStreamSynchronize 8 1"});
}

TEST_CASE("a call that waits for the operation itself does not explain why it came late") {
  SweepTrace trace;
  trace.kernel(100, 200, trace.call("cudaLaunchKernel", 50, 55));
  // Called while the kernel runs: the copy has been asked for in time. The call keeps the host until 240.
  trace.copy(210, 230, trace.call("cudaMemcpy", 150, 240));
  // Called when the device is dry: the host was late with it, 10 ns of that because of the copy before.
  trace.copy(300, 320, trace.call("cudaMemcpy", 270, 330));
  // A launch, and a wait for it that begins before the kernel does.
  const std::uint32_t launch = trace.call("cudaLaunchKernel", 350, 355);
  trace.call("cudaDeviceSynchronize", 356, 395);
  trace.kernel(370, 380, launch);
  const DeviceTimeline row = only_row(trace, 400);
  CHECK(idle_lines(row) == Lines{"copy_not_overlapped 40 2", "launch_bound 100 2", "shut_down 20 1", "start_up 100 1",
                                 "synchronization/cudaMemcpy 20 2", "unexplained 10 1"});
}

TEST_CASE("ranges of the input pipeline on the launching thread come before waits") {
  SweepTrace trace;
  trace.kernel(100, 200, trace.call("cudaLaunchKernel", 50, 55));
  trace.call("cudaStreamSynchronize", 60, 230);
  // Nested, in another domain, and with another range around: the outermost one of the input pipeline counts.
  trace.push("step", 10);
  trace.push("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 220);
  trace.push("load_batch", 240, 1, "loader");
  trace.pop(260);
  trace.pop(265, 1, "loader");
  trace.pop(390);
  trace.range("Data Loading", 270, 280, 2);
  trace.kernel(300, 400, trace.call("cudaLaunchKernel", 290, 295));
  // Open to the end.
  trace.push("next_batch", 410);
  trace.kernel(450, 460, trace.call("cudaLaunchKernel", 440, 445));
  const DeviceTimeline row = only_row(trace, 460);
  CHECK(idle_lines(row) == Lines{"input_pipeline/enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__ 45 1",
                                 "input_pipeline/next_batch 40 1", "launch_bound 45 2", "start_up 100 1",
                                 "synchronization/cudaStreamSynchronize 20 1"});
}

TEST_CASE("pops without a push change nothing") {
  SweepTrace trace;
  trace.kernel(100, 200, trace.call("cudaLaunchKernel", 50, 55));
  trace.pop(90);
  trace.push("input", 210);
  trace.pop(220, 1, "other domain");
  trace.pop(230);
  trace.pop(240);
  trace.kernel(260, 300, trace.call("cudaLaunchKernel", 250, 255));
  CHECK(idle_lines(only_row(trace, 300)) == Lines{"input_pipeline/input 20 1", "launch_bound 40 2", "start_up 100 1"});
}

TEST_CASE("time that was not recorded comes before every other cause") {
  SweepTrace trace;
  trace.capture(true, 80);
  trace.kernel(100, 200, trace.call("cudaLaunchKernel", 90, 95));
  trace.capture(false, 210);
  trace.capture(true, 400);
  trace.call("cudaStreamSynchronize", 205, 215);
  trace.kernel(450, 500, trace.call("cudaLaunchKernel", 440, 445));
  // Launched while nothing was recorded, after the device ran dry, but before the recording went on.
  trace.capture(false, 520);
  trace.capture(true, 600);
  trace.kernel(610, 620, trace.call("cudaLaunchKernel", 590, 595));
  trace.copy(640, 700);
  trace.capture(false, 680);
  const DeviceTimeline row = only_row(trace, 1000);
  // 0-80, 210-400, 520-600, 680-1000.
  CHECK(idle_lines(row) == Lines{"copy_not_overlapped 40 1", "launch_bound 50 1", "not_captured 670 4", "start_up 20 1",
                                 "unexplained 60 4"});
}

TEST_CASE("several devices of one process have rows of their own, untouched ones none") {
  SweepTrace trace;
  trace.writer().queue_id({5, 1, 7});
  trace.kernel(100, 200, trace.call("cudaLaunchKernel", 50, 55), "gemm", 2);
  trace.kernel(150, 300, trace.call("cudaLaunchKernel", 60, 65), "gemm", 0);
  trace.kernel(700, 800, trace.call("cudaLaunchKernel", 600, 605), "gemm", 2);
  const std::vector<DeviceTimeline> rows = trace.sweep(1000);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].device == 0);
  CHECK(rows[1].device == 2);
  CHECK(adds_up(rows[0]));
  CHECK(adds_up(rows[1]));
  CHECK(idle_lines(rows[0]) == Lines{"shut_down 700 1", "start_up 150 1"});
  CHECK(idle_lines(rows[1]) == Lines{"launch_bound 500 1", "shut_down 200 1", "start_up 100 1"});
}

TEST_CASE("operations of no length and graphs as a whole are operations") {
  SweepTrace trace;
  const std::uint32_t first = trace.call("cudaGraphLaunch", 10, 20);
  trace.writer().add(trace::GraphExecution{SweepTrace::kStart + 100, SweepTrace::kStart + 200,
                                           trace.writer().queue_id({0, 1, 7}), first, 3});
  // A graph that begins on the host has no device.
  trace.writer().add(trace::GraphExecution{SweepTrace::kStart + 210, SweepTrace::kStart + 220,
                                           trace.writer().queue_id({0xffffffff, 0xffffffff, 7}), 0, 4});
  trace.kernel(250, 250, trace.call("cudaLaunchKernel", 240, 245));
  trace.copy(300, 300);
  const DeviceTimeline row = only_row(trace, 300);
  CHECK(row.operations == 3);
  CHECK(row.compute_ns == 100);
  CHECK(row.idle_ns == 200);
  CHECK(idle_lines(row) == Lines{"launch_bound 50 1", "start_up 100 1", "unexplained 50 1"});
}

TEST_CASE("launch latencies are from the call to the operation, once for a graph launch") {
  SweepTrace trace;
  trace.kernel(110, 120, trace.call("cudaLaunchKernel", 100, 105));
  trace.kernel(230, 240, trace.call("cudaLaunchKernel", 200, 205));
  const std::uint32_t graph = trace.call("cudaGraphLaunch", 300, 305);
  trace.kernel(350, 360, graph, "gemm", 0, 9);
  trace.kernel(380, 390, graph, "gemm", 0, 9);
  // The clocks of host and device disagree.
  trace.kernel(392, 395, trace.call("cudaLaunchKernel", 400, 405));
  trace.kernel(450, 460);
  const DeviceTimeline row = only_row(trace, 460);
  CHECK(row.operations == 6);
  CHECK(row.launches_timed == 4);
  CHECK(row.negative_latencies == 1);
  CHECK(row.launch_latency.sum_ns == 10 + 30 + 50);
  CHECK(row.launch_latency.median_ns == 30);
  CHECK(row.launch_latency.min_ns == 10);
  CHECK(row.launch_latency.max_ns == 50);
  CHECK(row.launch_latency.mean_ns == 30.0);
}

TEST_CASE("long latencies keep their sum exactly and their quantiles within a quarter of a thousandth") {
  SweepTrace trace;
  std::uint64_t sum_ns = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint64_t latency_ns = 1'000'003 + 997 * i;
    sum_ns += latency_ns;
    trace.kernel(i * 100'000 + latency_ns, i * 100'000 + latency_ns + 5,
                 trace.call("cudaLaunchKernel", i * 100'000, i * 100'000 + 5));
  }
  const DeviceTimeline row = only_row(trace, 200'000'000);
  CHECK(row.launch_latency.sum_ns == sum_ns);
  CHECK(row.launch_latency.min_ns == 1'000'003);
  CHECK(row.launch_latency.max_ns == 1'000'003 + 997 * 999);
  const double median_ns = 1'000'003 + 997 * 499;
  CHECK(static_cast<double>(row.launch_latency.median_ns) == Approx(median_ns).epsilon(1.0 / 4096));
}

TEST_CASE("the queue is what was launched and not finished when an operation started") {
  SweepTrace trace;
  const std::uint32_t a = trace.call("cudaLaunchKernel", 10, 11);
  const std::uint32_t b = trace.call("cudaLaunchKernel", 20, 21);
  const std::uint32_t c = trace.call("cudaLaunchKernel", 30, 31);
  const std::uint32_t d = trace.call("cudaLaunchKernel", 160, 161);
  trace.kernel(100, 150, a);  // a, b, c
  trace.kernel(150, 250, b);  // b, c
  trace.kernel(200, 260, c);  // b runs on, c, d
  trace.kernel(300, 310, d);  // d
  const DeviceTimeline row = only_row(trace, 310);
  CHECK(row.max_queue_depth == 3);
  CHECK(row.mean_queue_depth == (3 + 2 + 3 + 1) / 4.0);
}

TEST_CASE("a long history of a thread takes bounded memory and still explains the gaps") {
  SweepTrace trace;
  // Another device that is used once at the beginning holds the history back.
  trace.kernel(1, 2, trace.call("cudaLaunchKernel", 0, 1), "gemm", 1);
  constexpr std::uint64_t kSteps = 70000;
  for (std::uint64_t i = 0; i < kSteps; ++i) {
    const std::uint64_t at = 100 * i + 100;
    trace.kernel(at + 10, at + 50, trace.call("cudaLaunchKernel", at, at + 5));
    trace.call("cudaStreamSynchronize", at + 6, at + 60);
  }
  const std::vector<DeviceTimeline> rows = trace.sweep(100 * kSteps + 200);
  REQUIRE(rows.size() == 2);
  CHECK(adds_up(rows[0]));
  CHECK(idle_lines(rows[0])[0] == "launch_bound 3499950 69999");
  CHECK(idle_lines(rows[0])[3] == "synchronization/cudaStreamSynchronize 699990 69999");
}

TEST_CASE("a program that numbers its ranges gets a bounded list of them") {
  SweepTrace trace;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint64_t at = 100 * i;
    trace.range("load_batch " + std::to_string(i), at, at + 20);
    trace.kernel(at + 40, at + 99, trace.call("cudaLaunchKernel", at + 30, at + 35));
  }
  const DeviceTimeline row = only_row(trace, 100'000);
  CHECK(row.idle.size() < 300);
}

}  // namespace
}  // namespace gpuprof::timeline
