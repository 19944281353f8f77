// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// Speed, size and memory of the Perfetto export on synthetic launches, every kernel with its launch call. Prints events
// (kernels and calls) a second, bytes an event, and the peak resident set with half and with all of the events.
//
//   perfetto_speed [KERNELS] [DIRECTORY]

#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/file.hpp"
#include "export/perfetto.hpp"
#include "synthetic_trace.hpp"

namespace {

using namespace gpuprof;

// MiB of the process's own memory; the rest of what is resident are pages of the input file, which the system can drop.
double own_mib() {
  const std::string status = read_file("/proc/self/status");
  const std::size_t at = status.find("RssAnon:");
  return at == std::string::npos ? 0 : std::strtod(status.c_str() + at + 8, nullptr) / 1024;
}

// Exports in a child, so that the peak is that of the export alone. Returns false when it failed.
bool export_and_print(const std::string& trace, const std::string& output, std::uint64_t kernels) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto start = std::chrono::steady_clock::now();
    OutputFile file(output);
    const perfetto::Result result =
        perfetto::write_trace({{trace}, {}, nullptr}, [&](std::string_view bytes) { file.write(bytes); });
    file.commit();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    struct rusage usage {};
    ::getrusage(RUSAGE_SELF, &usage);
    const double events = static_cast<double>(result.events);
    fmt::print("{:>12} kernels: {:>6.2f} M events/s {:>8.1f} bytes/event {:>8.1f} MiB peak resident, {:.1f} MiB own\n",
               kernels, events / seconds / 1e6, static_cast<double>(result.bytes) / events,
               static_cast<double>(usage.ru_maxrss) / 1024, own_mib());
    std::fflush(stdout);
    ::_exit(result.events == 2 * kernels ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  return status == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t kernels = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2'000'000;
  const std::filesystem::path directory =
      std::filesystem::path(argc > 2 ? argv[2] : "/tmp") / ("perfetto_speed-" + std::to_string(::getpid()));
  if (kernels < 2) {
    fmt::print(stderr, "usage: perfetto_speed [KERNELS] [DIRECTORY]\n");
    return 2;
  }
  std::filesystem::create_directories(directory);
  const std::string trace = directory / "1-1.trace";
  const std::string output = directory / "out.perfetto-trace";
  const auto mix = bench::launch_mix();
  bool good = true;
  for (const std::uint64_t count : {kernels / 2, kernels}) {
    std::filesystem::remove(trace);
    good = good && bench::write_trace(trace, count, mix) && export_and_print(trace, output, count);
  }
  std::filesystem::remove_all(directory);
  if (!good) fmt::print(stderr, "perfetto_speed: the export failed or lost events\n");
  return good ? 0 : 1;
}
