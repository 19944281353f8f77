// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// Programs that profilers have broken, or been broken by, one for each word of the command line. Each prints what it did
// ("kernels N": kernels that have run, counted on the device) and must do the same under a profiler as alone.

#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

#define CHECK(call) check(static_cast<int>(call), #call)

void check(int result, const char* call) {
  if (result == 0) return;
  std::printf("%s failed with %d\n", call, result);
  std::fflush(stdout);
  _exit(1);
}

__device__ unsigned long long executed = 0;

__global__ void count() {
  if (threadIdx.x == 0) atomicAdd(&executed, 1ULL);
}

__global__ void count_cooperatively() {
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) atomicAdd(&executed, 1ULL);
}

__global__ void touch(float* values, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) values[i] += 1;
  if (i == 0) atomicAdd(&executed, 1ULL);
}

__global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
  if (threadIdx.x == 0) atomicAdd(&executed, 1ULL);
}

void launch(int times, cudaStream_t stream = nullptr) {
  for (int i = 0; i < times; ++i) count<<<1, 32, 0, stream>>>();
  CHECK(cudaGetLastError());
}

void sleep_ms(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

void report() {
  unsigned long long kernels = 0;
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpyFromSymbol(&kernels, executed, sizeof kernels));
  std::printf("kernels %llu\n", kernels);
  std::fflush(stdout);
}

// What a child made by fork() does after CUDA has been started in its parent.
void fork_after(const std::string& what, const char* self) {
  launch(10);
  CHECK(cudaDeviceSynchronize());
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    if (what == "exit") std::exit(0);
    if (what == "_exit") _exit(0);
    execl(self, self, "nothing", nullptr);
    _exit(9);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("child ended with %d\n", status);
  if (std::system("true") != 0) std::printf("system failed\n");
  launch(90);
  report();
}

void fork_before() {
  const pid_t child = fork();
  if (child == 0) {
    launch(50);
    report();
    std::exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  launch(100);
  report();
}

void leave(const std::string& how) {
  launch(200);
  report();
  sleep_ms(600);  // longer than the flush period: nothing of this may be lost
  if (how == "_exit") _exit(5);
  if (how == "quick_exit") std::quick_exit(6);
  std::abort();
}

void contexts() {
  CHECK(cuInit(0));
  CUdevice device = 0;
  CHECK(cuDeviceGet(&device, 0));
  for (int i = 0; i < 3; ++i) {
    CUcontext context = nullptr;
    CHECK(cuCtxCreate(&context, nullptr, 0, device));
    launch(20 + i);
    report();
    CHECK(cuCtxDestroy(context));
  }
  launch(5);
  report();
}

void early_threads() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([] {
      cudaStream_t stream = nullptr;
      CHECK(cudaStreamCreate(&stream));
      launch(50, stream);
    });
    if (i % 4 == 3) {
      for (std::thread& thread : threads) thread.join();
      threads.clear();
    }
  }
  sleep_ms(300);
  report();
}

void flat_out() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 32; ++i) {
    threads.emplace_back([] {
      cudaStream_t stream = nullptr;
      CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      launch(10'000, stream);
      CHECK(cudaStreamSynchronize(stream));
    });
  }
  for (std::thread& thread : threads) thread.join();
  report();
}

// While a capture is open no call may synchronise, on any thread.
void open_capture() {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaStreamCreate(&stream));
  launch(10, stream);
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launch(3, stream);
  sleep_ms(700);
  launch(2, stream);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 4; ++i) CHECK(cudaGraphLaunch(executable, stream));
  report();
  // And one that is never closed.
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  launch(1, stream);
}

CUfunction driver_function(const void* kernel) {
  cudaFunction_t function = nullptr;
  CHECK(cudaGetFuncBySymbol(&function, kernel));
  return reinterpret_cast<CUfunction>(function);
}

void entry_points() {
  CHECK(cudaFree(nullptr));
  const CUfunction function = driver_function(reinterpret_cast<const void*>(count));
  for (int i = 0; i < 20; ++i) {
    count<<<1, 32>>>();
    CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));

    cudaLaunchConfig_t config{};
    config.gridDim = dim3(4);
    config.blockDim = dim3(32);
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = 2;
    cluster.val.clusterDim.y = 1;
    cluster.val.clusterDim.z = 1;
    config.attrs = &cluster;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(count), nullptr));

    CUlaunchAttribute driver_cluster{};
    driver_cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    driver_cluster.value.clusterDim.x = 4;
    driver_cluster.value.clusterDim.y = 1;
    driver_cluster.value.clusterDim.z = 1;
    CUlaunchConfig driver_config{};
    driver_config.gridDimX = 4;
    driver_config.gridDimY = driver_config.gridDimZ = 1;
    driver_config.blockDimX = 32;
    driver_config.blockDimY = driver_config.blockDimZ = 1;
    driver_config.attrs = &driver_cluster;
    driver_config.numAttrs = 1;
    CHECK(cuLaunchKernelEx(&driver_config, function, nullptr, nullptr));

    void* nothing = nullptr;
    CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(count_cooperatively), dim3(2), dim3(32), &nothing, 0,
                                      nullptr));
  }
  report();
}

