// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The fields of gpuprof/timeline.hpp in report.json, once for both directions; field_archive.hpp says how to read them.
// A field that is added to one of these objects later must be `added`.

#include "gpuprof/timeline.hpp"
#include "model/field_archive.hpp"

namespace gpuprof::model {

template <class A>
void fields(A& a, Ref<A, IdleTime> x) {
  a.field("cause", x.cause);
  a.omit_empty("detail", x.detail);
  a.field("time_ns", x.time_ns);
  a.field("gaps", x.gaps);
}

template <class A>
void fields(A& a, Ref<A, DeviceTimeline> x) {
  a.field("pid", x.pid);
  a.field("rank", x.rank);
  a.field("device", x.device);
  a.field("wall_ns", x.wall_ns);
  a.field("compute_ns", x.compute_ns);
  a.field("compute_and_copy_ns", x.compute_and_copy_ns);
  a.field("compute_and_communication_ns", x.compute_and_communication_ns);
  a.field("communication_ns", x.communication_ns);
  a.field("communication_and_copy_ns", x.communication_and_copy_ns);
  a.field("copy_ns", x.copy_ns);
  a.field("idle_ns", x.idle_ns);
  a.derived("busy_ns", x.busy_ns());
  a.field("idle", x.idle);
  a.field("operations", x.operations);
  a.field("launches_timed", x.launches_timed);
  a.field("negative_latencies", x.negative_latencies);
  duration_fields(a, x.launch_latency, x.launches_timed, "launch_latency_ns");
  a.field("mean_queue_depth", x.mean_queue_depth);
  a.field("max_queue_depth", x.max_queue_depth);
}

template <class A>
void fields(A& a, Ref<A, StepReport> x) {
  a.field("pid", x.pid);
  a.field("rank", x.rank);
  a.field("source", x.source);
  a.field("name", x.name);
  a.field("count", x.count);
  duration_fields(a, x.time, x.count);
  a.field("mean_idle_ns", x.mean_idle_ns);
  a.field("mean_kernels", x.mean_kernels);
}

template <class A>
void fields(A& a, Ref<A, RangeReport> x) {
  a.field("domain", x.domain);
  a.field("name", x.name);
  a.field("kind", x.kind);
  a.field("count", x.count);
  a.field("open", x.open);
  a.field("cross_thread", x.cross_thread);
  duration_fields(a, x.time, x.count);
  a.field("kernels", x.kernels);
  a.field("kernel_time_ns", x.kernel_time_ns);
  a.field("overlapping_busy_ns", x.overlapping_busy_ns);
  a.field("idle_ns", x.idle_ns);
}

template <class A>
void fields(A& a, Ref<A, NvtxReport> x) {
  a.field("events", x.events);
  a.field("marks", x.marks);
  a.field("dropped", x.dropped);
  a.field("unmatched_pops", x.unmatched_pops);
  a.field("unmatched_ends", x.unmatched_ends);
  a.field("open_ranges", x.open_ranges);
  a.field("cross_thread_ranges", x.cross_thread_ranges);
}

template <class A>
void fields(A& a, Ref<A, RecordClasses> x) {
  a.field("kind", x.kind);
  a.field("stored", x.stored);
  a.field("untimed", x.untimed);
  a.field("unfinished", x.unfinished);
  a.field("negative", x.negative);
  a.field("wrong_clock", x.wrong_clock);
}

template <class A>
void fields(A& a, Ref<A, ClockReport> x) {
  a.field("pid", x.pid);
  a.field("samples", x.samples);
  a.field("jumps", x.jumps);
  a.field("largest_jump_ns", x.largest_jump_ns);
}

template <class A>
void fields(A& a, Ref<A, CaptureSummary> x) {
  a.field("partial", x.partial);
  a.field("phases", x.phases);
  a.field("captured_ns", x.captured_ns);
  a.field("uncaptured_ns", x.uncaptured_ns);
  a.field("uncaptured_launches", x.uncaptured_launches);
  a.field("estimated", x.estimated);
}

template <class A>
void fields(A& a, Ref<A, RankReport> x) {
  a.field("rank", x.rank);
  a.field("host", x.host);
  a.field("pid", x.pid);
  a.field("kernel_time_ns", x.kernel_time_ns);
  a.field("communication_time_ns", x.communication_time_ns);
  a.field("communication_overlapped_ns", x.communication_overlapped_ns);
  a.field("median_step_ns", x.median_step_ns);
}

template <class A>
void fields(A& a, Ref<A, JobReport> x) {
  a.field("world_size", x.world_size);
  a.field("ranks", x.ranks);
  a.field("missing", x.missing);
  a.field("slowest_rank", x.slowest_rank);
  a.field("skew_ns", x.skew_ns);
  a.field("hosts", x.hosts);
}

template <class A>
void fields(A& a, Ref<A, MemoryReport> x) {
  a.field("kind", x.kind);
  a.field("allocations", x.allocations);
  a.field("releases", x.releases);
  a.field("allocated_bytes", x.allocated_bytes);
  a.field("peak_bytes", x.peak_bytes);
}

template <class A>
void fields(A& a, Ref<A, ValueRange> x) {
  a.field("min", x.min);
  a.field("median", x.median);
  a.field("max", x.max);
}

template <class A>
void fields(A& a, Ref<A, ThrottleTime> x) {
  a.field("reason", x.reason);
  a.field("time_ns", x.time_ns);
}

template <class A>
void fields(A& a, Ref<A, GpuTelemetry> x) {
  a.field("index", x.index);
  a.field("name", x.name);
  a.known("uuid", x.uuid);
  a.field("samples", x.samples);
  a.known("max_sm_clock_mhz", x.max_sm_clock_mhz);
  a.field("sm_clock_mhz", x.sm_clock_mhz);
  a.field("memory_clock_mhz", x.memory_clock_mhz);
  a.field("power_w", x.power_w);
  a.field("temperature_c", x.temperature_c);
  a.field("gpu_utilization_pct", x.gpu_utilization_pct);
  a.field("memory_used_bytes", x.memory_used_bytes);
  a.field("pcie_tx_bytes_per_second", x.pcie_tx_bytes_per_second);
  a.field("pcie_rx_bytes_per_second", x.pcie_rx_bytes_per_second);
  a.field("throttled", x.throttled);
  a.field("xids", x.xids);
  a.field("ecc_corrected", x.ecc_corrected);
  a.field("ecc_uncorrected", x.ecc_uncorrected);
}

template <class A>
void fields(A& a, Ref<A, TelemetryReport> x) {
  a.field("attempted", x.attempted);
  a.omit_empty("unavailable_reason", x.unavailable_reason);
  a.field("gpus", x.gpus);
}

}  // namespace gpuprof::model
