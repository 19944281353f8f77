// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Records of a trace file (include/gpuprof/trace.proto) as plain structs. The collector fills them, the reader returns
// them. Times are CUPTI timestamps: nanoseconds of CLOCK_REALTIME. Ids of strings, shapes and queues are indices into
// the file's own dictionaries and start at 0.

#include <cstdint>
#include <string>
#include <vector>

#include "gpuprof/kernel.hpp"

namespace gpuprof::trace {

// The process that wrote the file. The first frame of every file: its presence says that the collector was loaded.
struct ProcessInfo {
  std::uint32_t pid = 0;
  std::uint32_t parent_pid = 0;
  std::uint64_t start_ticks = 0;  // field 22 of /proc/<pid>/stat: with the pid unique since boot
  std::string executable;
  std::vector<std::string> arguments;
  std::string hostname;
  std::string stage;  // "timeline" or "counters"
  std::string collector_version;
  std::uint64_t time_ns = 0;  // CLOCK_REALTIME at load
};

struct CuptiInfo {
  std::string path;
  std::uint32_t version = 0;  // as cuptiGetVersion returns it
};

struct Device {
  std::uint32_t id = 0;
  std::string name;
  std::string chip;  // "GH100"; empty when unknown
  std::string uuid;
  std::uint32_t compute_major = 0;
  std::uint32_t compute_minor = 0;
  std::uint32_t sm_count = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t l2_bytes = 0;
  std::uint64_t peak_dram_bytes_per_second = 0;
  std::uint32_t max_sm_clock_khz = 0;
};

// Everything that launches of one kernel with one configuration share.
struct KernelShape {
  std::uint32_t name = 0;  // string id of the mangled name
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t local_bytes_per_thread = 0;
  std::uint32_t launch_type =
      0;  // 0 regular, 1 cooperative, 2 cooperative multi-device, 3 command list (CUPTI's numbers)

  auto operator<=>(const KernelShape&) const = default;
};

// Where device work ran.
struct Queue {
  std::uint32_t device = 0;
  std::uint32_t context = 0;
  std::uint32_t stream = 0;

  auto operator<=>(const Queue&) const = default;
};

// Raw times are kept: 0/0 is untimed, end 0 unfinished, end < start invalid. The reader of the records classifies them.
struct Kernel {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint32_t shape = 0;
  std::uint32_t queue = 0;
  std::uint32_t correlation = 0;  // 0: none
  std::uint32_t graph = 0;        // 0: not launched by a graph
  std::uint64_t graph_node = 0;
};

struct ApiCall {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint32_t function = 0;  // string id, for example "cudaLaunchKernel"
  std::uint32_t thread = 0;    // operating system thread id
  std::uint32_t correlation = 0;
  std::uint32_t result = 0;  // the call's return value; 0 is success
};

struct Copy {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint64_t bytes = 0;
  std::uint32_t queue = 0;
  std::uint32_t correlation = 0;
  std::uint32_t kind = 0;         // CUpti_ActivityMemcpyKind
  std::uint32_t source = 0;       // CUpti_ActivityMemoryKind
  std::uint32_t destination = 0;  // CUpti_ActivityMemoryKind
  std::uint32_t graph = 0;
};

struct Set {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint64_t bytes = 0;
  std::uint32_t queue = 0;
  std::uint32_t correlation = 0;
  std::uint32_t memory = 0;  // CUpti_ActivityMemoryKind
  std::uint32_t graph = 0;
};

struct Synchronization {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint32_t type = 0;  // CUpti_ActivitySynchronizationType
  std::uint32_t context = 0;
  std::uint32_t stream = 0;  // 0xFFFFFFFF: not a stream
  std::uint32_t correlation = 0;
};

struct Overhead {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint32_t kind = 0;    // CUpti_ActivityOverheadKind
  std::uint32_t thread = 0;  // 0: not a thread
};

// Pairs of clocks, taken close together.
struct ClockSample {
  std::uint64_t cupti_ns = 0;  // 0 before libcupti is loaded
  std::uint64_t realtime_ns = 0;
  std::uint64_t monotonic_ns = 0;
};

// Counts since the process started. The newest one in a file is valid up to that point.
struct LedgerSample {
  std::uint64_t kernel_launches = 0;         // successful launch calls that were not captured into a graph
  std::uint64_t graph_launches = 0;          // successful graph launches
  std::uint64_t graph_kernel_nodes = 0;      // kernels of these launches, as far as their graphs' nodes are known
  std::uint64_t graphs_of_unknown_size = 0;  // of these launches, those of an unknown graph
  std::uint64_t kernel_records = 0;          // kernel records decoded, CUPTI's own excluded
  std::uint64_t profiler_kernels = 0;        // CUPTI's own kernels, left out
  std::uint64_t dropped_by_cupti = 0;        // records of any kind
  std::uint64_t buffers_completed = 0;
  std::uint64_t foreign_buffers = 0;  // completed buffers that were not ours: another CUPTI client

