// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The books of kernel records: what was launched against what arrived.

#include <vector>

#include "gpuprof/report.hpp"
#include "timeline/process_trace.hpp"

namespace gpuprof::timeline {

// Balances the launches a process counted with the records in its trace, so that
// launched = stored + dropped + overwritten + invalid() + unaccounted, and appends a notice for everything that is
// missing or uncertain. Launches while nothing was recorded are not among them.
//
// A process that ended cleanly has waited for its kernels: what is missing and was not reported as dropped is
// unaccounted. A process that was killed had kernels in flight: what is missing is dropped, and launches after its
// newest ledger sample are unknown.
KernelLedger balance(const ProcessTrace& process, std::vector<Notice>& notices);

}  // namespace gpuprof::timeline
