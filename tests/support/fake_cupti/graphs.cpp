// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// CUDA graphs: their resource callbacks, and launches of executable graphs.

#include <cupti.h>

#include <atomic>
#include <map>
#include <memory>
#include <vector>

#include "activity.hpp"
#include "callbacks.hpp"
#include "control.h"
#include "device.hpp"
#include "kernel_launch.hpp"
#include "range_profiler.hpp"

namespace fake_cupti {
namespace {

constexpr std::uint64_t kNodeTime_ns = 1'000;
constexpr std::uint64_t kNodeCopyBytes = 4'096;

struct Graph {
  struct Node {
    CUgraphNodeType type = CU_GRAPH_NODE_TYPE_KERNEL;
    std::uint64_t id = 0;
  };

  std::uint32_t id = 0;
  KernelWork kernel;
  std::vector<std::unique_ptr<Node>> nodes;  // Handles of nodes are their addresses.
};

struct GraphExec {
  std::uint32_t id = 0;
  std::unique_ptr<Graph> graph;  // its own copy
};

struct Graphs {
  std::mutex lock;
  std::map<std::uint32_t, GraphExec*> by_handle;
};

Graphs& graphs() {
  static auto* const kGraphs = new Graphs;
  return *kGraphs;
}

std::atomic<std::uint32_t> graph_ids{0};
std::atomic<std::uint64_t> node_ids{0};

CUgraph handle_of(Graph& graph) {
  return reinterpret_cast<CUgraph>(&graph);
}
CUgraphNode handle_of(Graph::Node& node) {
  return reinterpret_cast<CUgraphNode>(&node);
}
CUgraphExec handle_of(GraphExec& exec) {
  return reinterpret_cast<CUgraphExec>(&exec);
}

std::unique_ptr<Graph> new_graph(const KernelWork& kernel) {
  auto graph = std::make_unique<Graph>();
  graph->id = ++graph_ids;
  graph->kernel = kernel;
  return graph;
}

Graph::Node& add_node(Graph& graph, CUgraphNodeType type) {
  Graph::Node& node = *graph.nodes.emplace_back(std::make_unique<Graph::Node>());
  node.type = type;
  node.id = ++node_ids;
  CUpti_GraphData data{};
  data.graph = handle_of(graph);
  data.node = handle_of(node);
  data.nodeType = type;
  notify_resource(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, current_context(), &data);
  return node;
}

// CUPTI reports every node of a copied graph twice: as created and as cloned.
std::unique_ptr<Graph> copy_of(Graph& original) {
  auto copy = new_graph(original.kernel);
  CUpti_GraphData cloned{};
  cloned.graph = handle_of(*copy);
  cloned.originalGraph = handle_of(original);
  notify_resource(CUPTI_CBID_RESOURCE_GRAPH_CLONED, current_context(), &cloned);
  for (const auto& original_node : original.nodes) {
    Graph::Node& node = add_node(*copy, original_node->type);
    CUpti_GraphData data{};
    data.graph = handle_of(*copy);
    data.originalGraph = handle_of(original);
    data.node = handle_of(node);
    data.originalNode = handle_of(*original_node);
    data.nodeType = node.type;
    notify_resource(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED, current_context(), &data);
  }
  return copy;
}

void capture_nodes(Graph& graph, std::uint32_t count) {
  Context& context = current_context();
  const CUstream stream = stream_handle(1);
  {
    const ApiCall begin(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2, next_correlation(),
                        context, nullptr, nullptr);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    launch_kernel(graph.kernel, stream, [&](const Origin&) { add_node(graph, CU_GRAPH_NODE_TYPE_KERNEL); });
  }
  const ApiCall end(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, next_correlation(), context,
                    nullptr, nullptr);
}

GraphExec* instantiate(Graph& graph) {
  auto* exec = new GraphExec;
  exec->id = ++graph_ids;
  CUpti_GraphData data{};
  data.graph = handle_of(graph);
  data.graphExec = handle_of(*exec);
  notify_resource(CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATE_STARTING, current_context(), &data);
  exec->graph = copy_of(graph);
  notify_resource(CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED, current_context(), &data);
  return exec;
}

void destroy(Graph& graph) {
  CUpti_GraphData data{};
  data.graph = handle_of(graph);
  notify_resource(CUPTI_CBID_RESOURCE_GRAPH_DESTROY_STARTING, current_context(), &data);
}

void run(const GraphExec& exec, const Origin& launch) {
  if (kind_enabled(CUPTI_ACTIVITY_KIND_GRAPH_TRACE)) {
    Origin origin = launch;
    origin.graph = exec.id;
    return run_whole_graph(exec.graph->nodes.size() * kNodeTime_ns, origin);
  }
  for (const auto& node : exec.graph->nodes) {
    Origin origin = launch;
    origin.graph = exec.id;
    origin.graph_node = node->id;
    if (node->type == CU_GRAPH_NODE_TYPE_KERNEL) {
      run_kernel(exec.graph->kernel, origin);
    } else {
      run_copy(kFakeCopyDtoD, kNodeCopyBytes, origin);
    }
  }
}

std::uint64_t kernel_nodes(const Graph& graph) {
  std::uint64_t count = 0;
  for (const auto& node : graph.nodes) count += node->type == CU_GRAPH_NODE_TYPE_KERNEL ? 1 : 0;
  return count;
}

}  // namespace
}  // namespace fake_cupti

