// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu_steps.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <stdexcept>

#include "driver.hpp"

namespace fake_target {
namespace {

std::atomic<std::uint64_t> launched{0};
std::atomic<std::uint64_t> graph_launches{0};
std::atomic<std::uint32_t> graph{0};

// Calls a control of the fake, whose type is Function; does nothing without a fake.
template <typename Function, typename... Arguments>
auto control(const char* name, Arguments... arguments) {
  auto* function = reinterpret_cast<Function*>(find_control(name));
  using Result = decltype(function(arguments...));
  return function != nullptr ? function(arguments...) : Result();
}

// "4x2x1"
std::array<std::uint32_t, 3> parse_dim(const std::string& text) {
  std::array<std::uint32_t, 3> dim{1, 1, 1};
  const int fields = std::sscanf(text.c_str(), "%ux%ux%u", &dim[0], &dim[1], &dim[2]);
  if (fields < 1) throw std::runtime_error("'" + text + "' is not a size such as 4x2x1");
  return dim;
}

std::uint32_t launch_flag(const std::string& name) {
  if (name == "plain") return kFakeLaunchPlain;
  if (name == "driver") return kFakeLaunchDriverOnly;
  if (name == "ex") return kFakeLaunchEx;
  if (name == "coop") return kFakeLaunchCooperative;
  if (name == "ptsz") return kFakeLaunchPerThread;
  if (name == "fail") return kFakeLaunchFails;
  if (name == "hang") return kFakeLaunchNeverEnds;
  throw std::runtime_error("there is no launch as=" + name);
}

// launch=NAME[,COUNT][,grid=4x1x1][,block=128x1x1][,smem=BYTES][,ns=DURATION][,stream=N][,as=ex]
void launch(const Step& step) {
  const std::string name = step.text(0, "kernel");
  const auto grid = parse_dim(step.option("grid", "4x1x1"));
  const auto block = parse_dim(step.option("block", "128x1x1"));
  const auto shared_bytes = static_cast<std::uint32_t>(std::stoul(step.option("smem", "0")));
  const std::uint64_t duration_ns = std::stoull(step.option("ns", "1000"));
  const auto stream = static_cast<std::uint32_t>(std::stoul(step.option("stream", "0")));
  const std::uint32_t flags = launch_flag(step.option("as", "plain"));
  // Looked up once: this loop is also used to launch as fast as possible.
  auto* play = reinterpret_cast<decltype(&fake_cupti_launch)>(find_control("fake_cupti_launch"));
  for (std::uint64_t i = 0; i < step.number(1, 1); ++i) {
    const int result =
        play != nullptr ? play(name.c_str(), grid.data(), block.data(), shared_bytes, duration_ns, stream, flags) : 0;
    if (result == 0) ++launched;
  }
}

// copy=HtoD,BYTES[,COUNT]
void copy(const Step& step) {
  const std::string direction = step.text(0, "HtoD");
  const std::uint32_t kind = direction == "HtoD" ? kFakeCopyHtoD : direction == "DtoH" ? kFakeCopyDtoH : kFakeCopyDtoD;
  for (std::uint64_t i = 0; i < step.number(2, 1); ++i) {
    control<decltype(fake_cupti_copy)>("fake_cupti_copy", kind, step.number(1, 4096), 0u);
  }
}

std::uint32_t graph_origin(const std::string& name) {
  if (name == "built") return kFakeGraphBuilt;
  if (name == "captured") return kFakeGraphCaptured;
  if (name == "cloned") return kFakeGraphCloned;
  throw std::runtime_error("there is no graph as=" + name);
}

// make_graph=NODES[,NAME][,copies=N][,as=captured]: becomes the current graph
void make_graph(const Step& step) {
  const std::string name = step.text(1, "graph_kernel");
  const auto copies = static_cast<std::uint32_t>(std::stoul(step.option("copies", "0")));
  graph = control<decltype(fake_cupti_graph_create)>("fake_cupti_graph_create", name.c_str(),
                                                     static_cast<std::uint32_t>(step.number(0, 1)), copies,
                                                     graph_origin(step.option("as", "built")));
}

// run_graph[=LAUNCHES]
void run_graph(const Step& step) {
  for (std::uint64_t i = 0; i < step.number(0, 1); ++i) {
    control<decltype(fake_cupti_graph_launch)>("fake_cupti_graph_launch", graph.load(), 0u);
    ++graph_launches;
  }
}

void create_context(const Step& step) {
  control<decltype(fake_cupti_context_create)>("fake_cupti_context_create",
                                               static_cast<std::uint32_t>(step.number(0, 0)));
}

void use_context(const Step& step) {
  control<decltype(fake_cupti_context_use)>("fake_cupti_context_use", static_cast<std::uint32_t>(step.number(0, 1)));
}

void initialise_cuda(const Step& step) {
  const std::string how = step.text(0, "mapped");
  initialise(how == "mapped" ? Cupti::mapped : how == "unmapped" ? Cupti::unmapped : Cupti::absent);
}

struct Action {
  std::string_view name;
  void (*play)(const Step&);
};

constexpr Action kActions[] = {
    {"init", initialise_cuda},
    {"inject", [](const Step&) { inject_again(); }},
    {"launch", launch},
    {"copy", copy},
    {"set", [](const Step& step) { control<decltype(fake_cupti_set)>("fake_cupti_set", step.number(0, 4096), 0u); }},
    {"sync", [](const Step&) { control<decltype(fake_cupti_sync)>("fake_cupti_sync"); }},
    {"allocate",
     [](const Step& step) { control<decltype(fake_cupti_allocate)>("fake_cupti_allocate", step.number(0, 4096)); }},
    {"profiler",
     [](const Step& step) {
       control<decltype(fake_cupti_profiler)>("fake_cupti_profiler", step.text(0, "start") == "start" ? 1 : 0);
     }},
    {"make_graph", make_graph},
    {"run_graph", run_graph},
    {"drop_graph",
     [](const Step&) { control<decltype(fake_cupti_graph_destroy)>("fake_cupti_graph_destroy", graph.load()); }},
    {"context", create_context},
    {"use", use_context},
    {"destroy", [](const Step&) { control<decltype(fake_cupti_context_destroy)>("fake_cupti_context_destroy"); }},
    {"take_over", [](const Step&) { control<decltype(fake_cupti_take_over)>("fake_cupti_take_over"); }},
    {"foreign", [](const Step&) { control<decltype(fake_cupti_foreign_buffer)>("fake_cupti_foreign_buffer"); }},
    {"own", [](const Step&) { control<decltype(fake_cupti_own_kernel)>("fake_cupti_own_kernel"); }},
    {"fatal", [](const Step&) { control<decltype(fake_cupti_fatal_error)>("fake_cupti_fatal_error"); }},
};

}  // namespace

bool play_gpu_step(const Step& step) {
  for (const Action& action : kActions) {
    if (action.name != step.name) continue;
    action.play(step);
    return true;
  }
  return false;
}

void print_totals() {
  char text[160];
  const auto count = [](const std::atomic<std::uint64_t>& counter) {
    return static_cast<unsigned long long>(counter.load());
  };
  const int length = graph_launches == 0 ? std::snprintf(text, sizeof(text), "launched %llu\n", count(launched))
                                         : std::snprintf(text, sizeof(text), "launched %llu\ngraph launches %llu\n",
                                                         count(launched), count(graph_launches));
  // Not stdio: what is buffered would be lost by _exit and repeated by fork.
  if (write(STDOUT_FILENO, text, static_cast<std::size_t>(length)) != length) std::perror("fake_target: stdout");
}

}  // namespace fake_target
