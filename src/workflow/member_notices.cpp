// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/member_notices.hpp"

#include <algorithm>
#include <ctime>
#include <functional>
#include <map>

#include "base/text.hpp"
#include "base/units.hpp"
#include "target/launch.hpp"

namespace gpuprof::workflow {
namespace {

constexpr std::size_t kMostNamed = 8;
// Ranks of one job start within the time that a launcher needs for all of them.
constexpr std::int64_t kSlackSeconds = 60;

// "a, b and 3 more".
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMostNamed; ++i) text += (i == 0 ? "" : ", ") + printable(names[i]);
  if (names.size() > kMostNamed) text += " and " + format_count(names.size() - kMostNamed) + " more";
  return text;
}

std::string of_all(std::size_t count, const SessionRecord& record) {
  return format_count(count) + " of " + format_count(record.members.size()) + " members";
}

std::string place(const SessionMember& member) {
  return member.name + (member.host.empty() ? "" : " on " + member.host);
}

void note_ends(const SessionRecord& record, std::vector<Notice>& notices) {
  std::vector<std::string> failed;
  std::vector<std::string> unfinished;
  for (const SessionMember& member : record.members) {
    if (member.end.kind == EndKind::running) {
      unfinished.push_back(place(member));
    } else if (member.end.kind != EndKind::exited || member.end.code != 0) {
      failed.push_back(place(member) + " " + target::describe_end(member.end));
    }
  }
  if (!failed.empty()) {
    notices.push_back({Severity::warning, "members.failed",
                       "the program failed in " + of_all(failed.size(), record) + ": " + listed(failed),
                       "Read the figures as those of an unfinished run."});
  }
  if (!unfinished.empty()) {
    notices.push_back({Severity::warning, "members.unfinished",
                       "gpuprof did not see the end of the program in " + of_all(unfinished.size(), record) + ": " +
                           listed(unfinished),
                       "Merge again when they have ended; if they have, gpuprof itself was killed there."});
  }
}

// A notice about members in which a property is not what it is in the first one.
void note_difference(const SessionRecord& record, const std::string& code, const std::string& what,
                     const std::string& hint, const std::function<std::string(const SessionMember&)>& property,
                     std::vector<Notice>& notices) {
  std::map<std::string, std::size_t> counts;
  std::vector<std::string> different;
  for (const SessionMember& member : record.members) {
    const std::string value = property(member);
    ++counts[value];
    if (value != property(record.members.front())) different.push_back(member.name);
  }
  if (different.empty()) return;
  notices.push_back({Severity::info, code,
                     "the members have " + format_count(counts.size()) + " different " + what + "; another than in " +
                         printable(record.members.front().name) + ": " + listed(different),
                     hint});
}

std::string joined(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& argument : command) text += argument + '\0';
  return text;
}

void note_differences(const SessionRecord& record, std::vector<Notice>& notices) {
  note_difference(
      record, "members.commands", "commands",
      "Totals are sums over all of them; merge the ranks of one job only, if that is not meant.",
      [](const SessionMember& member) { return joined(member.command); }, notices);
  note_difference(
      record, "members.versions", "versions of gpuprof", "Use one version on all hosts if their figures differ.",
      [](const SessionMember& member) { return member.generator_version; }, notices);
  note_difference(
      record, "members.drivers", "driver versions",
      "Expect different launch costs, and different kernels of libraries.",
      [](const SessionMember& member) { return member.driver_version; }, notices);
}

// Members of one run are all under way at some time.
void note_times(const SessionRecord& record, std::vector<Notice>& notices) {
  std::optional<std::int64_t> first_end;
  std::optional<std::int64_t> last_start;
  std::string ended;
  std::string started;
  for (const SessionMember& member : record.members) {
    const std::optional<std::int64_t> start = seconds_of(member.recorded_at);
    if (!start || member.end.kind == EndKind::running) continue;
    const std::int64_t end = *start + static_cast<std::int64_t>(member.wall_time_ns / 1'000'000'000);
    if (!first_end || end < *first_end) {
      first_end = end;
      ended = member.name;
    }
    if (!last_start || *start > *last_start) {
      last_start = start;
      started = member.name;
    }
  }
  if (!first_end || *last_start - *first_end <= kSlackSeconds) return;
  const double gap_ns = static_cast<double>(*last_start - *first_end) * 1e9;
  notices.push_back({Severity::info, "members.apart",
                     "the members were not recorded at the same time: " + printable(ended) + " had ended " +
                         format_duration(gap_ns) + " before " + printable(started) + " began",
                     "Totals are sums over all of them; they are not those of one run."});
}

void note_duplicates(const SessionRecord& record, std::vector<Notice>& notices) {
  std::uint64_t duplicates = 0;
  std::vector<std::string> names;
  for (const SessionMember& member : record.members) {
    duplicates += member.duplicates;
    if (member.duplicates > 0) names.push_back(member.name);
  }
  if (duplicates == 0) return;
  notices.push_back({Severity::info, "members.duplicates",
                     format_count(duplicates) + (duplicates == 1 ? " trace was" : " traces were") +
                         " in several members and counted once; left out of " + listed(names),
                     "Name every session once; a merged session holds those of its members."});
}

}  // namespace

std::optional<std::int64_t> seconds_of(const std::string& utc) {
  std::tm time{};
  const char* end = strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return static_cast<std::int64_t>(timegm(&time));
}

std::vector<Notice> member_notices(const SessionRecord& record) {
  std::vector<Notice> notices;
  if (record.members.empty()) return notices;
  note_ends(record, notices);
  note_differences(record, notices);
  note_times(record, notices);
  note_duplicates(record, notices);
  if (!record.skipped.empty()) {
    notices.push_back({Severity::warning, "members.skipped", "no sessions, and left out: " + listed(record.skipped),
                       "gpuprof was killed there before the program started, or the disk was full."});
  }
  return notices;
}

Notice clock_notice(const std::set<std::string>& hosts) {
  return {Severity::info, "hosts.clocks",
          "the traces come from " + format_count(hosts.size()) + " hosts (" + listed({hosts.begin(), hosts.end()}) +
              "), each with a clock of its own; their offsets were not measured and nothing was corrected for them",
          "Times within a host are exact; between hosts they are as good as the clocks' synchronisation (NTP: about a "
          "millisecond, PTP: about a microsecond)."};
}

telemetry::Summary member_telemetry(const SessionRecord& record, const SessionPaths& session) {
  telemetry::Summary all;
  std::map<std::string, std::size_t> place_of_gpu;
  std::set<std::string> said;
  std::string reason;
  for (const SessionMember& member : record.members) {
    if (!(member.telemetry.hz > 0)) continue;
    const std::string path =
        member.telemetry_trace.empty() ? session.telemetry() : session.directory + "/" + member.telemetry_trace;
    telemetry::Summary one = telemetry::summarize(path, member.telemetry);
    all.report.attempted = true;
    if (reason.empty()) reason = one.report.unavailable_reason;
    for (Notice& notice : one.notices) {
      if (said.insert(notice.text).second) all.notices.push_back(std::move(notice));
    }
    for (GpuTelemetry& gpu : one.report.gpus) {
      const auto [place, added] = place_of_gpu.try_emplace(gpu.uuid, all.report.gpus.size());
      if (added || gpu.uuid.empty()) {
        all.report.gpus.push_back(std::move(gpu));
      } else if (all.report.gpus[place->second].samples < gpu.samples) {
        all.report.gpus[place->second] = std::move(gpu);
      }
    }
  }
  if (all.report.gpus.empty()) all.report.unavailable_reason = reason;
  return all;
}

}  // namespace gpuprof::workflow
