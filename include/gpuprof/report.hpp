// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The merged report: everything gpuprof knows about one profiled command. report.json is this structure
// (schema "gpuprof.report/1", docs/report.schema.json); the text and CSV outputs are views of it.
//
// Conventions: times are nanoseconds, sizes bytes, shares fractions of 1. Strings that come from the program (names,
// arguments) keep their bytes here and are made safe when they are written out. Kernel times come from the timeline
// only.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gpuprof/counter.hpp"
#include "gpuprof/kernel.hpp"
#include "gpuprof/timeline.hpp"

namespace gpuprof {

inline constexpr const char* kReportSchema = "gpuprof.report/1";

enum class Severity { info, warning, error };
const char* to_string(Severity severity);

// Something the reader of the report has to know: what happened, and what to do next.
struct Notice {
  Severity severity = Severity::warning;
  std::string code;  // stable identifier, for example "counters.permission"
  std::string text;  // one sentence: what happened
  std::string hint;  // one sentence: what to do next; may be empty
};

struct GpuInfo {
  std::uint32_t index = 0;  // CUDA device ordinal in the profiled process
  std::string name;
  std::string uuid;  // "GPU-xxxxxxxx-...", empty when unknown
  std::uint32_t compute_major = 0;
  std::uint32_t compute_minor = 0;
  std::uint32_t sm_count = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t l2_bytes = 0;
  std::uint64_t peak_dram_bytes_per_second = 0;  // from the memory clock and bus width; 0 when unknown
  std::uint32_t max_sm_clock_khz = 0;
};

struct Environment {
  std::string hostname;
  std::string operating_system;  // "Linux 6.1.0"
  std::string driver_version;    // kernel driver, "580.159.04"; empty when there is none
  std::string cupti_path;        // the library the collector used; empty when none was
  std::string cupti_version;     // "13.0.1" or the raw number
  std::vector<GpuInfo> gpus;
};

// How a process or a stage's command ended.
enum class EndKind {
  exited,       // `code` is the exit status
  signalled,    // `code` is the signal number
  not_started,  // could not be executed
  running,      // still ran when the command had ended; of a process that cannot be looked for (other host): unknown
  vanished,     // gone without its exit handlers, by _exit or a deadly signal; a process's last records may be missing
  replaced,     // went on as another program (exec), which has a trace of its own if it loaded the collector
};
const char* to_string(EndKind kind);

struct ProcessEnd {
  EndKind kind = EndKind::running;
  int code = 0;
};

// One execution of the command.
struct StageReport {
  std::string name;  // "timeline", "counters"
  ProcessEnd end;
  std::uint64_t wall_time_ns = 0;
  std::uint64_t processes = 0;  // processes in which the collector was loaded
};

// One process in which the collector was loaded.
struct ProcessReport {
  std::string stage;
  std::uint32_t pid = 0;
  std::string executable;
  std::uint64_t kernel_launches = 0;
  ProcessEnd end;  // known for the command itself; `running` for its children unless the collector saw the exit
  bool clean_exit = false;  // the collector wrote its final record
  bool truncated = false;   // the trace ends in a torn frame
  std::uint64_t last_record_ns =
      0;  // age of the newest record at the process's end is unknown; this is its time since start
  std::string host;
  std::uint32_t parent_pid = 0;
  bool used_cuda = false;
  std::uint64_t nvtx_events = 0;
  std::optional<std::uint32_t> rank;  // of a distributed job
  std::vector<std::string> labels;    // "LOCAL_RANK=0": variables that tell the processes of a job apart
};

// The books of kernel records. launched = stored + dropped + overwritten + invalid() + unaccounted, always;
// `unaccounted` is 0 in a sound trace. `launched` is counted by launch callbacks, independently of the records.
struct KernelLedger {
  std::uint64_t launched = 0;     // successful launches, plus the kernel nodes of launched graphs
  std::uint64_t stored = 0;       // records with a usable duration
  std::uint64_t dropped = 0;      // missing records that CUPTI or the collector reported as dropped
  std::uint64_t untimed = 0;      // start == end == 0 (device buffers full)
  std::uint64_t unfinished = 0;   // end == 0: still running at the last flush
  std::uint64_t negative = 0;     // end < start
  std::uint64_t wrong_clock = 0;  // outside the process's lifetime by more than a minute
  std::uint64_t overwritten = 0;  // discarded by the flight recorder (--keep-last)
  std::int64_t unaccounted = 0;   // missing without an explanation (> 0), or more records than launches (< 0)