  bool operator==(const LedgerSample&) const = default;
};

enum class NoticeCode : std::uint32_t {
  none = 0,
  cupti_not_found = 1,        // detail: what was tried
  cupti_subscriber_held = 2,  // detail: the holder's name
  cupti_error = 3,            // detail: call and error text
  no_driver = 4,
  counters_permission = 5,
  counters_busy = 6,
  counters_unsupported = 7,
  counters_error = 8,
  write_failed = 9,        // detail: errno text
  fatal_error = 10,        // CUPTI reported a fatal error and ended itself
  second_cupti = 11,       // two libcupti files are mapped; detail: their paths
  stream_taken_over = 12,  // launches go on, records do not arrive
  window_discarded = 13,   // detail: expected and delivered ranges
};

struct NoticeRecord {
  NoticeCode code = NoticeCode::none;
  std::uint64_t time_ns = 0;
  std::string detail;
};

struct ProcessEndRecord {
  std::uint64_t time_ns = 0;
  std::uint32_t signal = 0;  // 0: left through exit
};

// What the launcher asks of the counter stage; a file of its own (counters/plan), read by the collector.
struct CounterPlan {
  struct Kernel {
    std::string mangled_name;
    Dim3 grid;
    Dim3 block;
    std::uint32_t dynamic_shared_bytes = 0;
  };
  std::vector<std::vector<std::string>> groups;  // each list is one single-pass group
  std::vector<Kernel> kernels;                   // the selected kernels
  std::uint32_t samples = 10;                    // launches wanted per kernel and group
  bool graphs = false;                 // selected kernels are launched by CUDA graphs too: measure graphs as a whole
  std::uint32_t window_launches = 64;  // largest number of launches in a window
};

// The groups as they were armed on a device. Windows refer to them by index.
struct CounterGroups {
  std::uint32_t device = 0;
  std::string chip;
  std::vector<std::vector<std::string>> groups;
};

// One launch window: `launches` consecutive launches of one context, all measured with one group.
struct CounterWindow {
  std::uint32_t device = 0;
  std::uint32_t context = 0;
  std::uint32_t group = 0;
  std::uint64_t start_ns = 0;  // before the range profiler was started
  std::uint64_t end_ns = 0;    // after the values were decoded
  std::uint32_t ranges_delivered = 0;
  bool discarded = false;   // ranges and launch log disagree: values is empty
  std::uint32_t graph = 0;  // not 0: the window holds launches of this graph, measured as a whole
  // Launches at the beginning that are measured but are no samples: the first range of a window runs with caches that
  // starting the window has disturbed.
  std::uint32_t warm_up_launches = 0;
  std::vector<std::uint32_t> launches;  // shape id of each launch, in order; for a graph window one entry per launch, 0
  std::vector<double> values;           // launches x metrics of the group, row by row; NaN: not available
};

}  // namespace gpuprof::trace
