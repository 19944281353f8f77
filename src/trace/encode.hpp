// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Payloads of the single messages: everything in trace.proto that is neither a dictionary nor a columnar batch.

#include <string>

#include "gpuprof/trace.hpp"

namespace gpuprof::trace {

std::string encode(const ProcessInfo& record);
std::string encode(const CuptiInfo& record);
std::string encode(const Device& record);
std::string encode(const ClockSample& record);
std::string encode(const LedgerSample& record);
std::string encode(const NoticeRecord& record);
std::string encode(const ProcessEndRecord& record);
std::string encode(const CounterPlan& record);
std::string encode(const CounterGroups& record);
std::string encode(const CounterWindow& record);
std::string encode(const ThreadName& record);
std::string encode(const NvtxCategory& record);
std::string encode(const Context& record);
std::string encode(const Stream& record);
std::string encode(const CapturePhase& record);
std::string encode(const LaunchCounts& record);
std::string encode(const TelemetryDevice& record);
std::string encode(const TelemetryXid& record);

}  // namespace gpuprof::trace