  std::uint64_t invalid() const { return untimed + unfinished + negative + wrong_clock; }
};

struct Ledger {
  KernelLedger kernels;
  std::uint64_t records_dropped_by_cupti = 0;  // of any kind
  std::uint64_t profiler_kernels_ignored = 0;  // CUPTI's own kernels, not the program's
  std::uint64_t trace_bytes = 0;
  std::uint64_t api_calls = 0;
  std::uint64_t copies = 0;
  std::uint64_t sets = 0;
  std::uint64_t synchronizations = 0;
  std::vector<RecordClasses> records;  // every kind that has records
  std::vector<ClockReport> clocks;     // processes whose clock jumped
};

struct Totals {
  std::uint64_t wall_time_ns = 0;      // of the timeline stage
  std::uint64_t kernel_time_ns = 0;    // sum of kernel durations over all streams and devices
  std::uint64_t kernel_launches = 0;   // stored ones
  std::uint64_t distinct_kernels = 0;  // number of keys
  std::uint64_t copy_time_ns = 0;
  std::uint64_t copy_bytes = 0;
  std::uint64_t synchronization_time_ns = 0;  // host time inside synchronising calls
  std::uint64_t launch_api_time_ns = 0;       // host time inside launch calls
};

struct SelectionReport {
  std::string rule;              // "coverage" or "top"
  double coverage_target = 0.9;  // for rule "coverage"
  std::uint64_t top = 0;         // for rule "top"
  std::uint64_t cap = 50;
  std::uint64_t selected = 0;
  double coverage_reached = 0;  // share of kernel time covered by the selected kernels
};

struct KernelReport {
  KernelKey key;
  std::string demangled_name;
  std::string short_name;  // without template arguments, parameters and namespaces: for columns
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t local_bytes_per_thread = 0;
  Dim3 cluster;                      // 1,1,1 without clusters
  std::uint64_t launches = 0;        // stored launches
  std::uint64_t graph_launches = 0;  // of these, launched as a node of a CUDA graph
  DurationStats time;
  double share = 0;  // of the total kernel time
  // With parts of the run not recorded: launches of the whole run, counted, and their time, the recorded mean times
  // their number, with its standard error.
  std::optional<std::uint64_t> estimated_launches;
  std::optional<double> estimated_time_ns;
  std::optional<double> estimated_time_error_ns;
  double running_share = 0;  // sum of shares up to and including this kernel, in order of total time
  bool selected = false;
  std::string selection_reason;
  std::map<std::string, CounterValue> counters;  // keyed by CUPTI's metric name, or "gpuprof__..." for derived values
};

struct CopyReport {
  std::string kind;           // "HtoD", "DtoH", "DtoD", "PtoP", ..., "memset"
  std::string source_memory;  // "pageable", "pinned", "device", "managed", ...; between two devices "device 0"
  std::string destination_memory;
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  DurationStats time;
};

// A CUDA graph whose launches were measured as a whole (counters of single nodes inside a graph are not available).
struct GraphReport {
  std::uint32_t graph_id = 0;
  std::uint64_t launches = 0;
  std::uint64_t kernel_nodes = 0;  // kernels of one launch; 0 when unknown
  std::map<std::string, CounterValue> counters;
};

struct CountersReport {
  bool attempted = false;
  std::string tier;                              // "quick"
  std::string chip;                              // "GH100"
  std::vector<std::vector<std::string>> groups;  // metric names, one list per single-pass group
  std::uint64_t windows = 0;
  std::uint64_t windows_discarded = 0;
  std::uint64_t launches_measured = 0;
  std::uint64_t window_time_ns = 0;  // wall time during which a window was open, set-up included
  std::string unavailable_reason;    // why there are no counters at all; empty when there are
};

struct Report {
  std::string generator_version;
  std::string session;               // directory name
  std::string recorded_at;           // ISO 8601 UTC, start of the first stage
  std::vector<std::string> command;  // argv of the program
  Environment environment;
  std::vector<StageReport> stages;
  std::vector<ProcessReport> processes;
  Ledger ledger;
  Totals totals;
  SelectionReport selection;
  std::vector<KernelReport> kernels;  // in order of descending total time
  std::vector<CopyReport> copies;
  std::vector<GraphReport> graphs;
  CountersReport counters;
  std::vector<DeviceTimeline> devices;
  std::vector<StepReport> steps;
  std::vector<RangeReport> ranges;  // by descending wall time
  NvtxReport nvtx;
  CaptureSummary capture;
  JobReport job;
  std::vector<MemoryReport> memory;
  TelemetryReport telemetry;
  std::vector<Notice> notices;
};

}  // namespace gpuprof
