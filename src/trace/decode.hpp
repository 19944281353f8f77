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
ThreadName decode_thread_name(std::string_view payload);
NvtxCategory decode_nvtx_category(std::string_view payload);
Context decode_context(std::string_view payload);
Stream decode_stream(std::string_view payload);
CapturePhase decode_capture_phase(std::string_view payload);
LaunchCounts decode_launch_counts(std::string_view payload);
TelemetryDevice decode_telemetry_device(std::string_view payload);
TelemetryXid decode_telemetry_xid(std::string_view payload);

}  // namespace gpuprof::trace
