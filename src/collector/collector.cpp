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
    : options_(std::move(options)), writer_(std::move(writer)) {}

void Collector::start() {
  cupti::Failure failure;
  client_ = cupti::Client::open(options_.cupti_path, failure);
  if (client_ == nullptr) return note(failure);
  writer_->write(trace::CuptiInfo{client_->path(), client_->version()});
  if (const std::vector<std::string> files = client_->mapped_files(); files.size() > 1) {
    note({trace::NoticeCode::second_cupti, files[0] + " and " + files[1]});
  }
  if (!client_->subscribe(*this, failure) || !start_stage(failure)) return note(failure);
  write_clocks();

  instance = this;
  alive_ = true;
  std::atexit(finish_at_exit);
  signals_.install();
  std::thread([this] { run(); }).detach();
}

bool Collector::start_stage(cupti::Failure& failure) {
  if (options_.stage == Stage::timeline) {
    stream_ = cupti::ActivityStream::start(*client_, {options_.buffer_bytes, options_.buffer_limit_bytes}, failure);
    if (stream_ == nullptr) return false;
    sink_ = std::make_unique<RecordSink>(*client_, *stream_, launches_.graphs(), *writer_);
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
  if (stream_ != nullptr) return stream_->wait(options_.flush_period_ms);
  std::unique_lock lock(state_mutex_);
  state_changed_.wait_for(lock, std::chrono::milliseconds(options_.flush_period_ms),
                          [this] { return stopping_.load(); });
}

void Collector::drain() {
  if (!alive_) return;
  if (stream_ != nullptr) {
    stream_->flush();
    stream_->process(*sink_);
    watch_for_takeover();
  }
  if (windows_ != nullptr) write_counter_output();
  write_ledger();
  if (monotonic_ns() - last_clock_ns_ >= kClockPeriodNs) write_clocks();
  writer_->flush();
  report_write_failure();
}

void Collector::complete(int signal) {
  alive_ = false;
  if (stream_ != nullptr && !cupti_gone_) collect_stragglers(signal != 0 ? kStragglerAfterSignalNs : kStragglerNs);
  if (cupti_gone_) note({trace::NoticeCode::fatal_error, {}});
  // A kernel that runs for seconds holds the buffers back as well; only missing records prove a takeover.
  if (takeover_ns_ != 0 && sink_->kernel_records() < launches_.expected_kernels()) {
    writer_->write(trace::NoticeRecord{trace::NoticeCode::stream_taken_over, takeover_ns_, {}});
  }
  if (windows_ != nullptr) write_counter_output();
  write_ledger();
  write_clocks();
  writer_->write(trace::ProcessEndRecord{realtime_ns(), static_cast<std::uint32_t>(signal)});
  writer_->flush();
  report_write_failure();
}

// Kernels may still be running when the program exits. No flush waits for them, so ask again until the books balance.
void Collector::collect_stragglers(std::uint64_t patience_ns) {
  const std::uint64_t begin_ns = monotonic_ns();
  std::uint64_t progress_ns = begin_ns;
  for (;;) {
    stream_->flush();
    if (stream_->process(*sink_) != 0) progress_ns = monotonic_ns();
    if (sink_->kernel_records() >= launches_.expected_kernels()) break;
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
  trace::LedgerSample ledger;
  ledger.kernel_launches = launches_.kernel_launches();
  ledger.graph_launches = launches_.graphs().launches();
  ledger.graph_kernel_nodes = launches_.graphs().kernels();
  ledger.graphs_of_unknown_size = launches_.graphs().unknown_launches();
  if (stream_ != nullptr) {
    const cupti::BufferCounts counts = stream_->counts();
    ledger.kernel_records = sink_->kernel_records();
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
  const std::uint64_t cupti_ns = cupti_gone_ ? 0 : client_->timestamp_ns();
  writer_->write(trace::ClockSample{cupti_ns, realtime_ns(), monotonic_ns()});
}

void Collector::watch_for_takeover() {
  const std::uint64_t launches = launches_.expected_kernels();
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
  if (stream_ != nullptr) stream_->wake();
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
  launches_.enter();
  if (windows_ != nullptr) windows_->launch_enter(call);
}

void Collector::on_launch_exit(const cupti::LaunchCall& call, bool succeeded) {
  if (!alive_.load(std::memory_order_relaxed)) return;
  launches_.exit(call, succeeded, call.is_graph() ? client_->graph_id(call.graph_exec) : 0);
  if (windows_ != nullptr) windows_->launch_exit(call, succeeded, LaunchCounter::was_captured());
}

void Collector::on_capture_begin() {
  if (alive_ && windows_ != nullptr) windows_->capture_begin();
}

void Collector::on_capture_end() {
  if (alive_ && windows_ != nullptr) windows_->capture_end();
}

void Collector::on_context_created(void*) {
  // Exit handlers run in reverse order, and the driver registers its own during initialisation, possibly after ours.
  // Registered again here, ours runs before the driver goes; the second call finds nothing left to do.
  if (alive_) std::atexit(finish_at_exit);
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
