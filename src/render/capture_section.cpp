// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "base/units.hpp"
#include "render/lines.hpp"
#include "render/sections.hpp"

namespace gpuprof::render {

Estimate estimated_kernel_time(const Report& report) {
  Estimate estimate;
  double variance = 0;
  for (const KernelReport& kernel : report.kernels) {
    estimate.time_ns += kernel.estimated_time_ns.value_or(number(kernel.time.sum_ns));
    const double error = kernel.estimated_time_error_ns.value_or(0);
    variance += error * error;
  }
  estimate.error_ns = std::sqrt(variance);
  return estimate;
}

std::string capture_section(const Report& report, const TextStyle& style) {
  const CaptureSummary& capture = report.capture;
  if (!capture.partial) return {};
  const std::uint64_t whole = capture.captured_ns + capture.uncaptured_ns;
  std::string text = fmt::format("{} of the run in {}; {} launched outside", share_of(capture.captured_ns, whole),
                                 capture.phases == 1 ? "1 stretch" : format_count(capture.phases) + " stretches",
                                 plural(capture.uncaptured_launches, "kernel"));
  if (capture.estimated) {
    const Estimate estimate = estimated_kernel_time(report);
    text += "; kernel totals (~) are estimated for the whole run";
    if (estimate.time_ns > 0) text += ", ± " + format_percent(estimate.error_ns / estimate.time_ns);
  } else {
    text += "; what follows is of the recorded part only";
  }
  return paragraph(Paint(style.color)(Emphasis::heading, "Recorded") + "  ", text, 10, style, Emphasis::warning);
}

}  // namespace gpuprof::render