void threads_on_default_stream() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] { launch(100); });
  }
  for (std::thread& thread : threads) thread.join();
  report();
}

cudaGraphExec_t small_graph(cudaStream_t stream, int nodes) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launch(nodes, stream);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  return executable;
}

// 10 replays through the runtime and 10 through the driver of two kernels and a copy.
void graph_launches() {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  void* from = nullptr;
  void* to = nullptr;
  CHECK(cudaMalloc(&from, 4096));
  CHECK(cudaMalloc(&to, 4096));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launch(2, stream);
  CHECK(cudaMemcpyAsync(to, from, 4096, cudaMemcpyDeviceToDevice, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 10; ++i) {
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cuGraphLaunch(reinterpret_cast<CUgraphExec>(executable), reinterpret_cast<CUstream>(stream)));
  }
  report();
}

// The graph exists before recording begins.
void graph_then_profiler(int replays) {
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  const cudaGraphExec_t executable = small_graph(stream, 4);
  for (int i = 0; i < 5; ++i) CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaProfilerStart());
  for (int i = 0; i < replays; ++i) CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaProfilerStop());
  report();
}

// Many replays: what the device cannot keep stamps of must be told.
void graph_loop(int replays) {
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  const cudaGraphExec_t executable = small_graph(stream, 200);
  for (int i = 0; i < replays; ++i) CHECK(cudaGraphLaunch(executable, stream));
  report();
}

__global__ void loop_condition(cudaGraphConditionalHandle handle, int* left) {
  atomicAdd(&executed, 1ULL);
  cudaGraphSetConditional(handle, --*left > 0 ? 1 : 0);
}

// A graph whose body runs seven times a launch.
void conditional_graph() {
  int* left = nullptr;
  CHECK(cudaMalloc(&left, sizeof *left));
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle{};
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams parameters{};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = handle;
  parameters.conditional.type = cudaGraphCondTypeWhile;
  parameters.conditional.size = 1;
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCaptureToGraph(stream, parameters.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                      cudaStreamCaptureModeGlobal));
  loop_condition<<<1, 1, 0, stream>>>(handle, left);
  CHECK(cudaStreamEndCapture(stream, nullptr));
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 5; ++i) {
    const int seven = 7;
    CHECK(cudaMemcpy(left, &seven, sizeof seven, cudaMemcpyHostToDevice));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
  }
  report();
}

// Recording is switched off right after an asynchronous launch, and on again a second later.
void profiler_api() {
  launch(50);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaProfilerStart());
  launch(30);
  spin<<<1, 32>>>(20'000'000);
  CHECK(cudaProfilerStop());
  sleep_ms(800);
  CHECK(cudaProfilerStart());
  launch(20);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaProfilerStop());
  launch(7);
  report();
}

void nvtx() {
  nvtxNameOsThreadA(static_cast<std::uint32_t>(gettid()), "the \"main\" thread");
  std::printf("levels %d", nvtxRangePushA("outer"));
  std::printf(" %d", nvtxRangePushA("{\"device\": \"cpu\"}(12): run"));
  launch(3);
  std::printf(" %d", nvtxRangePushA("line\nbreak \x01 \xff\xfe \xf0\x9f\x98\x80"));
  std::printf(" %d", nvtxRangePop());
  std::printf(" %d", nvtxRangePop());
  std::printf(" %d\n", nvtxRangePop());
  nvtxRangePop();  // one too many
  const nvtxDomainHandle_t domain = nvtxDomainCreateA("library");
  for (int i = 0; i < 5; ++i) {
    nvtxRangePushA("step");
    launch(4);
    CHECK(cudaDeviceSynchronize());
    nvtxRangePop();
  }
  const nvtxRangeId_t range = nvtxRangeStartA("across threads");
  nvtxRangePushA("never closed");
  std::thread([&] {
    launch(6);
    nvtxRangeEnd(range);
  }).join();
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = nvtxDomainRegisterStringA(domain, std::string(100'000, 'x').c_str());
  nvtxDomainMarkEx(domain, &attributes);
  report();
}

void managed_memory() {
  constexpr int kCount = 1 << 20;
  float* values = nullptr;
  CHECK(cudaMallocManaged(&values, kCount * sizeof(float)));
  for (int i = 0; i < kCount; ++i) values[i] = 1;
  touch<<<kCount / 256, 256>>>(values, kCount);
  CHECK(cudaDeviceSynchronize());
  double sum = 0;
  for (int i = 0; i < kCount; ++i) sum += values[i];
  std::printf("sum %.0f\n", sum);
  void* device = nullptr;
  CHECK(cudaMalloc(&device, 64 << 20));
  CHECK(cudaFree(device));
  report();
}

void localised() {
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", ""}) {
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  }
  launch(12);
  report();
}

// A CUPTI client of the program's own. Only the calls are needed, not the headers.
void* open_cupti() {
  for (const char* name : {"libcupti.so.13", "libcupti.so", "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so",
                           "/usr/local/cuda/lib64/libcupti.so"}) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_GLOBAL)) return library;
  }
  std::printf("no libcupti\n");
  std::exit(3);
}

