// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// Launches a small kernel at a steady pace from one or more threads, each with its own stream, until it is killed, has
// made its launches, or its time is over. Used to see what is left of a trace when a program dies.
//
// The first line of its output is `pid N`. With one thread, every kernel that has finished adds a line
// `tick COUNT TIME_NS`, where TIME_NS is CLOCK_REALTIME.
//
// gpuprof should find: exactly as many launches of `tick` as there were, less at most the last half second when the
// program was killed; `--launches 0` initialises CUDA and launches nothing, which the report must say.

#include <time.h>
#include <unistd.h>

#include <thread>

#include "program.hpp"

__global__ void tick(unsigned* value) {
  *value += 1;
}

namespace {

struct Pace {
  long long launches;  // per thread; negative: no end
  long long period_ms;
  long long seconds;  // 0: no end
};

long long realtime_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}

// Returns the number of launches made, or -1 when the device counted another number.
long long launch_steadily(const Pace& pace, bool print) {
  example::check(cudaSetDevice(0), "cudaSetDevice");
  cudaStream_t stream = nullptr;
  example::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  example::DeviceBuffer<unsigned> value(1);
  example::check(cudaMemsetAsync(value.get(), 0, sizeof(unsigned), stream), "cudaMemsetAsync");
  example::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");

  const example::Stopwatch stopwatch;
  long long count = 0;
  while ((pace.launches < 0 || count < pace.launches) &&
         (pace.seconds == 0 || stopwatch.milliseconds() < 1e3 * pace.seconds)) {
    tick<<<1, 1, 0, stream>>>(value.get());
    example::check_launch("tick");
    if (print || pace.period_ms > 0) example::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    ++count;
    if (print) {
      std::printf("tick %lld %lld\n", count, realtime_ns());
      std::fflush(stdout);
    }
    if (pace.period_ms > 0) std::this_thread::sleep_for(std::chrono::milliseconds(pace.period_ms));
  }
  unsigned counted = 0;
  example::check(cudaMemcpyAsync(&counted, value.get(), sizeof counted, cudaMemcpyDeviceToHost, stream),
                 "cudaMemcpyAsync");
  example::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  example::check(cudaStreamDestroy(stream), "cudaStreamDestroy");
  return counted == static_cast<unsigned>(count) ? count : -1;
}

}  // namespace

int main(int argc, char** argv) {
  example::Arguments arguments(argc, argv, "usage: ticker [--launches N] [--period-ms MS] [--seconds S] [--threads N]");
  Pace pace{};
  pace.launches = arguments.number("--launches", -1, 0);
  pace.period_ms = arguments.number("--period-ms", 10, 0);
  pace.seconds = arguments.number("--seconds", 0, 0);
  const long long threads = arguments.number("--threads", 1);
  arguments.finish();

  std::printf("pid %d\n", static_cast<int>(getpid()));
  std::fflush(stdout);
  const example::Stopwatch stopwatch;
  std::vector<long long> counts(threads);
  if (threads == 1) {
    counts[0] = launch_steadily(pace, true);
  } else {
    std::vector<std::thread> workers;
    for (long long& count : counts) workers.emplace_back([&pace, &count] { count = launch_steadily(pace, false); });
    for (std::thread& worker : workers) worker.join();
  }
  long long total = 0;
  bool correct = true;
  for (const long long count : counts) {
    correct = correct && count >= 0;
    total += count;
  }
  std::printf("ticker: %lld launches from %lld threads in %.2f ms\n", total, threads, stopwatch.milliseconds());
  return example::verdict(correct, "ticker");
}
