// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/counter_plan.hpp"

#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "trace/writer.hpp"

namespace gpuprof::workflow {

void write_counter_plan(const std::string& path, const CounterRequest& request,
                        const std::vector<KernelReport>& kernels) {
  trace::CounterPlan plan;
  plan.groups = request.groups;
  plan.samples = request.samples;
  plan.window_launches = request.window_launches;
  for (const KernelReport& kernel : kernels) {
    if (!kernel.selected) continue;
    plan.graphs = plan.graphs || kernel.graph_launches > 0;
    plan.kernels.push_back(
        {kernel.key.mangled_name, kernel.key.grid, kernel.key.block, kernel.key.dynamic_shared_bytes});
  }
  const std::unique_ptr<trace::Writer> writer = trace::Writer::create(path);
  int error = errno;
  if (writer != nullptr) {
    writer->write(plan);
    writer->flush();
    error = writer->error();
  }
  if (error != 0 || writer == nullptr) {
    throw Error("cannot write " + path + ": " + std::strerror(error), "Free space there, or use another -o DIR.");
  }
}

}  // namespace gpuprof::workflow