void ignore(void*, int, std::uint32_t, const void*) {}

void foreign_subscriber() {
  using Subscribe = int (*)(void**, void (*)(void*, int, std::uint32_t, const void*), void*);
  void* subscriber = nullptr;
  const int result = reinterpret_cast<Subscribe>(dlsym(open_cupti(), "cuptiSubscribe"))(&subscriber, ignore, nullptr);
  std::printf("subscribed %d\n", result);
  launch(40);
  report();
}

void lend(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
  *size = std::size_t{1} << 20;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
  *records = 0;
}

void take_back(void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t) {
  std::free(buffer);
}

void foreign_buffers() {
  launch(100);
  CHECK(cudaDeviceSynchronize());
  sleep_ms(400);
  using Register = int (*)(void (*)(std::uint8_t**, std::size_t*, std::size_t*),
                           void (*)(void*, std::uint32_t, std::uint8_t*, std::size_t, std::size_t));
  reinterpret_cast<Register>(dlsym(open_cupti(), "cuptiActivityRegisterCallbacks"))(lend, take_back);
  for (int i = 0; i < 300; ++i) {
    launch(20);
    sleep_ms(10);
  }
  report();
}

struct LaunchesLate {
  bool armed = false;
  ~LaunchesLate() {
    if (!armed) return;
    count<<<1, 32>>>();
    std::printf("late launch gave %s\n", cudaGetLastError() == cudaSuccess ? "success" : "an error");
    std::printf("late wait gave %s\n", cudaDeviceSynchronize() == cudaSuccess ? "success" : "an error");
  }
} launches_late;

void reset() {
  launch(30);
  report();
  CHECK(cudaDeviceReset());
  launch(12);
  report();
}

int run(const std::string& what, const char* self) {
  if (what == "nothing") return 0;
  if (what == "plain") return launch(100), report(), 0;
  if (what == "allocate_only") return CHECK(cudaFree(nullptr)), report(), 0;
  if (what == "fork_exit") return fork_after("exit", self), 0;
  if (what == "fork__exit") return fork_after("_exit", self), 0;
  if (what == "fork_exec") return fork_after("exec", self), 0;
  if (what == "fork_before") return fork_before(), 0;
  if (what == "_exit" || what == "quick_exit" || what == "abort") return leave(what), 0;
  if (what == "contexts") return contexts(), 0;
  if (what == "reset") return reset(), 0;
  if (what == "early_threads") return early_threads(), 0;
  if (what == "flat_out") return flat_out(), 0;
  if (what == "open_capture") return open_capture(), 0;
  if (what == "entry_points") return entry_points(), 0;
  if (what == "default_stream") return threads_on_default_stream(), 0;
  if (what == "graph_launches") return graph_launches(), 0;
  if (what == "graph_then_profiler") return graph_then_profiler(3000), 0;
  if (what == "graph_loop") return graph_loop(10'000), 0;
  if (what == "conditional_graph") return conditional_graph(), 0;
  if (what == "profiler_api") return profiler_api(), 0;
  if (what == "nvtx") return nvtx(), 0;
  if (what == "managed_memory") return managed_memory(), 0;
  if (what == "localised") return localised(), 0;
  if (what == "foreign_subscriber") return foreign_subscriber(), 0;
  if (what == "foreign_buffers") return foreign_buffers(), 0;
  if (what == "many_launches") return launch(300'000), report(), 0;
  if (what == "static_destructor") {
    launch(20);
    report();
    launches_late.armed = true;
    return 0;
  }
  std::fprintf(stderr, "situations: there is no situation %s\n", what.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc > 1 ? argv[1] : "", argv[0]);
}
