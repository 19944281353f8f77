// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Payloads of the single messages back into records. Unknown fields are skipped; a payload that is not a message of the
// schema throws DamagedFrame or a protozero exception.

#include <string_view>

#include "gpuprof/trace.hpp"

namespace gpuprof::trace {

ProcessInfo decode_process_info(std::string_view payload);
CuptiInfo decode_cupti_info(std::string_view payload);
Device decode_device(std::string_view payload);
ClockSample decode_clock_sample(std::string_view payload);
LedgerSample decode_ledger(std::string_view payload);
NoticeRecord decode_notice(std::string_view payload);
ProcessEndRecord decode_process_end(std::string_view payload);
CounterPlan decode_counter_plan(std::string_view payload);
CounterGroups decode_counter_groups(std::string_view payload);
CounterWindow decode_counter_window(std::string_view payload);

}  // namespace gpuprof::trace
