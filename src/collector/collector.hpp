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

#include "collector/counter_windows.hpp"
#include "collector/launch_counter.hpp"
#include "collector/options.hpp"
#include "collector/record_sink.hpp"
#include "collector/signals.hpp"
#include "cupti/activity.hpp"
#include "cupti/client.hpp"
#include "trace/writer.hpp"

namespace gpuprof::collector {

// Lives from InitializeInjection to the end of the process and is never destroyed: callbacks may run until then.
class Collector : public cupti::Listener {
 public:
  Collector(Options options, std::unique_ptr<trace::Writer> writer);

  // Opens libcupti, subscribes and starts the thread. On failure the reason is in the trace and nothing runs.
  void start();

  // Completes the trace. Called on an exiting thread; safe to call several times.
  void finish();

  // After fork, in the child: no CUPTI call may be made and nothing may be written any more.
  void abandon();

  void on_launch_enter(const cupti::LaunchCall& call) override;
  void on_launch_exit(const cupti::LaunchCall& call, bool succeeded) override;
  void on_capture_begin() override;
  void on_capture_end() override;
  void on_context_created(void* context) override;
  void on_context_destroying(void* context) override;
  void on_graph_node_created() override;
  void on_fatal_error() override;

 private:
  bool start_stage(cupti::Failure& failure);
  void run();
  void wait();
  void drain();
  void complete(int signal);
  void collect_stragglers(std::uint64_t patience_ns);
  void write_counter_output();
  void write_ledger();
  void write_clocks();
  void watch_for_takeover();
  void report_write_failure();
  void note(const cupti::Failure& failure);

  const Options options_;
  std::unique_ptr<trace::Writer> writer_;  // used by the collector's thread only, once it runs
  std::unique_ptr<cupti::Client> client_;
  cupti::ActivityStream* stream_ = nullptr;  // timeline stage
  std::unique_ptr<RecordSink> sink_;
  std::unique_ptr<CounterWindows> windows_;  // counter stage
  LaunchCounter launches_;
  SignalWatch signals_;

  std::atomic<bool> alive_{false};       // launches are listened to
  std::atomic<bool> cupti_gone_{false};  // CUPTI has shut itself down: no call may be made
  std::atomic<bool> stopping_{false};    // the thread shall complete the trace and end
  std::mutex state_mutex_;
  std::condition_variable state_changed_;
  bool finished_ = false;

  std::uint64_t dropped_by_cupti_ = 0;
  std::uint64_t last_clock_ns_ = 0;
  std::optional<trace::LedgerSample> last_ledger_;
  std::uint64_t watched_launches_ = 0;
  std::uint64_t watched_buffers_ = 0;
  std::uint64_t silent_since_ns_ = 0;
  std::uint64_t takeover_ns_ = 0;  // when buffers stopped coming although launches go on; 0: they come
  bool write_failure_reported_ = false;
};

}  // namespace gpuprof::collector
