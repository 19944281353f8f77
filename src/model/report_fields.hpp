// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The fields of report.json, once for both directions: the writer and the reader of report_writer.cpp and
// report_reader.cpp visit the same lists. docs/report.schema.json publishes them. Within schema version 1 fields are
// only added; an added one must be optional to the reader, because older files lack it.
// field_archive.hpp says how to read the lists; timeline_fields.hpp has those of gpuprof/timeline.hpp.

#include <cstdint>

#include "gpuprof/report.hpp"
#include "model/field_archive.hpp"
#include "model/timeline_fields.hpp"

namespace gpuprof::model {

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
  const bool has_code = x.kind != EndKind::running && x.kind != EndKind::vanished && x.kind != EndKind::replaced;
  a.known_if(has_code, "code", x.code);
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
  a.added("host", x.host);
  a.added("parent_pid", x.parent_pid);
  // Before the field existed only CUDA loaded the collector.
  a.added("used_cuda", x.used_cuda, true);
  a.added("nvtx_events", x.nvtx_events);
  a.added("rank", x.rank);
  a.added("labels", x.labels);
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
  a.added("overwritten", x.overwritten);
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
  a.added("records", x.records);
  a.added("clocks", x.clocks);
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
  a.added("estimated_launches", x.estimated_launches);
  a.added("estimated_time_ns", x.estimated_time_ns);
  a.added("estimated_time_error_ns", x.estimated_time_error_ns);
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
  a.added("devices", x.devices);
  a.added("steps", x.steps);
  a.added("ranges", x.ranges);
  a.added("nvtx", x.nvtx);
  a.added("capture", x.capture);
  a.added("job", x.job);
  a.added("memory", x.memory);
  a.added("telemetry", x.telemetry);
  a.field("notices", x.notices);
}

}  // namespace gpuprof::model
