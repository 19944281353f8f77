// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The collector's hold on CUPTI: an opened library and the one subscription a process may have. Launches, captures,
// contexts and graphs are reported to a listener. No vendor header is visible here.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpuprof/kernel.hpp"
#include "gpuprof/trace.hpp"

namespace gpuprof::cupti {

struct Library;

// A call that puts kernels on the device, seen from inside its callback. Pointers are valid during the callback only.
struct LaunchCall {
  const char* kernel_name = nullptr;  // mangled; null for a graph launch
  void* context = nullptr;            // CUcontext
  std::uint32_t context_id = 0;
  void* graph_exec = nullptr;  // CUgraphExec of a graph launch, else null
  std::uint32_t function = 0;  // callback id, for launch_shape() and launch_function()
  const void* parameters = nullptr;

  bool is_graph() const { return kernel_name == nullptr; }
};

// Grid, block and dynamic shared memory of a kernel launch; the other fields stay at their defaults.
trace::KernelShape launch_shape(const LaunchCall& call);

// The driver's handle of the function being launched; null when the call does not give it.
const void* launch_function(const LaunchCall& call);

// Methods run on the program's threads, inside CUDA calls. They must not call CUDA and must not throw.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void on_launch_enter(const LaunchCall&) = 0;
  virtual void on_launch_exit(const LaunchCall&, bool succeeded) = 0;
  virtual void on_capture_begin() = 0;
  virtual void on_capture_end() = 0;
  // cudaProfilerStart has returned; cudaProfilerStop is about to begin.
  virtual void on_profiler_start() = 0;
  virtual void on_profiler_stop() = 0;
  virtual void on_context_created(void* context) = 0;
  virtual void on_context_destroying(void* context) = 0;
  // A node was added to a graph on this thread; clones are announced in the same way.
  virtual void on_graph_node_created() = 0;
  // CUPTI met a fatal error and has shut itself down: no further call may be made.
  virtual void on_fatal_error() = 0;
};

struct Failure {
  trace::NoticeCode code = trace::NoticeCode::none;
  std::string detail;
};

class Client {
 public:
  // Opens libcupti, see open_library(). Returns null and fills `failure` when none can be opened.
  static std::unique_ptr<Client> open(const std::string& preferred_path, Failure& failure);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  const std::string& path() const;
  std::uint32_t version() const;
  // Every libcupti file mapped into this process, the one in use included. With two of them each sees a part only.
  std::vector<std::string> mapped_files() const;

  const Library& library() const { return *library_; }

  // Subscribes and enables the callbacks. `listener` must outlive the process's last CUDA call: it is never
  // unsubscribed, because an exiting process can still be inside a callback. Returns false and fills `failure`.
  bool subscribe(Listener& listener, Failure& failure);

  // CUPTI's clock, in nanoseconds of CLOCK_REALTIME; 0 on failure.
  std::uint64_t timestamp_ns() const;

  // "GH100"; empty when this CUPTI cannot say.
  std::string chip_name(std::uint32_t device) const;

  // Device of a context; 0 when unknown.
  std::uint32_t device_of(void* context) const;

  // CUPTI's id of an executable graph, as kernel records carry it; 0 when unknown.
  std::uint32_t graph_id(void* graph_exec) const;

 private:
  Client();
  std::unique_ptr<Library> library_;
};

}  // namespace gpuprof::cupti
