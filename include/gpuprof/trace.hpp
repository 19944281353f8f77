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
  // "NAME=value" of the environment variables that tell the processes of a job apart (RANK, LOCAL_RANK, WORLD_SIZE,
  // OMPI_COMM_WORLD_RANK, SLURM_PROCID, ...), as far as they are set.
  std::vector<std::string> labels;
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

  bool operator==(const Kernel&) const = default;
};

struct ApiCall {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint32_t function = 0;  // string id, for example "cudaLaunchKernel"
  std::uint32_t thread = 0;    // operating system thread id
  std::uint32_t correlation = 0;
  std::uint32_t result = 0;  // the call's return value; 0 is success

  bool operator==(const ApiCall&) const = default;
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
  // Devices of a copy between two of them, plus 1; 0 for every other copy.
  std::uint32_t source_device_plus_1 = 0;
  std::uint32_t destination_device_plus_1 = 0;

  bool operator==(const Copy&) const = default;
};

struct Set {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint64_t bytes = 0;
  std::uint32_t queue = 0;
  std::uint32_t correlation = 0;
  std::uint32_t memory = 0;  // CUpti_ActivityMemoryKind
  std::uint32_t graph = 0;

  bool operator==(const Set&) const = default;
};

struct Synchronization {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint32_t type = 0;  // CUpti_ActivitySynchronizationType
  std::uint32_t context = 0;
  std::uint32_t stream = 0;  // 0xFFFFFFFF: not a stream
  std::uint32_t correlation = 0;
  std::uint32_t event = 0;  // id of the CUDA event waited for; 0: none

  bool operator==(const Synchronization&) const = default;
};

struct Overhead {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint32_t kind = 0;    // CUpti_ActivityOverheadKind
  std::uint32_t thread = 0;  // 0: not a thread

  bool operator==(const Overhead&) const = default;
};

// One execution of a CUDA graph, recorded as a whole instead of node by node.
struct GraphExecution {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint32_t queue = 0;  // of the launch; its device and context are 0xFFFFFFFF when the first node is on the host
  std::uint32_t correlation = 0;
  std::uint32_t graph = 0;

  bool operator==(const GraphExecution&) const = default;
};

// Just-in-time compilation by the driver.
struct Jit {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint32_t entry = 0;      // CUpti_ActivityJitEntryType
  std::uint32_t operation = 0;  // CUpti_ActivityJitOperationType
  std::uint32_t thread = 0;
  std::uint32_t correlation = 0;

  bool operator==(const Jit&) const = default;
};

// An allocation or release of memory.
struct MemoryEvent {
  std::uint64_t time_ns = 0;
  std::uint64_t bytes = 0;
  std::uint64_t address = 0;
  std::uint64_t pool = 0;       // address of the pool; 0: none
  std::uint32_t operation = 0;  // CUpti_ActivityMemoryOperationType: 1 allocation, 2 release
  std::uint32_t kind = 0;       // CUpti_ActivityMemoryKind
  std::uint32_t queue = 0;
  std::uint32_t correlation = 0;

  bool operator==(const MemoryEvent&) const = default;
};

// A memory pool was created, destroyed or trimmed.
struct MemoryPoolEvent {
  std::uint64_t time_ns = 0;
  std::uint64_t address = 0;
  std::uint64_t size_bytes = 0;
  std::uint64_t used_bytes = 0;
  std::uint32_t operation = 0;  // CUpti_ActivityMemoryPoolOperationType
  std::uint32_t type = 0;       // CUpti_ActivityMemoryPoolType
  std::uint32_t device = 0;

  bool operator==(const MemoryPoolEvent&) const = default;
};

// Traffic and faults of unified (managed) memory.
struct UnifiedMemory {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;  // some kinds have no end: 0
  std::uint64_t value = 0;   // bytes, or a count: depends on the kind
  std::uint64_t address = 0;
  std::uint32_t kind = 0;    // CUpti_ActivityUnifiedMemoryCounterKind
  std::uint32_t source = 0;  // device ids as CUPTI gives them
  std::uint32_t destination = 0;

  bool operator==(const UnifiedMemory&) const = default;
};

enum class NvtxKind : std::uint32_t { push = 0, pop = 1, start = 2, end = 3, mark = 4 };
enum class NvtxPayload : std::uint32_t { none = 0, unsigned_integer = 1, signed_integer = 2, real = 3 };

// One NVTX call. Ranges are paired by the reader: push and pop by thread and domain, start and end by `range`. A pop
// and an end carry no name.
struct NvtxEvent {
  std::uint64_t time_ns = 0;
  NvtxKind kind = NvtxKind::push;
  std::uint32_t thread = 0;    // operating system thread id
  std::uint32_t name = 0;      // string id
  std::uint32_t domain = 0;    // string id; the default domain is called ""
  std::uint64_t range = 0;     // of start and end: the id that start returned
  std::uint32_t category = 0;  // 0: none
  std::uint32_t color = 0;     // ARGB; 0: none
  NvtxPayload payload_type = NvtxPayload::none;
  std::uint64_t payload = 0;  // the value's 64 bits

