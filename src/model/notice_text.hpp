// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The wording of what the collector reports from inside the program, in one table for all stages.

#include <cstdint>
#include <string>

#include "gpuprof/report.hpp"
#include "gpuprof/trace.hpp"

namespace gpuprof::model {

// The notice for a record of process `pid`: the table's text and hint, the record's detail and the process. The detail
// keeps its bytes. A code that this version does not know becomes a warning "collector.unknown" that names its number.
Notice notice_from(const trace::NoticeRecord& record, std::uint32_t pid);

// What happened, in one sentence without the process: the table's text and the record's detail.
std::string describe(const trace::NoticeRecord& record);

// What a notice means for the counters of its process.
enum class CounterEffect {
  none,
  interrupted,  // what was measured before counts, nothing follows
  prevented,    // none could be measured: no permission, busy, unsupported, or no CUPTI
};
CounterEffect counter_effect(trace::NoticeCode code);

}  // namespace gpuprof::model
