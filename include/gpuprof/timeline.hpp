// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the report says about the order of events: busy and idle time, steps, NVTX ranges, ranks, and the state of the
// machine. Source: the timeline traces, telemetry.trace. Times are nanoseconds, sizes bytes, shares fractions of 1.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpuprof/kernel.hpp"

namespace gpuprof {

// Causes of time in which a device computes nothing. The order is the order of precedence: a stretch of time is
// counted once, under the first cause that applies.
enum class IdleCause {
  not_captured,                  // device work was not recorded (--delay, --capture-range, --trace-share)
  start_up,                      // before the process's first operation on this device
  shut_down,                     // after its last one
  communication_not_overlapped,  // only communication kernels (NCCL, NVSHMEM) ran
  copy_not_overlapped,           // only copies or sets ran
  input_pipeline,                // the launching thread was in a range of the input pipeline (a data loader)
  synchronization,               // the launching thread waited in a synchronising call, or came late because of one
  launch_bound,                  // the host was late: the next operation was launched after the device ran dry
  unexplained,                   // launched in time, yet not running: waits on the device, or no launch is known
};
const char* to_string(IdleCause cause);

struct IdleTime {
  IdleCause cause = IdleCause::unexplained;
  std::string detail;  // synchronization: the function; input_pipeline: the range's name; else empty
  std::uint64_t time_ns = 0;
  std::uint64_t gaps = 0;  // stretches of time with this cause
};

// One device as one process used it. The seven parts add up to wall_ns exactly, the times of `idle` to
// communication_ns + copy_ns + communication_and_copy_ns + idle_ns.
struct DeviceTimeline {
  std::uint32_t pid = 0;
  std::optional<std::uint32_t> rank;
  std::uint32_t device = 0;   // CUDA ordinal in the process
  std::uint64_t wall_ns = 0;  // from the process's load of the collector to its end or its last event

  std::uint64_t compute_ns = 0;                    // compute kernels only
  std::uint64_t compute_and_copy_ns = 0;           // and copies or sets beside them
  std::uint64_t compute_and_communication_ns = 0;  // and communication kernels beside them, with or without copies
  std::uint64_t communication_ns = 0;              // communication kernels only
  std::uint64_t communication_and_copy_ns = 0;     // communication and copies, no compute
  std::uint64_t copy_ns = 0;                       // copies or sets only
  std::uint64_t idle_ns = 0;                       // nothing
  std::vector<IdleTime> idle;                      // by descending time

  std::uint64_t operations = 0;
  // From the start of the launching call to the start of the operation, of operations whose launch is known. Graph
  // kernels: of the first kernel of a launch. Negative ones, a matter of clocks, are counted and left out.
  std::uint64_t launches_timed = 0;
  std::uint64_t negative_latencies = 0;
  DurationStats launch_latency;
  // Operations launched, but not finished, at the start of each operation; itself included.
  double mean_queue_depth = 0;
  std::uint64_t max_queue_depth = 0;

