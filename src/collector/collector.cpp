// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/collector.hpp"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "collector/nvtx_recorder.hpp"
#include "collector/process.hpp"
#include "trace/reader.hpp"

namespace gpuprof::collector {
namespace {

constexpr std::uint64_t kClockPeriodNs = 1'000'000'000;
// Launches without a single buffer for this long can mean that another CUPTI client has taken the stream.
constexpr std::uint64_t kSilenceNs = 2'000'000'000;
// At the end: how long to wait for kernels still running, and how long without any progress.
constexpr std::uint64_t kStragglerNs = 2'000'000'000;
// The same after a signal: what sent it may send SIGKILL soon.
constexpr std::uint64_t kStragglerAfterSignalNs = 500'000'000;
constexpr std::uint64_t kNoProgressNs = 400'000'000;
constexpr unsigned kStragglerPollMs = 10;
// How long an exiting thread waits for the collector's thread.
constexpr auto kFinishPatience = std::chrono::seconds(10);

constexpr std::uint64_t kNsPerMs = 1'000'000;
constexpr std::string_view kProfilerApi = "profiler-api";

Collector* instance = nullptr;

void finish_at_exit() {
  if (instance != nullptr) instance->finish();
}

// The program's signals are not ours to handle.
void block_all_signals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

Collector::Collector(Options options, std::unique_ptr<trace::Writer> writer)
    : options_(std::move(options)), writer_(std::move(writer)), capture_(options_) {
  if (options_.keep_last_ms != 0) writer_->remember_batches();
}

void Collector::start() {
  NvtxRecorder::instance().set_limit(options_.nvtx_limit_bytes);
  watch_capture_range();
  write_clocks();
  writer_->flush();
  instance = this;
  std::atexit(finish_at_exit);
  signals_.install();
  std::thread([this] { run(); }).detach();
}

void Collector::attach_cuda() {
  cupti::Failure failure;
  const std::lock_guard lock(writer_mutex_);
  if (!open_cupti(failure)) note(failure);
  writer_->flush();
  // The thread waits as it did without CUDA; capture control may want it sooner.
  state_changed_.notify_all();
}

bool Collector::open_cupti(cupti::Failure& failure) {
  client_ = cupti::Client::open(options_.cupti_path, failure);
  if (client_ == nullptr) return false;
  writer_->write(trace::CuptiInfo{client_->path(), client_->version()});
  if (const std::vector<std::string> files = client_->mapped_files(); files.size() > 1) {
    note({trace::NoticeCode::second_cupti, files[0] + " and " + files[1]});
  }
  if (!client_->subscribe(*this, failure) || !start_stage(failure)) return false;
  write_clocks();
  alive_ = true;
  return true;
}

bool Collector::start_stage(cupti::Failure& failure) {
  if (options_.stage == Stage::timeline) {
    cupti::ActivityOptions activity;
    activity.buffer_bytes = options_.buffer_bytes;
    activity.limit_bytes = options_.buffer_limit_bytes;
    activity.limit_bytes_per_thread = options_.buffer_limit_bytes_per_thread;
    activity.device_buffers = options_.device_buffers;
    activity.whole_graphs = options_.whole_graphs;
    activity.memory = options_.memory;
    activity.unified_memory = options_.unified_memory;
    activity.all_api = options_.all_api;
    activity.paused = !capture_.recording();
    stream_ = cupti::ActivityStream::start(*client_, activity, failure);
    if (stream_ == nullptr) return false;
    sink_ = std::make_unique<RecordSink>(*client_, *stream_, launches_.graphs(), *writer_);
    capture_.start(*stream_, monotonic_ns());
    return true;
  }
  trace::CounterPlan plan;
  if (!trace::read_plan(options_.plan_path, plan) || plan.groups.empty()) {
    failure = {trace::NoticeCode::counters_error, "the counter plan " + options_.plan_path + " cannot be read"};
    return false;
  }
  windows_ = std::make_unique<CounterWindows>(*client_, std::move(plan));
  return true;
}

// The range of --capture-range nvtx:NAME may open before CUDA is initialised.
void Collector::watch_capture_range() {
  constexpr std::string_view kPrefix = "nvtx:";
  if (options_.capture_range.compare(0, kPrefix.size(), kPrefix) != 0) return;
  NvtxRecorder::instance().watch(
      options_.capture_range.substr(kPrefix.size()),
      [](void* user, bool open) {
        static_cast<CaptureControl*>(user)->range_changed(open, trace::CaptureReason::nvtx_range);
      },
      &capture_);
}

void Collector::note(const cupti::Failure& failure) {
  writer_->write(trace::NoticeRecord{failure.code, realtime_ns(), failure.detail});
}

void Collector::run() {
  block_all_signals();
  pthread_setname_np(pthread_self(), "gpuprof");
  int signal = 0;
  while (!stopping_ && signal == 0) {
    // Nothing that goes wrong here may reach the program.
    try {
      wait();
      drain();
    } catch (...) {
    }
    signal = signals_.pending();
  }
  try {
    complete(signal);
  } catch (...) {
  }
  {
    std::lock_guard lock(state_mutex_);
    finished_ = true;
  }
  state_changed_.notify_all();
  if (signal != 0) SignalWatch::die_of(signal);
}

void Collector::wait() {
  const unsigned milliseconds = capture_.wait_ms(monotonic_ns(), options_.flush_period_ms);
  if (alive_ && stream_ != nullptr) return stream_->wait(milliseconds);
  std::unique_lock lock(state_mutex_);
  state_changed_.wait_for(lock, std::chrono::milliseconds(milliseconds),
                          [this] { return stopping_ || (alive_ && stream_ != nullptr); });
}

void Collector::drain() {
  const std::lock_guard lock(writer_mutex_);
  if (alive_) drain_device_work();
  NvtxRecorder::instance().drain(*writer_);
  write_ledger();
  if (monotonic_ns() - last_clock_ns_ >= kClockPeriodNs) write_clocks();
  writer_->flush();
  if (options_.keep_last_ms != 0) {
    kernels_overwritten_ += writer_->discard_before(realtime_ns() - options_.keep_last_ms * kNsPerMs);
  }
  report_write_failure();
}

void Collector::drain_device_work() {
  if (stream_ != nullptr) {
    capture_.update(monotonic_ns(), writer_->bytes_written());
    stream_->flush();
    stream_->process(*sink_);
    watch_for_takeover();
    write_capture();
  }
  if (windows_ != nullptr) write_counter_output();
}

void Collector::write_capture() {
  if (!capture_.active()) return;
  for (const trace::CapturePhase& phase : capture_.take_phases()) writer_->write(phase);
  launches_.unrecorded().write(*writer_);
  if (!capture_.size_limit_reached() || size_limit_noted_) return;
  size_limit_noted_ = true;
  note({trace::NoticeCode::size_limit, std::to_string(options_.max_bytes)});
}

void Collector::complete(int signal) {
  const std::lock_guard lock(writer_mutex_);
  const bool attached = alive_.exchange(false) || cupti_gone_;
  if (attached && stream_ != nullptr) {
    if (!cupti_gone_) collect_stragglers(signal != 0 ? kStragglerAfterSignalNs : kStragglerNs);
    write_capture();
    if (capture_.never_started()) note({trace::NoticeCode::capture_not_started, options_.capture_range});
    // A kernel that runs for seconds holds the buffers back as well; only missing records prove a takeover.
    if (takeover_ns_ != 0 && sink_->kernel_records() < expected_kernels()) {
      writer_->write(trace::NoticeRecord{trace::NoticeCode::stream_taken_over, takeover_ns_, {}});
    }
  }
  if (cupti_gone_) note({trace::NoticeCode::fatal_error, {}});
  if (attached && windows_ != nullptr) write_counter_output();
  NvtxRecorder::instance().drain(*writer_);
  write_ledger();
  write_clocks();
  writer_->write(trace::ProcessEndRecord{realtime_ns(), static_cast<std::uint32_t>(signal)});
  writer_->flush();
  report_write_failure();
}

// Kernels that should have a record of their own.
std::uint64_t Collector::expected_kernels() const {
  return options_.whole_graphs ? launches_.kernel_launches() : launches_.expected_kernels();
}

bool Collector::everything_arrived() const {
  const bool graphs = !options_.whole_graphs || sink_->graph_executions() >= launches_.graphs().launches();
  return graphs && sink_->kernel_records() >= expected_kernels();
}

// Kernels may still be running when the program exits. No flush waits for them, so ask again until the books balance.
void Collector::collect_stragglers(std::uint64_t patience_ns) {
  const std::uint64_t begin_ns = monotonic_ns();
  std::uint64_t progress_ns = begin_ns;
  for (;;) {
    stream_->flush();
    if (stream_->process(*sink_) != 0) progress_ns = monotonic_ns();
    if (everything_arrived()) break;
    const std::uint64_t now = monotonic_ns();
    if (now - begin_ns > patience_ns || now - progress_ns > kNoProgressNs) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(kStragglerPollMs));
  }
  stream_->flush_unfinished();
  stream_->process(*sink_);
}

void Collector::write_counter_output() {
  const CounterOutput output = windows_->take_output();
  for (const auto& groups : output.groups) writer_->write(groups);
  for (const auto& finished : output.windows) {
    trace::CounterWindow window = finished.window;
    window.launches.assign(finished.graph_launches, 0);
    for (std::size_t kernel : finished.kernels) {
      std::string name;
      trace::KernelShape shape = windows_->kernel_shape(kernel, name);
      shape.name = writer_->string_id(name);
      window.launches.push_back(writer_->shape_id(shape));
    }
    writer_->write(window);
  }
  for (const auto& failure : output.notices) note(failure);
}

void Collector::write_ledger() {
  const GraphBook& graphs = launches_.graphs();
  trace::LedgerSample ledger;
  ledger.kernel_launches = launches_.kernel_launches();
  ledger.graph_launches = graphs.launches();
  ledger.graph_kernel_nodes = options_.whole_graphs ? 0 : graphs.kernels();
  ledger.graphs_of_unknown_size = graphs.unknown_launches();
  ledger.uncaptured_kernel_launches = launches_.unrecorded_kernel_launches();
  ledger.uncaptured_graph_launches = graphs.unrecorded_launches();
  ledger.uncaptured_graph_kernels = graphs.unrecorded_kernels();
  ledger.kernels_overwritten = kernels_overwritten_;
  ledger.nvtx_events = NvtxRecorder::instance().events();
  ledger.nvtx_dropped = NvtxRecorder::instance().dropped();
  if (sink_ != nullptr) {
    const cupti::BufferCounts counts = stream_->counts();
    ledger.kernel_records = sink_->kernel_records();
    ledger.graph_executions = sink_->graph_executions();
    ledger.profiler_kernels = sink_->profiler_kernels();
    if (!cupti_gone_) dropped_by_cupti_ += stream_->take_dropped();
    ledger.dropped_by_cupti = dropped_by_cupti_;
    ledger.buffers_completed = counts.completed;
    ledger.foreign_buffers = counts.foreign;
  }
  if (last_ledger_ && *last_ledger_ == ledger) return;
  last_ledger_ = ledger;
  writer_->write(ledger);
}

void Collector::write_clocks() {
  last_clock_ns_ = monotonic_ns();
  const std::uint64_t cupti_ns = cupti_gone_ || client_ == nullptr ? 0 : client_->timestamp_ns();
  writer_->write(trace::ClockSample{cupti_ns, realtime_ns(), monotonic_ns()});
}

void Collector::watch_for_takeover() {
  const std::uint64_t launches = expected_kernels();
  const std::uint64_t buffers = stream_->counts().completed;
  const std::uint64_t now = monotonic_ns();
  if (buffers != watched_buffers_) takeover_ns_ = 0;
  if (buffers != watched_buffers_ || launches == watched_launches_) silent_since_ns_ = now;
  watched_buffers_ = buffers;
  watched_launches_ = launches;
  if (takeover_ns_ == 0 && now - silent_since_ns_ >= kSilenceNs) takeover_ns_ = realtime_ns() - kSilenceNs;
}

void Collector::report_write_failure() {
  if (writer_->error() == 0 || write_failure_reported_) return;
  write_failure_reported_ = true;
  std::fprintf(stderr,
               "gpuprof: writing the trace failed: %s; the rest of this process is not recorded. Free space in %s\n",
               std::strerror(writer_->error()), options_.trace_directory.c_str());
}

void Collector::finish() {
  // A window is closed here, on a thread of the program: the range profiler wants the context it was opened on.
  if (alive_ && windows_ != nullptr) windows_->finish();
  {
    std::lock_guard lock(state_mutex_);
    stopping_ = true;
  }
  state_changed_.notify_all();
  if (alive_ && stream_ != nullptr) stream_->wake();
  std::unique_lock lock(state_mutex_);
  state_changed_.wait_for(lock, kFinishPatience, [this] { return finished_; });
}

void Collector::abandon() {
  alive_ = false;
  instance = nullptr;
  signals_.uninstall();
}

void Collector::on_launch_enter(const cupti::LaunchCall& call) {
  if (!alive_.load(std::memory_order_relaxed)) return;
  launches_.enter(capture_.enter());
  if (windows_ != nullptr) windows_->launch_enter(call);
}

void Collector::on_launch_exit(const cupti::LaunchCall& call, bool succeeded) {
  if (!alive_.load(std::memory_order_relaxed)) return;
  launches_.exit(call, succeeded, call.is_graph() ? client_->graph_id(call.graph_exec) : 0);
  capture_.exit();
  if (windows_ != nullptr) windows_->launch_exit(call, succeeded, LaunchCounter::was_captured());
}

void Collector::on_capture_begin() {
  if (alive_ && windows_ != nullptr) windows_->capture_begin();
}

void Collector::on_capture_end() {
  if (alive_ && windows_ != nullptr) windows_->capture_end();
}

void Collector::on_profiler_start() {
  if (alive_ && options_.capture_range == kProfilerApi) {
    capture_.range_changed(true, trace::CaptureReason::profiler_api);
  }
}

void Collector::on_profiler_stop() {
  if (alive_ && options_.capture_range == kProfilerApi) {
    capture_.range_changed(false, trace::CaptureReason::profiler_api);
  }
}

void Collector::on_context_created(void*) {
  // Exit handlers run in reverse order, and the driver registers its own during initialisation, possibly after ours.
  // Registered again here, ours runs before the driver goes; the second call finds nothing left to do.
  if (!alive_) return;
  std::atexit(finish_at_exit);
  if (!capture_.active() || stream_ == nullptr) return;
  capture_.context_created(monotonic_ns());
  stream_->wake();
}

void Collector::on_context_destroying(void* context) {
  if (alive_ && windows_ != nullptr) windows_->context_destroying(context);
}

void Collector::on_graph_node_created() {
  launches_.node_created();
}

void Collector::on_fatal_error() {
  // What is decoded gets written; nothing more will come.
  cupti_gone_ = true;
  alive_ = false;
}

}  // namespace gpuprof::collector
