// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes counter traces as the collector does, so that a test reads like a short session.

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpuprof/trace.hpp"
#include "trace/writer.hpp"

namespace gpuprof::counters_test {

inline KernelKey key(const std::string& name, std::uint32_t grid_x = 1) {
  return {name, {grid_x, 1, 1}, {128, 1, 1}, 0};
}

// One process's trace file.
class CounterTrace {
 public:
  CounterTrace(const std::string& path, std::uint32_t pid) : writer_(trace::Writer::create(path)) {
    if (!writer_) throw std::runtime_error("cannot create " + path);
    trace::ProcessInfo info;
    info.pid = pid;
    info.executable = "/bin/app";
    info.stage = "counters";
    info.time_ns = kStartNs;
    writer_->write(info);
  }

  CounterTrace& groups(const std::vector<std::vector<std::string>>& groups, const std::string& chip = "GH100") {
    writer_->write(trace::CounterGroups{0, chip, groups});
    return *this;
  }

  // A window of 1,000 ns over launches of the kernels named.
  CounterTrace& window(std::uint32_t group, const std::vector<KernelKey>& launches, const std::vector<double>& values) {
    trace::CounterWindow window = next_window(group);
    for (const KernelKey& launch : launches) window.launches.push_back(shape_id(launch));
    window.ranges_delivered = static_cast<std::uint32_t>(launches.size());
    window.values = values;
    writer_->write(window);
    return *this;
  }

  CounterTrace& discarded_window(std::uint32_t group, const std::vector<KernelKey>& launches) {
    trace::CounterWindow window = next_window(group);
    for (const KernelKey& launch : launches) window.launches.push_back(shape_id(launch));
    window.discarded = true;
    writer_->write(window);
    return *this;
  }

  CounterTrace& graph_window(std::uint32_t group, std::uint32_t graph, std::size_t launches,
                             const std::vector<double>& values) {
    trace::CounterWindow window = next_window(group);
    window.graph = graph;
    window.launches.assign(launches, 0);
    window.values = values;
    writer_->write(window);
    return *this;
  }

  template <typename Record>
  CounterTrace& record(const Record& record) {
    writer_->write(record);
    return *this;
  }

  static constexpr std::uint64_t kStartNs = 1'000'000;

 private:
  trace::CounterWindow next_window(std::uint32_t group) {
    trace::CounterWindow window;
    window.group = group;
    window.start_ns = kStartNs + 10'000 * ++windows_;
    window.end_ns = window.start_ns + 1'000;
    return window;
  }

  std::uint32_t shape_id(const KernelKey& key) {
    trace::KernelShape shape;
    shape.name = writer_->string_id(key.mangled_name);
    shape.grid = key.grid;
    shape.block = key.block;
    shape.dynamic_shared_bytes = key.dynamic_shared_bytes;
    return writer_->shape_id(shape);
  }

  std::unique_ptr<trace::Writer> writer_;
  std::uint64_t windows_ = 0;
};

// A directory of counter traces that goes away with the object.
class CounterSession {
 public:
  CounterSession() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gpuprof-counters-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot create " + pattern);
    directory_ = pattern;
  }
  ~CounterSession() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  CounterSession(const CounterSession&) = delete;
  CounterSession& operator=(const CounterSession&) = delete;

  CounterTrace process(std::uint32_t pid) const { return {path(std::to_string(pid) + "-1.trace"), pid}; }
  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  const std::string& directory() const { return directory_; }

 private:
  std::string directory_;
};

}  // namespace gpuprof::counters_test
