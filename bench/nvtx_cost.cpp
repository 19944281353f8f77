// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
//
// What an NVTX push/pop pair costs a program, in nanoseconds: run it alone, then under the collector, with
// NVTX_INJECTION64_PATH naming libgpuprof_collector.so and GPUPROF_TRACE_DIR an empty folder. Between rounds it rests
// longer than the collector's period, so that every round starts with empty buffers.
//
//   nvtx_cost [threads]

#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr int kRounds = 7;
constexpr int kPairs = 50'000;
constexpr auto kRest = std::chrono::milliseconds(600);

double pair_ns(const nvtxEventAttributes_t* attributes) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kPairs; ++i) {
    if (attributes != nullptr) {
      nvtxRangePushEx(attributes);
    } else {
      nvtxRangePushA("aten::convolution_backward");
    }
    nvtxRangePop();
  }
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  return took.count() / kPairs;
}

// The median over rounds of the mean over threads.
double measure(std::size_t threads, const nvtxEventAttributes_t* attributes) {
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> each(threads);
    std::vector<std::thread> workers;
    for (double& result : each) workers.emplace_back([&result, attributes] { result = pair_ns(attributes); });
    for (std::thread& worker : workers) worker.join();
    double sum = 0;
    for (double result : each) sum += result;
    rounds.push_back(sum / static_cast<double>(threads));
    std::this_thread::sleep_for(kRest);
  }
  std::sort(rounds.begin(), rounds.end());
  return rounds[kRounds / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t threads = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1;
  const char* injected = std::getenv("NVTX_INJECTION64_PATH");
  nvtxEventAttributes_t registered{};
  registered.version = NVTX_VERSION;
  registered.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  registered.category = 3;
  registered.colorType = NVTX_COLOR_ARGB;
  registered.color = 0xFF00FF00;
  registered.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  registered.message.registered = nvtxDomainRegisterStringA(nullptr, "aten::convolution_backward");
  std::printf("handler: %s, threads: %zu\n", injected != nullptr ? injected : "none", threads);
  std::printf("push/pop pair, text name: %.1f ns\n", measure(threads, nullptr));
  std::printf("push/pop pair, registered name, category and colour: %.1f ns\n", measure(threads, &registered));
  return 0;
}
