// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The fields of report.json, once for both directions: the writer and the reader of report_writer.cpp and
// report_reader.cpp visit the same lists. docs/report.schema.json publishes them. Within schema version 1 fields are
// only added; an added one must be optional to the reader, because older files lack it.
//
// An archive A offers
//   Ref<T>                       const T& when writing, T& when reading
//   field(name, value)           present in every file; a double that is not finite is null
//   known(name, value)           null instead of 0 or an empty string, which stand for "unknown" in the structure
//   known_if(known, name, value) null when `known` is false
//   omit_empty(name, text)       left out when empty
//   derived(name, value)         written for the reader's convenience, ignored when read
//   object(name, visit)          a nested object whose fields lie in the same structure

#include <cstdint>

#include "gpuprof/report.hpp"

namespace gpuprof::model {

template <class A, class T>
using Ref = typename A::template Ref<T>;

template <class A>
void fields(A& a, Ref<A, GpuInfo> x) {
  a.field("index", x.index);
  a.field("name", x.name);
  a.known("uuid", x.uuid);
  a.known("compute_major", x.compute_major);
  a.known_if(x.compute_major != 0, "compute_minor", x.compute_minor);
  a.known("sm_count", x.sm_count);
  a.known("memory_bytes", x.memory_bytes);
  a.known("l2_bytes", x.l2_bytes);
  a.known("peak_dram_bytes_per_second", x.peak_dram_bytes_per_second);
  a.known("max_sm_clock_khz", x.max_sm_clock_khz);
}

template <class A>
void fields(A& a, Ref<A, Environment> x) {
  a.known("hostname", x.hostname);
  a.known("operating_system", x.operating_system);
  a.known("driver_version", x.driver_version);
  a.known("cupti_path", x.cupti_path);
  a.known("cupti_version", x.cupti_version);
  a.field("gpus", x.gpus);
}

template <class A>
void fields(A& a, Ref<A, ProcessEnd> x) {
  a.field("kind", x.kind);
  a.known_if(x.kind != EndKind::running, "code", x.code);
}

template <class A>
void fields(A& a, Ref<A, StageReport> x) {
  a.field("name", x.name);
  a.field("end", x.end);
  a.field("wall_time_ns", x.wall_time_ns);
  a.field("processes", x.processes);
}

template <class A>
void fields(A& a, Ref<A, ProcessReport> x) {
  a.field("stage", x.stage);
  a.field("pid", x.pid);
  a.field("executable", x.executable);
  a.field("kernel_launches", x.kernel_launches);
  a.field("end", x.end);
  a.field("clean_exit", x.clean_exit);
  a.field("truncated", x.truncated);
  a.field("last_record_ns", x.last_record_ns);
}

template <class A>
void fields(A& a, Ref<A, KernelLedger> x) {
  a.field("launched", x.launched);
  a.field("stored", x.stored);
  a.field("dropped", x.dropped);
  a.derived("invalid", x.invalid());
  a.field("untimed", x.untimed);
  a.field("unfinished", x.unfinished);
  a.field("negative", x.negative);
  a.field("wrong_clock", x.wrong_clock);
  a.field("unaccounted", x.unaccounted);
}

template <class A>
void fields(A& a, Ref<A, Ledger> x) {
  a.field("kernels", x.kernels);
  a.field("records_dropped_by_cupti", x.records_dropped_by_cupti);
  a.field("profiler_kernels_ignored", x.profiler_kernels_ignored);
  a.field("trace_bytes", x.trace_bytes);
  a.field("api_calls", x.api_calls);
  a.field("copies", x.copies);
  a.field("sets", x.sets);
  a.field("synchronizations", x.synchronizations);
}

template <class A>
void fields(A& a, Ref<A, Totals> x) {
  a.field("wall_time_ns", x.wall_time_ns);
  a.field("kernel_time_ns", x.kernel_time_ns);
  a.field("kernel_launches", x.kernel_launches);
  a.field("distinct_kernels", x.distinct_kernels);
  a.field("copy_time_ns", x.copy_time_ns);
  a.field("copy_bytes", x.copy_bytes);
  a.field("synchronization_time_ns", x.synchronization_time_ns);
  a.field("launch_api_time_ns", x.launch_api_time_ns);
}

template <class A>
void fields(A& a, Ref<A, SelectionReport> x) {
  a.field("rule", x.rule);
  a.field("coverage_target", x.coverage_target);
  a.field("top", x.top);
  a.field("cap", x.cap);
  a.field("selected", x.selected);
  a.field("coverage_reached", x.coverage_reached);
}

template <class A>
void fields(A& a, Ref<A, KernelKey> x) {
  a.field("mangled_name", x.mangled_name);
  a.field("grid", x.grid);
  a.field("block", x.block);
  a.field("dynamic_shared_bytes", x.dynamic_shared_bytes);
}

// The durations of `count` launches or copies.
template <class A>
void duration_fields(A& a, Ref<A, DurationStats> x, std::uint64_t count) {
  a.object("time_ns", [&x, count](A& time) {
    time.field("sum", x.sum_ns);
    time.field("mean", x.mean_ns);
    time.field("median", x.median_ns);
    time.field("p95", x.p95_ns);
    time.field("min", x.min_ns);
    time.field("max", x.max_ns);
    time.known_if(count > 1, "stddev", x.stddev_ns);
  });
}

template <class A>
void fields(A& a, Ref<A, CounterValue> x) {
  a.field("mean", x.mean);
  a.field("stddev", x.stddev);
  a.field("n", x.n);
  a.field("unit", x.unit);
  a.field("state", x.state);
  a.omit_empty("reason", x.reason);
}

template <class A>
void fields(A& a, Ref<A, KernelReport> x) {
  a.field("key", x.key);
  a.field("demangled_name", x.demangled_name);
  a.field("short_name", x.short_name);
  a.field("static_shared_bytes", x.static_shared_bytes);
  a.field("registers_per_thread", x.registers_per_thread);
  a.field("local_bytes_per_thread", x.local_bytes_per_thread);
  a.field("cluster", x.cluster);
  a.field("launches", x.launches);
  a.field("graph_launches", x.graph_launches);
  duration_fields(a, x.time, x.launches);
  a.field("share", x.share);
  a.field("running_share", x.running_share);
  a.field("selected", x.selected);
  a.field("selection_reason", x.selection_reason);
  a.field("counters", x.counters);
}

template <class A>
void fields(A& a, Ref<A, CopyReport> x) {
  a.field("kind", x.kind);
  a.field("source_memory", x.source_memory);
  a.field("destination_memory", x.destination_memory);
  a.field("count", x.count);
  a.field("bytes", x.bytes);
  duration_fields(a, x.time, x.count);
}

template <class A>
void fields(A& a, Ref<A, GraphReport> x) {
  a.field("graph_id", x.graph_id);
  a.field("launches", x.launches);
  a.known("kernel_nodes", x.kernel_nodes);
  a.field("counters", x.counters);
}

template <class A>
void fields(A& a, Ref<A, CountersReport> x) {
  a.field("attempted", x.attempted);
  a.field("tier", x.tier);
  a.field("chip", x.chip);
  a.field("groups", x.groups);
  a.field("windows", x.windows);
  a.field("windows_discarded", x.windows_discarded);
  a.field("launches_measured", x.launches_measured);
  a.field("window_time_ns", x.window_time_ns);
  a.omit_empty("unavailable_reason", x.unavailable_reason);
}

template <class A>
void fields(A& a, Ref<A, Notice> x) {
  a.field("severity", x.severity);
  a.field("code", x.code);
  a.field("text", x.text);
  a.omit_empty("hint", x.hint);
}

template <class A>
void fields(A& a, Ref<A, Report> x) {
  a.object("generator", [&x](A& generator) {
    generator.derived("name", "gpuprof");
    generator.field("version", x.generator_version);
  });
  a.field("session", x.session);
  a.field("recorded_at", x.recorded_at);
  a.field("command", x.command);
  a.field("environment", x.environment);
  a.field("stages", x.stages);
  a.field("processes", x.processes);
  a.field("ledger", x.ledger);
  a.field("totals", x.totals);
  a.field("selection", x.selection);
  a.field("kernels", x.kernels);
  a.field("copies", x.copies);
  a.field("graphs", x.graphs);
  a.field("counters", x.counters);
  a.field("notices", x.notices);
}

}  // namespace gpuprof::model
