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

}  // namespace gpuprof::trace