using namespace fake_cupti;

extern "C" {

uint32_t fake_cupti_graph_create(const char* name, uint32_t kernel_node_count, uint32_t copy_nodes, uint32_t origin) {
  const KernelWork kernel{name, {8, 1, 1}, {64, 1, 1}, 0, kNodeTime_ns, kFakeLaunchPlain};
  auto graph = new_graph(kernel);
  CUpti_GraphData created{};
  created.graph = handle_of(*graph);
  notify_resource(CUPTI_CBID_RESOURCE_GRAPH_CREATED, current_context(), &created);
  if (origin == kFakeGraphCaptured) {
    capture_nodes(*graph, kernel_node_count);
  } else {
    for (std::uint32_t i = 0; i < kernel_node_count; ++i) add_node(*graph, CU_GRAPH_NODE_TYPE_KERNEL);
  }
  for (std::uint32_t i = 0; i < copy_nodes; ++i) add_node(*graph, CU_GRAPH_NODE_TYPE_MEMCPY);

  std::unique_ptr<Graph> copy;
  if (origin == kFakeGraphCloned) copy = copy_of(*graph);
  GraphExec* exec = instantiate(copy ? *copy : *graph);
  // Programs usually drop the template right after they have instantiated it.
  if (copy) destroy(*copy);
  destroy(*graph);

  Graphs& state = graphs();
  const std::lock_guard<std::mutex> guard(state.lock);
  state.by_handle[exec->id] = exec;
  return exec->id;
}

void fake_cupti_graph_launch(uint32_t handle, uint32_t stream) {
  GraphExec* exec = nullptr;
  {
    Graphs& state = graphs();
    const std::lock_guard<std::mutex> guard(state.lock);
    exec = state.by_handle.at(handle);
  }
  Context& context = current_context();
  const std::uint32_t correlation = next_correlation();
  const cuGraphLaunch_params params{handle_of(*exec), stream_handle(stream)};
  const ApiCall runtime(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000, correlation,
                        context, nullptr, nullptr);
  const ApiCall driver(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, correlation, context, &params,
                       nullptr);
  measure_graph(context, exec->graph->kernel, kernel_nodes(*exec->graph));
  run(*exec, {context, stream_handle(stream), correlation});
}

void fake_cupti_graph_destroy(uint32_t handle) {
  Graphs& state = graphs();
  GraphExec* exec = nullptr;
  {
    const std::lock_guard<std::mutex> guard(state.lock);
    exec = state.by_handle.at(handle);
    state.by_handle.erase(handle);
  }
  CUpti_GraphData data{};
  data.graphExec = handle_of(*exec);
  notify_resource(CUPTI_CBID_RESOURCE_GRAPHEXEC_DESTROY_STARTING, current_context(), &data);
  // Its own copy of the graph goes silently, and its address can come back as another graph's.
  delete exec;
}

CUptiResult cuptiGetGraphId(CUgraph graph, uint32_t* pId) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  if (graph == nullptr || pId == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  *pId = reinterpret_cast<const Graph*>(graph)->id;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetGraphExecId(CUgraphExec graphExec, uint32_t* pId) {
  if (const CUptiResult entered = enter(); entered != CUPTI_SUCCESS) return entered;
  if (graphExec == nullptr || pId == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
  *pId = reinterpret_cast<const GraphExec*>(graphExec)->id;
  return CUPTI_SUCCESS;
}
}
