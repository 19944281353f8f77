// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/capture.hpp"

#include <algorithm>
#include <vector>

namespace gpuprof::timeline {

void add_capture(const ProcessTrace& process, const trace::EventSpan& span, CaptureSummary& capture) {
  if (!process.info || (process.phases.empty() && !process.used_cuda())) return;
  const std::uint64_t begin_ns = process.info->time_ns != 0 ? process.info->time_ns : span.first_ns;
  const std::uint64_t end_ns = std::max(begin_ns, span.last_ns);
  std::vector<trace::CapturePhase> phases = process.phases;
  std::stable_sort(phases.begin(), phases.end(), [](const trace::CapturePhase& left, const trace::CapturePhase& right) {
    return left.time_ns < right.time_ns;
  });

  // A first phase that begins recording says that there was none before; so does one that waits for a delay or a range.
  const auto waits = [](const trace::CapturePhase& phase) {
    return !phase.on && (phase.reason == trace::CaptureReason::none || phase.reason == trace::CaptureReason::delay);
  };
  bool on = phases.empty() || !(phases.front().on || waits(phases.front()));
  std::uint64_t since_ns = begin_ns;
  const auto end_stretch = [&](std::uint64_t time_ns) {
    const std::uint64_t to_ns = std::clamp(time_ns, since_ns, end_ns);
    (on ? capture.captured_ns : capture.uncaptured_ns) += to_ns - since_ns;
    // Nothing was recorded in a stretch that ended as it began.
    if (on && to_ns > since_ns) ++capture.phases;
    since_ns = to_ns;
  };
  bool by_share = false;
  for (const trace::CapturePhase& phase : phases) {
    by_share = by_share || phase.reason == trace::CaptureReason::share;
    if (phase.on == on) continue;
    end_stretch(phase.time_ns);
    on = phase.on;
  }
  end_stretch(end_ns);

  if (process.ledger) {
    const trace::LedgerSample& ledger = *process.ledger;
    const std::uint64_t uncaptured = ledger.uncaptured_kernel_launches + ledger.uncaptured_graph_kernels;
    capture.uncaptured_launches += uncaptured;
    capture.estimated = capture.estimated || (by_share && uncaptured + ledger.uncaptured_graph_launches > 0);
    capture.partial = capture.partial || ledger.uncaptured_graph_launches > 0;
  }
  capture.partial = capture.partial || capture.uncaptured_ns > 0 || capture.uncaptured_launches > 0;
}

void complete_capture(CaptureSummary& capture) {
  if (!capture.partial) capture = {};
}

}  // namespace gpuprof::timeline
