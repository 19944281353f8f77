// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the report of a merged session says about its members, and about their hosts.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gpuprof/report.hpp"
#include "telemetry/summary.hpp"
#include "workflow/session.hpp"
#include "workflow/session_record.hpp"

namespace gpuprof::workflow {

// Members that failed or whose end is not known, that ran something else, at another time or with another version, that
// hold the same traces. Empty for a session that was not merged.
std::vector<Notice> member_notices(const SessionRecord& record);

// The notice "hosts.clocks" for traces of several hosts.
Notice clock_notice(const std::set<std::string>& hosts);

// The telemetry of all members. Members on one host sampled the same GPUs: of each GPU the member with the most samples
// counts.
telemetry::Summary member_telemetry(const SessionRecord& record, const SessionPaths& session);

// The seconds since 1970 of "2026-01-31T12:00:00Z"; empty when it is something else.
std::optional<std::int64_t> seconds_of(const std::string& utc);

}  // namespace gpuprof::workflow
