// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Decides when to open a launch window, keeps its launch log, and gives every measured range to its launch.
//
// A window opens at the launch of a planned kernel that still lacks samples and closes when such kernels stop coming,
// or when it is full. While it is open, launches are serialised from entry to exit, so that the order of the log is the
// order in which the device sees them. When every planned kernel has its samples, the counters are given back and the
// program runs on undisturbed.

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector/kernel_table.hpp"
#include "cupti/client.hpp"
#include "cupti/range_session.hpp"
#include "gpuprof/trace.hpp"

namespace gpuprof::collector {

// A finished window, with its launches as kernels of the table instead of shape ids.
struct FinishedWindow {
  trace::CounterWindow window;
  std::vector<std::size_t> kernels;  // KernelTable indices, one a launch; empty for a graph window
  std::size_t graph_launches = 0;    // launches of a graph window
};

struct CounterOutput {
  std::vector<trace::CounterGroups> groups;  // newly armed devices
  std::vector<FinishedWindow> windows;
  std::vector<cupti::Failure> notices;
};

class CounterWindows {
 public:
  CounterWindows(const cupti::Client& client, trace::CounterPlan plan);

  // From the launch callbacks, in pairs on the launching thread.
  void launch_enter(const cupti::LaunchCall& call);
  void launch_exit(const cupti::LaunchCall& call, bool succeeded, bool captured);

  void capture_begin();
  void capture_end();
  void context_destroying(void* context);

  // Closes an open window and gives the counters back. Called once, at the end of the process.
  void finish();

  // What happened since the last call. For the collector's thread.
  CounterOutput take_output();

  // The kernel behind an index of FinishedWindow::kernels. Safe beside the callbacks.
  trace::KernelShape kernel_shape(std::size_t kernel, std::string& mangled_name);

 private:
  struct Open {
    void* context = nullptr;
    std::uint32_t context_id = 0;
    cupti::RangeSession* session = nullptr;
    std::size_t group = 0;
    std::uint64_t start_ns = 0;
    std::uint32_t graph = 0;
    std::size_t graph_launches = 0;
    std::size_t warm_up_launches = 0;  // at the beginning: measured, but no samples
    std::vector<std::size_t> kernels;
    std::size_t since_needed = 0;  // launches since the last one that was needed

    std::size_t launches() const { return graph != 0 ? graph_launches : kernels.size(); }
  };

  cupti::RangeSession* session_for(const cupti::LaunchCall& call, cupti::RangeMode mode);
  void open_window(const cupti::LaunchCall& call, std::size_t kernel);
  void close_window();
  bool evaluate(const Open& window, std::vector<double>& values);
  void take_back_samples(const Open& window);
  bool everything_measured() const;
  bool graph_wanted(std::uint32_t graph);
  void graph_enter(const cupti::LaunchCall& call);
  void graph_exit(bool succeeded);
  void note(const cupti::Failure& failure);
  void fail(const cupti::Failure& failure);
  void stop_measuring();

  const cupti::Client& client_;
  const trace::CounterPlan plan_;
  KernelTable kernels_;
  // Held from entry to exit of a launch inside a window.
  std::mutex mutex_;
  std::atomic<bool> done_{false};
  int captures_ = 0;
  std::unique_ptr<Open> open_;
  unsigned useless_in_a_row_ = 0;  // windows without a usable value
  unsigned passed_over_ = 0;       // launches that needed a window, but not of the group in turn
  std::unordered_map<void*, std::unique_ptr<cupti::RangeSession>> sessions_;
  std::set<std::uint32_t> announced_devices_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> graph_samples_;  // graph id -> samples per group
  std::uint64_t last_needed_ns_ = 0;                                   // last launch of a kernel that lacked samples
  std::uint64_t last_mode_switch_ns_ = 0;

  std::mutex output_mutex_;
  CounterOutput output_;
};

}  // namespace gpuprof::collector
