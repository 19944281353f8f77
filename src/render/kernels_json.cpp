// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "model/report_value.hpp"
#include "render/kernel_order.hpp"
#include "render/render.hpp"

namespace gpuprof::render {
namespace {

constexpr const char* kKernelsSchema = "gpuprof.kernels/1";

const char* name_of(KernelOrder order) {
  switch (order) {
    case KernelOrder::launches:
      return "launches";
    case KernelOrder::mean:
      return "mean";
    case KernelOrder::time:
      break;
  }
  return "time";
}

}  // namespace

std::string kernels_json(const Report& report, const KernelTable& table) {
  nlohmann::ordered_json document;
  document["schema"] = kKernelsSchema;
  document["session"] = report.session;
  document["command"] = report.command;
  document["kernel_time_ns"] = report.totals.kernel_time_ns;
  document["distinct_kernels"] = report.totals.distinct_kernels;
  document["selection"] = model::selection_value(report.selection);
  document["order"] = name_of(table.order);
  document["kernels"] = nlohmann::ordered_json::array();
  for (const RankedKernel& ranked : ranked_kernels(report, table)) {
    nlohmann::ordered_json kernel;
    kernel["rank"] = ranked.rank;
    kernel.update(model::kernel_value(*ranked.kernel));
    document["kernels"].push_back(std::move(kernel));
  }
  return model::json_text(document);
}

}  // namespace gpuprof::render