  std::uint64_t busy_ns() const { return wall_ns - idle_ns; }
};

// The repeating step of one process.
struct StepReport {
  std::uint32_t pid = 0;
  std::optional<std::uint32_t> rank;
  std::string source;  // "nvtx": ranges of one name; "kernel_sequence": the period of the launched kernels
  std::string name;    // of the range, or of the kernel that marks the step
  std::uint64_t count = 0;
  DurationStats time;       // wall time of a step
  double mean_idle_ns = 0;  // time without any operation on a device of the process, in a mean step
  double mean_kernels = 0;  // kernels started in a mean step, on any stream
};

// NVTX ranges of one name and domain, of all processes. A kernel in several nested ranges of this name counts once.
// After 10,000 names the rest share a row "(other names)".
struct RangeReport {
  std::string domain;  // "" is the default domain
  std::string name;
  std::string kind;  // "push_pop" or "start_end"
  std::uint64_t count = 0;
  std::uint64_t open = 0;            // of these, not closed: they end with their process
  std::uint64_t cross_thread = 0;    // of these, ended on another thread
  DurationStats time;                // wall time
  std::uint64_t kernels = 0;         // launched inside, by the thread that opened the range
  std::uint64_t kernel_time_ns = 0;  // sum of their durations, wherever they ran
  std::uint64_t overlapping_busy_ns =
      0;                      // time in which any device was busy, summed over the ranges as their wall time
  std::uint64_t idle_ns = 0;  // wall time less that, and less time that was not recorded
};

struct NvtxReport {
  std::uint64_t events = 0;
  std::uint64_t marks = 0;
  std::uint64_t dropped = 0;
  std::uint64_t unmatched_pops = 0;
  std::uint64_t unmatched_ends = 0;
  std::uint64_t open_ranges = 0;
  std::uint64_t cross_thread_ranges = 0;
};

// Records of one kind by what their stamps are worth.
struct RecordClasses {
  std::string kind;               // "kernels", "copies", "sets", "graph_executions", "api_calls", "synchronizations"
  std::uint64_t stored = 0;       // usable
  std::uint64_t untimed = 0;      // start == end == 0
  std::uint64_t unfinished = 0;   // end == 0
  std::uint64_t negative = 0;     // end < start
  std::uint64_t wrong_clock = 0;  // outside the process's lifetime by more than a minute
};

// How the host clock behaved while a process was recorded: REALTIME, the clock of all stamps, against MONOTONIC.
struct ClockReport {
  std::uint32_t pid = 0;
  std::uint64_t samples = 0;
  std::uint64_t jumps = 0;  // steps of more than 1 ms between two samples
  std::int64_t largest_jump_ns = 0;
};

// What part of the run was recorded. All zero when everything was.
struct CaptureSummary {
  bool partial = false;
  std::uint64_t phases = 0;       // stretches of time that were recorded
  std::uint64_t captured_ns = 0;  // sum of these, over processes
  std::uint64_t uncaptured_ns = 0;
  std::uint64_t uncaptured_launches = 0;  // kernels launched meanwhile
  bool estimated = false;                 // kernel totals were extrapolated to the whole run
};

// One rank of a distributed job.
struct RankReport {
  std::uint32_t rank = 0;
  std::string host;
  std::uint32_t pid = 0;
  std::uint64_t kernel_time_ns = 0;
  std::uint64_t communication_time_ns = 0;        // time with communication kernels
  std::uint64_t communication_overlapped_ns = 0;  // of this, beside compute
  std::optional<double> median_step_ns;
};

struct JobReport {
  std::uint32_t world_size = 0;  // as the ranks were told; 0: not a distributed job
  std::vector<RankReport> ranks;
  std::vector<std::uint32_t> missing;  // ranks without a trace
  // The rank that waits least in communication is the one that the others wait for.
  std::optional<std::uint32_t> slowest_rank;
  std::uint64_t skew_ns = 0;  // largest minus smallest communication_time_ns
  std::vector<std::string> hosts;
};

// Peak use of device memory by allocations seen (--trace memory).
struct MemoryReport {
  std::string kind;  // "device", "pinned", "managed", ...
  std::uint64_t allocations = 0;
  std::uint64_t releases = 0;
  std::uint64_t allocated_bytes = 0;
  std::uint64_t peak_bytes = 0;  // the largest of any process
};

struct ValueRange {
  double min = 0;
  double median = 0;
  double max = 0;
};

struct ThrottleTime {
  std::string reason;  // "power cap", "thermal slowdown", ...
  std::uint64_t time_ns = 0;
};

// One GPU while the program ran, as NVML saw it.
struct GpuTelemetry {
  std::uint32_t index = 0;  // NVML's
  std::string name;
  std::string uuid;
  std::uint64_t samples = 0;
  std::uint32_t max_sm_clock_mhz = 0;
  std::optional<ValueRange> sm_clock_mhz;
  std::optional<ValueRange> memory_clock_mhz;
  std::optional<ValueRange> power_w;
  std::optional<ValueRange> temperature_c;
  std::optional<ValueRange> gpu_utilization_pct;
  std::optional<ValueRange> memory_used_bytes;
  std::optional<ValueRange> pcie_tx_bytes_per_second;
  std::optional<ValueRange> pcie_rx_bytes_per_second;
  std::vector<ThrottleTime> throttled;  // reasons that slow the clocks down, by descending time
  std::vector<std::uint64_t> xids;      // XID errors, in order
  std::uint64_t ecc_corrected = 0;      // new ones while the program ran
  std::uint64_t ecc_uncorrected = 0;
};

struct TelemetryReport {
  bool attempted = false;
  std::string unavailable_reason;  // empty when there are samples
  std::vector<GpuTelemetry> gpus;
};

}  // namespace gpuprof
