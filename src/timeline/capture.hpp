// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What part of a run was recorded.

#include "gpuprof/report.hpp"
#include "timeline/process_trace.hpp"

namespace gpuprof::timeline {

// Adds one process, from its load of the collector to the end of `span`. A process without capture phases was recorded
// throughout; one that did not use CUDA does not count.
void add_capture(const ProcessTrace& process, const trace::EventSpan& span, CaptureSummary& capture);

// To be called when all processes were added: a run that was recorded throughout has nothing to sum up.
void complete_capture(CaptureSummary& capture);

}  // namespace gpuprof::timeline
