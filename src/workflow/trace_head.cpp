// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/trace_head.hpp"

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "trace/reader.hpp"

namespace gpuprof::workflow {
namespace {

// The first frame holds at most 64 KB of command line, and names and labels beside it.
constexpr std::size_t kHeadBytes = std::size_t{160} << 10;

class HeadVisitor : public trace::Visitor {
 public:
  using Visitor::on;
  explicit HeadVisitor(TraceHead& head) : head_(head) {}

  void on(const trace::ProcessInfo& info) override {
    if (!head_.process) head_.process = TracedProcess{info.hostname, info.pid, info.start_ticks, info.time_ns};
  }

 private:
  TraceHead& head_;
};

}  // namespace

TraceHead read_trace_head(const std::string& path) {
  TraceHead head;
  head.path = path;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error) head.bytes = size;
  std::string bytes(kHeadBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  try {
    trace::Dictionaries dictionaries;
    HeadVisitor visitor(head);
    trace::read_bytes(bytes, path, dictionaries, visitor);
  } catch (const Error&) {
    // Whoever reads the whole file says what is wrong with it.
  }
  return head;
}

std::vector<TraceHead> trace_heads(const std::string& directory) {
  std::vector<TraceHead> heads;
  for (const std::string& path : list_files(directory, ".trace")) heads.push_back(read_trace_head(path));
  return heads;
}

}  // namespace gpuprof::workflow
