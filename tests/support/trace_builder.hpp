// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Builds trace files in which a test reads like a timeline:
//
//   TraceFolder folder;
//   TraceBuilder(folder.file("1-1.trace")).process(1).kernel("gemm", 10, 25).kernel("gemm", 40, 20).launches(2).exit();
//
// Times are nanoseconds after TraceBuilder::kStartNs, the moment the process loaded the collector.

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "gpuprof/trace.hpp"
#include "trace/writer.hpp"

namespace gpuprof::test {

// A new empty directory that goes away with the object.
class TraceFolder {
 public:
  TraceFolder() : path_((std::filesystem::temp_directory_path() / "gpuprof-test-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("mkdtemp failed for " + path_);
  }
  ~TraceFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TraceFolder(const TraceFolder&) = delete;
  TraceFolder& operator=(const TraceFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// What a kernel launch may have besides name and times.
struct LaunchOptions {
  Dim3 grid{1, 1, 1};
  Dim3 block{128, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t stream = 7;
  std::uint32_t correlation = 0;
  std::uint32_t graph = 0;
};

class TraceBuilder {
 public:
  static constexpr std::uint64_t kStartNs = 1'700'000'000'000'000'000;

  explicit TraceBuilder(const std::string& path) : writer_(trace::Writer::create(path)) {
    if (!writer_) throw std::runtime_error("cannot create " + path);
  }

  TraceBuilder& process(std::uint32_t pid, const std::string& stage = "timeline") {
    trace::ProcessInfo info;
    info.pid = pid;
    info.parent_pid = 1;
    info.executable = "/usr/bin/program";
    info.arguments = {"program", "--flag"};
    info.hostname = "node1";
    info.stage = stage;
    info.collector_version = "0.1.0";
    info.time_ns = kStartNs;
    writer_->write(info);
    return *this;
  }

  TraceBuilder& cupti(std::uint32_t version, const std::string& path = "/usr/lib/libcupti.so.13") {
    writer_->write(trace::CuptiInfo{path, version});
    return *this;
  }

  TraceBuilder& device(std::uint32_t id, const std::string& uuid, const std::string& chip = "GH100") {
    trace::Device device;
    device.id = id;
    device.name = "NVIDIA H200";
    device.chip = chip;
    device.uuid = uuid;
    device.compute_major = 9;
    device.sm_count = 132;
    writer_->write(device);
    return *this;
  }

  TraceBuilder& kernel(std::string_view name, std::uint64_t start_ns, std::uint64_t duration_ns,
                       const LaunchOptions& options = {}) {
    return raw_kernel(name, kStartNs + start_ns, kStartNs + start_ns + duration_ns, options);
  }

  // With stamps as they are, for those that CUPTI gets wrong.
  TraceBuilder& raw_kernel(std::string_view name, std::uint64_t start_ns, std::uint64_t end_ns,
                           const LaunchOptions& options = {}) {
    trace::KernelShape shape;
    shape.name = writer_->string_id(name);
    shape.grid = options.grid;
    shape.block = options.block;
    shape.dynamic_shared_bytes = options.dynamic_shared_bytes;
    trace::Kernel kernel;
    kernel.start_ns = start_ns;
    kernel.end_ns = end_ns;
    kernel.shape = writer_->shape_id(shape);
    kernel.queue = writer_->queue_id({0, 1, options.stream});
    kernel.correlation = options.correlation;
    kernel.graph = options.graph;
    writer_->add(kernel);
    return *this;
  }

  TraceBuilder& api(std::string_view function, std::uint64_t start_ns, std::uint64_t duration_ns,
                    std::uint32_t correlation = 0) {
    trace::ApiCall call;
    call.start_ns = kStartNs + start_ns;
    call.end_ns = call.start_ns + duration_ns;
    call.function = writer_->string_id(function);
    call.thread = 4711;
    call.correlation = correlation;
    writer_->add(call);
    return *this;
  }

  TraceBuilder& copy(std::uint32_t kind, std::uint32_t source, std::uint32_t destination, std::uint64_t start_ns,
                     std::uint64_t duration_ns, std::uint64_t bytes) {
    trace::Copy copy;
    copy.start_ns = kStartNs + start_ns;
    copy.end_ns = copy.start_ns + duration_ns;
    copy.bytes = bytes;
    copy.queue = writer_->queue_id({0, 1, 7});
    copy.kind = kind;
    copy.source = source;
    copy.destination = destination;
    writer_->add(copy);
    return *this;
  }

  TraceBuilder& set(std::uint32_t memory, std::uint64_t start_ns, std::uint64_t duration_ns, std::uint64_t bytes) {
    trace::Set set;
    set.start_ns = kStartNs + start_ns;
    set.end_ns = set.start_ns + duration_ns;
    set.bytes = bytes;
    set.queue = writer_->queue_id({0, 1, 7});
    set.memory = memory;
    writer_->add(set);
    return *this;
  }

  TraceBuilder& synchronization(std::uint32_t type, std::uint64_t start_ns, std::uint64_t duration_ns) {
    trace::Synchronization record;
    record.start_ns = kStartNs + start_ns;
    record.end_ns = record.start_ns + duration_ns;
    record.type = type;
    writer_->add(record);
    return *this;
  }

  TraceBuilder& clock(std::uint64_t time_ns) {
    writer_->write(trace::ClockSample{kStartNs + time_ns, kStartNs + time_ns, time_ns});
    return *this;
  }

  // A ledger sample with this many kernel launches.
  TraceBuilder& launches(std::uint64_t count) {
    trace::LedgerSample sample;
    sample.kernel_launches = count;
    return ledger(sample);
  }

  TraceBuilder& ledger(const trace::LedgerSample& sample) {
    writer_->write(sample);
    return *this;
  }

  TraceBuilder& notice(trace::NoticeCode code, const std::string& detail = {}) {
    writer_->write(trace::NoticeRecord{code, kStartNs, detail});
    return *this;
  }

  TraceBuilder& exit(std::uint64_t time_ns = 1'000'000) {
    writer_->write(trace::ProcessEndRecord{kStartNs + time_ns, 0});
    return *this;
  }

  TraceBuilder& killed_by(std::uint32_t signal, std::uint64_t time_ns = 1'000'000) {
    writer_->write(trace::ProcessEndRecord{kStartNs + time_ns, signal});
    return *this;
  }

  // For records without a builder of their own.
  trace::Writer& writer() { return *writer_; }

 private:
  std::unique_ptr<trace::Writer> writer_;
};

}  // namespace gpuprof::test
