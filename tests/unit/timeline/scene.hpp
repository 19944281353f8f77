// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One process's timeline for tests of the sweeps: launches with their kernels, NVTX calls, capture phases. Times are
// nanoseconds after TraceBuilder::kStartNs.

#include <cstdint>
#include <string>
#include <string_view>

#include "support/trace_builder.hpp"
#include "timeline/summary.hpp"

namespace gpuprof::test {

class Scene {
 public:
  static constexpr std::uint32_t kThread = 100;

  explicit Scene(const std::string& path, std::uint32_t pid = 1) : builder_(path) {
    builder_.process(pid).cupti(130001);
  }
  Scene(const std::string& path, const trace::ProcessInfo& info) : builder_(path) {
    trace::ProcessInfo started = info;
    if (started.time_ns == 0) started.time_ns = TraceBuilder::kStartNs;
    builder_.writer().write(started);
    builder_.cupti(130001);
  }

  // A launch call of 10 ns and its kernel.
  Scene& launch(std::string_view kernel, std::uint64_t call_ns, std::uint64_t start_ns, std::uint64_t duration_ns,
                std::uint32_t thread = kThread, const LaunchOptions& options = {}) {
    call("cudaLaunchKernel_v7000", call_ns, thread);
    LaunchOptions with = options;
    with.correlation = correlation_;
    builder_.kernel(kernel, start_ns, duration_ns, with);
    ++launches_;
    return *this;
  }

  // A launch call; kernels of its graph follow through graph_kernel.
  Scene& call(std::string_view function, std::uint64_t call_ns, std::uint32_t thread = kThread) {
    trace::ApiCall record;
    record.start_ns = TraceBuilder::kStartNs + call_ns;
    record.end_ns = record.start_ns + 10;
    record.function = builder_.writer().string_id(function);
    record.thread = thread;
    record.correlation = ++correlation_;
    builder_.writer().add(record);
    return *this;
  }
  Scene& graph_kernel(std::string_view kernel, std::uint64_t start_ns, std::uint64_t duration_ns) {
    LaunchOptions options;
    options.correlation = correlation_;
    options.graph = 1;
    builder_.kernel(kernel, start_ns, duration_ns, options);
    ++graph_kernels_;
    return *this;
  }

  Scene& push(std::string_view name, std::uint64_t time_ns, std::uint32_t thread = kThread,
              std::string_view domain = {}) {
    return nvtx(trace::NvtxKind::push, name, time_ns, thread, domain, 0);
  }
  Scene& pop(std::uint64_t time_ns, std::uint32_t thread = kThread, std::string_view domain = {}) {
    return nvtx(trace::NvtxKind::pop, {}, time_ns, thread, domain, 0);
  }
  Scene& start(std::string_view name, std::uint64_t range, std::uint64_t time_ns, std::uint32_t thread = kThread) {
    return nvtx(trace::NvtxKind::start, name, time_ns, thread, {}, range);
  }
  Scene& end(std::uint64_t range, std::uint64_t time_ns, std::uint32_t thread = kThread) {
    return nvtx(trace::NvtxKind::end, {}, time_ns, thread, {}, range);
  }
  Scene& mark(std::string_view name, std::uint64_t time_ns) {
    return nvtx(trace::NvtxKind::mark, name, time_ns, kThread, {}, 0);
  }

  Scene& capture(std::uint64_t time_ns, bool on, trace::CaptureReason reason = trace::CaptureReason::share) {
    builder_.writer().write(trace::CapturePhase{TraceBuilder::kStartNs + time_ns, on, reason});
    return *this;
  }

  // The ledger of what was launched here, with anything else that a test has counted, and the end.
  void exit(std::uint64_t time_ns, trace::LedgerSample ledger = {}) {
    ledger.kernel_launches += launches_;
    ledger.graph_kernel_nodes += graph_kernels_;
    builder_.ledger(ledger).exit(time_ns);
  }

  TraceBuilder& builder() { return builder_; }

 private:
  Scene& nvtx(trace::NvtxKind kind, std::string_view name, std::uint64_t time_ns, std::uint32_t thread,
              std::string_view domain, std::uint64_t range) {
    trace::NvtxEvent event;
    event.time_ns = TraceBuilder::kStartNs + time_ns;
    event.kind = kind;
    event.thread = thread;
    event.name = builder_.writer().string_id(name);
    event.domain = builder_.writer().string_id(domain);
    event.range = range;
    builder_.writer().add(event);
    return *this;
  }

  TraceBuilder builder_;
  std::uint32_t correlation_ = 0;
  std::uint64_t launches_ = 0;
  std::uint64_t graph_kernels_ = 0;
};

// What summarize() makes of one process that `build` plays and that exits.
template <typename Build>
timeline::Summary summary_of_scene(std::uint64_t exit_ns, Build build, const trace::LedgerSample& ledger = {}) {
  const TraceFolder folder;
  {
    Scene scene{folder.file("1-1.trace")};
    build(scene);
    scene.exit(exit_ns, ledger);
  }
  return timeline::summarize(folder.path());
}

}  // namespace gpuprof::test
