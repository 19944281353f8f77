// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The collector of one process: listens to CUPTI, and on a thread of its own decodes, writes and watches.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "collector/capture_control.hpp"
#include "collector/counter_windows.hpp"
#include "collector/launch_counter.hpp"
#include "collector/options.hpp"
#include "collector/record_sink.hpp"
#include "collector/signals.hpp"
#include "cupti/activity.hpp"
#include "cupti/client.hpp"
#include "trace/writer.hpp"

namespace gpuprof::collector {

// Lives from the process's first CUDA or NVTX call to its end and is never destroyed: callbacks may run until then.
class Collector : public cupti::Listener {
 public:
  Collector(Options options, std::unique_ptr<trace::Writer> writer);

  // Starts the thread. What runs without CUDA, NVTX, is recorded from now on.
  void start();

  // CUDA is being initialised: opens libcupti and subscribes. On failure the reason is in the trace, and no device work
  // is recorded.
  void attach_cuda();

  // Completes the trace. Called on an exiting thread; safe to call several times.
  void finish();

  // After fork, in the child: no CUPTI call may be made and nothing may be written any more.
  void abandon();

  void on_launch_enter(const cupti::LaunchCall& call) override;
  void on_launch_exit(const cupti::LaunchCall& call, bool succeeded) override;
  void on_capture_begin() override;
  void on_capture_end() override;
  void on_profiler_start() override;
  void on_profiler_stop() override;
  void on_context_created(void* context) override;
  void on_context_destroying(void* context) override;
  void on_graph_node_created() override;
  void on_fatal_error() override;

 private:
  void watch_capture_range();
  bool open_cupti(cupti::Failure& failure);
  bool start_stage(cupti::Failure& failure);
  void run();
  void wait();
  void drain();
  void drain_device_work();
  void write_capture();
  void complete(int signal);
  std::uint64_t expected_kernels() const;
  bool everything_arrived() const;
  void collect_stragglers(std::uint64_t patience_ns);
  void write_counter_output();
  void write_ledger();
  void write_clocks();
  void watch_for_takeover();
  void report_write_failure();
  void note(const cupti::Failure& failure);

  const Options options_;
  // The collector's thread writes; attach_cuda() writes as well, on a thread of the program.
  std::mutex writer_mutex_;
  std::unique_ptr<trace::Writer> writer_;
  std::unique_ptr<cupti::Client> client_;
  cupti::ActivityStream* stream_ = nullptr;  // timeline stage
  std::unique_ptr<RecordSink> sink_;
  std::unique_ptr<CounterWindows> windows_;  // counter stage
  LaunchCounter launches_;
  CaptureControl capture_;
  SignalWatch signals_;

  std::atomic<bool> alive_{false};       // launches are listened to
  std::atomic<bool> cupti_gone_{false};  // CUPTI has shut itself down: no call may be made
  std::atomic<bool> stopping_{false};    // the thread shall complete the trace and end
  std::mutex state_mutex_;
  std::condition_variable state_changed_;
  bool finished_ = false;

  std::uint64_t dropped_by_cupti_ = 0;
  std::uint64_t kernels_overwritten_ = 0;
  bool size_limit_noted_ = false;
  std::uint64_t last_clock_ns_ = 0;
  std::optional<trace::LedgerSample> last_ledger_;
  std::uint64_t watched_launches_ = 0;
  std::uint64_t watched_buffers_ = 0;
  std::uint64_t silent_since_ns_ = 0;
  std::uint64_t takeover_ns_ = 0;  // when buffers stopped coming although launches go on; 0: they come
  bool write_failure_reported_ = false;
};

}  // namespace gpuprof::collector