  bool operator==(const NvtxEvent&) const = default;
};

// A name given to a thread, by NVTX or by the operating system. The newest one counts.
struct ThreadName {
  std::uint32_t thread = 0;
  std::string name;

  bool operator==(const ThreadName&) const = default;
};

// A name given to a category of an NVTX domain.
struct NvtxCategory {
  std::string domain;
  std::uint32_t id = 0;
  std::string name;

  bool operator==(const NvtxCategory&) const = default;
};

struct Context {
  std::uint32_t id = 0;
  std::uint32_t device = 0;
  std::uint32_t null_stream = 0;  // id of its default stream

  bool operator==(const Context&) const = default;
};

struct Stream {
  std::uint32_t context = 0;
  std::uint32_t id = 0;
  std::int32_t priority = 0;  // lower is more urgent
  std::uint32_t flags = 0;    // CUpti_ActivityStreamFlag

  bool operator==(const Stream&) const = default;
};

enum class CaptureReason : std::uint32_t {
  none = 0,
  delay = 1,         // --delay has passed
  duration = 2,      // --duration has passed
  nvtx_range = 3,    // the NVTX range of --capture-range opened or closed
  profiler_api = 4,  // cudaProfilerStart, cudaProfilerStop
  share = 5,         // --trace-share
  size_limit = 6,    // --max-size is reached
};

// From `time_ns` on device work is recorded (or not). A file without any is recorded throughout.
struct CapturePhase {
  std::uint64_t time_ns = 0;
  bool on = false;
  CaptureReason reason = CaptureReason::none;

  bool operator==(const CapturePhase&) const = default;
};

// Launches that were counted, but not recorded, since the previous such record: one entry per kernel shape.
struct LaunchCounts {
  std::vector<std::uint32_t> shapes;
  std::vector<std::uint64_t> launches;

  bool operator==(const LaunchCounts&) const = default;
};

// A GPU as the driver's management library (NVML) sees it.
struct TelemetryDevice {
  std::uint32_t index = 0;  // NVML's
  std::string name;
  std::string uuid;
  std::uint32_t max_sm_clock_mhz = 0;
  std::uint32_t power_limit_mw = 0;

  bool operator==(const TelemetryDevice&) const = default;
};

// The state of a GPU at one time.
struct TelemetrySample {
  std::uint64_t time_ns = 0;  // CLOCK_REALTIME
  std::uint32_t device = 0;   // NVML's index
  std::uint32_t missing = 0;  // bit i: value i of those below (sm_clock_mhz is 0) is not available
  std::uint32_t sm_clock_mhz = 0;
  std::uint32_t memory_clock_mhz = 0;
  std::uint32_t power_mw = 0;
  std::uint32_t temperature_c = 0;
  std::uint32_t gpu_utilization_pct = 0;
  std::uint32_t memory_utilization_pct = 0;
  std::uint64_t memory_used_bytes = 0;
  std::uint64_t pcie_tx_bytes_per_second = 0;
  std::uint64_t pcie_rx_bytes_per_second = 0;
  std::uint64_t throttle_reasons = 0;  // nvmlClocksEventReasons bits
  std::uint64_t ecc_corrected = 0;     // since the driver was loaded
  std::uint64_t ecc_uncorrected = 0;

  bool operator==(const TelemetrySample&) const = default;
};

// An XID error the driver reported.
struct TelemetryXid {
  std::uint64_t time_ns = 0;
  std::uint32_t device = 0;
  std::uint64_t xid = 0;

  bool operator==(const TelemetryXid&) const = default;
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
  // Launches while device work was not recorded (CapturePhase); not part of the counts above.
  std::uint64_t uncaptured_kernel_launches = 0;
  std::uint64_t uncaptured_graph_launches = 0;
  std::uint64_t uncaptured_graph_kernels = 0;  // kernels of these, as far as their graphs' nodes are known
  std::uint64_t graph_executions =
      0;  // graph launches recorded as a whole; their kernels are not in graph_kernel_nodes
  std::uint64_t kernels_overwritten = 0;  // kernel records discarded by the flight recorder
  std::uint64_t nvtx_events = 0;          // NVTX calls seen, stored or not
  std::uint64_t nvtx_dropped = 0;         // of these, lost for lack of memory

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
  write_failed = 9,          // detail: errno text
  fatal_error = 10,          // CUPTI reported a fatal error and ended itself
  second_cupti = 11,         // two libcupti files are mapped; detail: their paths
  stream_taken_over = 12,    // launches go on, records do not arrive
  window_discarded = 13,     // detail: expected and delivered ranges
  size_limit = 14,           // --max-size is reached; detail: the limit in bytes
  capture_not_started = 15,  // the capture range never opened; detail: what was waited for
  // In telemetry.trace only.
  telemetry_unavailable = 16,  // detail: why NVML cannot be used
  telemetry_gpu_lost = 17,     // this GPU's state is not recorded from here on; detail: "GPU 3: GPU is lost"
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
