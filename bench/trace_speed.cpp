// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// Speed and size of the trace file on synthetic launches: every kernel comes with the API record of its launch. Prints
// bytes a kernel, and millions of kernels a second written, read and summarised.
//
//   trace_speed [KERNELS] [DIRECTORY]

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "synthetic_trace.hpp"
#include "timeline/summary.hpp"
#include "trace/reader.hpp"

namespace {

using namespace gpuprof;
using bench::Launch;
using bench::launch_mix;
using bench::write_trace;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t kernels = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
  const std::filesystem::path directory =
      std::filesystem::path(argc > 2 ? argv[2] : "/tmp") / ("trace_speed-" + std::to_string(::getpid()));
  if (kernels == 0) {
    fmt::print(stderr, "usage: trace_speed [KERNELS] [DIRECTORY]\n");
    return 2;
  }
  std::filesystem::create_directories(directory);
  const std::string path = directory / "1-1.trace";
  const std::vector<Launch> mix = launch_mix();

  auto start = std::chrono::steady_clock::now();
  if (!write_trace(path, kernels, mix)) {
    fmt::print(stderr, "trace_speed: could not write {}; name a directory with more room\n", path);
    return 1;
  }
  const double write_s = seconds_since(start);

  trace::Dictionaries dictionaries;
  trace::Visitor nothing;
  start = std::chrono::steady_clock::now();
  const trace::ReadResult read = trace::read_file(path, dictionaries, nothing);
  const double read_s = seconds_since(start);

  start = std::chrono::steady_clock::now();
  const timeline::Summary summary = timeline::summarize(directory);
  const double summarise_s = seconds_since(start);
  std::filesystem::remove_all(directory);

  const double n = static_cast<double>(kernels);
  fmt::print("kernels                            {:>12}\n", kernels);
  fmt::print("bytes a kernel with its launch     {:>12.2f}\n", static_cast<double>(read.bytes) / n);
  fmt::print("written,    M kernels/s            {:>12.2f}\n", n / write_s / 1e6);
  fmt::print("read,       M kernels/s            {:>12.2f}\n", n / read_s / 1e6);
  fmt::print("summarised, M kernels/s (and read) {:>12.2f}\n", n / summarise_s / 1e6);
  if (summary.ledger.kernels.stored != kernels || summary.ledger.kernels.unaccounted != 0) {
    fmt::print(stderr, "trace_speed: {} of {} kernels came back\n", summary.ledger.kernels.stored, kernels);
    return 1;
  }
  return 0;
}
