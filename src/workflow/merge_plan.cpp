// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/merge_plan.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "workflow/session.hpp"
#include "workflow/trace_head.hpp"

namespace gpuprof::workflow {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostHostsNamed = 4;
constexpr const char* kStages[] = {"timeline", "counters"};

struct MemberTrace {
  std::string stage;
  TraceHead head;
  bool duplicate = false;
};

struct Member {
  SessionPaths session;
  SessionRecord record;
  std::vector<MemberTrace> traces;
  std::string telemetry;  // a member that was merged itself keeps its members' names
};

SessionRecord read_member(const SessionPaths& session) {
  std::error_code ignored;
  if (!fs::exists(session.record(), ignored)) {
    throw Error(printable(session.directory) + " has no session.json, so its traces cannot be read again",
                "Name a session directory written by gpuprof run.");
  }
  return session_record_from_json(read_file(session.record()), session.record());
}

const StageRun* find_stage(const SessionRecord& record, const std::string& name) {
  for (const StageRun& stage : record.stages) {
    if (stage.name == name) return &stage;
  }
  return nullptr;
}

bool failed(const ProcessEnd& end) {
  return end.kind != EndKind::exited || end.code != 0;
}

// A name for a file: what else a host name may hold would lead elsewhere or have to be quoted.
std::string file_name_of_host(const std::string& host) {
  std::string name = host.empty() ? "host" : host;
  for (char& c : name) {
    const bool kept =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    if (!kept) c = '_';
  }
  if (name[0] == '.' || name[0] == '-') name[0] = '_';
  return name;
}

// Gives every file a name of its own: the wished one, or with a number.
class Names {
 public:
  std::string take(const std::string& stem, const std::string& suffix) {
    for (int number = 1;; ++number) {
      std::string name = stem + (number == 1 ? "" : "-" + std::to_string(number)) + suffix;
      if (taken_.insert(name).second) return name;
    }
  }

 private:
  std::set<std::string> taken_;
};

class Planner {
 public:
  explicit Planner(std::vector<Member> members) : members_(std::move(members)) {}

  MergePlan plan() {
    mark_duplicates();
    start_record();
    for (Member& member : members_) {
      add_member(member);
      add_traces(member);
      add_telemetry(member);
    }
    merge_stage("timeline");
    merge_stage("counters");
    add_counter_plan();
    name_hosts();
    return std::move(plan_);
  }

 private:
  // One process has one trace for a stage and program; where there are several, the longest is the most complete copy.
  void mark_duplicates() {
    std::map<std::pair<std::string, TracedProcess>, MemberTrace*> known;
    for (Member& member : members_) {
      for (MemberTrace& trace : member.traces) {
        if (!trace.head.process) continue;
        hosts_.insert(trace.head.process->host);
        const auto [place, added] = known.try_emplace({trace.stage, *trace.head.process}, &trace);
        if (added) continue;
        const bool longer = trace.head.bytes > place->second->head.bytes;
        (longer ? *place->second : trace).duplicate = true;
        if (longer) place->second = &trace;
      }
    }
  }

  void start_record() {
    const SessionRecord& first = members_.front().record;
    SessionRecord& record = plan_.record;
    record.generator_version = GPUPROF_VERSION;
    record.recorded_at = first.recorded_at;
    record.command = first.command;
    record.working_directory = first.working_directory;
    record.environment = first.environment;
    record.selection = first.selection;
    record.tier = first.tier;
    record.counters_requested = false;
    for (const Member& member : members_) {
      record.recorded_at = std::min(record.recorded_at, member.record.recorded_at);
      record.counters_requested |= member.record.counters_requested;
      record.telemetry.hz = std::max(record.telemetry.hz, member.record.telemetry.hz);
      if (record.counters_skipped.empty()) record.counters_skipped = member.record.counters_skipped;
    }
  }

  void add_member(const Member& member) {
    const SessionRecord& from = member.record;
    std::uint64_t duplicates = 0;
    for (const MemberTrace& trace : member.traces) duplicates += trace.duplicate ? 1 : 0;
    first_of_member_ = plan_.record.members.size();
    if (!from.members.empty()) {
      plan_.record.members.insert(plan_.record.members.end(), from.members.begin(), from.members.end());
      plan_.record.members[first_of_member_].duplicates += duplicates;
      plan_.record.skipped.insert(plan_.record.skipped.end(), from.skipped.begin(), from.skipped.end());
      return;
    }
    SessionMember& added = plan_.record.members.emplace_back();
    added.name = member.session.name();
    added.host = from.environment.hostname;
    added.command = from.command;
    added.recorded_at = from.recorded_at;
    added.generator_version = from.generator_version;
    added.driver_version = from.environment.driver_version;
    if (const StageRun* run = find_stage(from, "timeline")) {
      added.end = run->end;
      added.wall_time_ns = run->wall_time_ns;
    }
    added.traces = member.traces.size();
    added.duplicates = duplicates;
    added.telemetry = from.telemetry;
  }

  void add_traces(const Member& member) {
    for (const MemberTrace& trace : member.traces) {
      if (trace.duplicate) continue;
      const std::string new_name = trace.stage + "/" + names_[trace.stage].take(stem_of(trace.head), ".trace");
      const std::optional<ProcessEnd> end = end_of(member, trace);
      const bool running = end && end->kind == EndKind::running;
      plan_.files.push_back({trace.head.path, new_name, find_stage(member.record, trace.stage) != nullptr && !running});
      if (end) plan_.record.ends.push_back({new_name, *end});
      ++plan_.traces;
    }
  }

  std::string stem_of(const TraceHead& head) const {
    if (!head.process) return file_name_of_host(fs::path(head.path).stem().string());
    const std::string process = std::to_string(head.process->pid) + "-" + std::to_string(head.process->start_ticks);
    return hosts_.size() > 1 ? file_name_of_host(head.process->host) + "-" + process : process;
  }

  // What the member's gpuprof knew about the process: its own child's exit status, and who was still there.
  static std::optional<ProcessEnd> end_of(const Member& member, const MemberTrace& trace) {
    const std::string name = trace.stage + "/" + fs::path(trace.head.path).filename().string();
    const std::vector<TraceEnd>& ends = member.record.ends;
    const auto known = std::find_if(ends.begin(), ends.end(), [&](const TraceEnd& end) { return end.trace == name; });
    const StageRun* run = find_stage(member.record, trace.stage);
    const bool command = run != nullptr && trace.head.process && trace.head.process->pid == run->pid &&
                         trace.head.process->host == member.record.environment.hostname;
    if (known != ends.end() && (!command || known->end.kind == EndKind::replaced)) return known->end;
    if (command) return run->end;
    return std::nullopt;
  }

  void add_telemetry(const Member& member) {
    std::error_code ignored;
    for (std::size_t i = first_of_member_; i < plan_.record.members.size(); ++i) {
      SessionMember& entry = plan_.record.members[i];
      const std::string name = member.record.members.empty() ? "telemetry.trace" : entry.telemetry_trace;
      entry.telemetry_trace.clear();
      const std::string path = member.session.directory + "/" + name;
      if (name.empty() || !fs::is_regular_file(path, ignored)) continue;
      entry.telemetry_trace = telemetry_names_.take("telemetry-" + file_name_of_host(entry.host), ".trace");
      plan_.files.push_back({path, entry.telemetry_trace, find_stage(member.record, "timeline") != nullptr});
    }
  }

  // The longest wall time, and the end of the first member that failed.
  void merge_stage(const std::string& name) {
    StageRun merged;
    bool any = false;
    for (const Member& member : members_) {
      const StageRun* run = find_stage(member.record, name);
      if (run == nullptr) continue;
      merged.wall_time_ns = std::max(merged.wall_time_ns, run->wall_time_ns);
      if (!any || (!failed(merged.end) && failed(run->end))) merged.end = run->end;
      any = true;
    }
    merged.name = name;
    if (any) plan_.record.stages.push_back(merged);
  }

  void add_counter_plan() {
    std::error_code ignored;
    for (const Member& member : members_) {
      if (!fs::is_regular_file(member.session.counter_plan(), ignored)) continue;
      plan_.files.push_back({member.session.counter_plan(), "counters/plan", true});
      return;
    }
  }

  void name_hosts() {
    for (const SessionMember& member : plan_.record.members) hosts_.insert(member.host);
    hosts_.erase("");
    plan_.hosts = hosts_.size();
    std::string names;
    std::size_t named = 0;
    for (const std::string& host : hosts_) {
      if (named++ < kMostHostsNamed) names += (names.empty() ? "" : ", ") + host;
    }
    if (named > kMostHostsNamed) names += " and " + std::to_string(named - kMostHostsNamed) + " more";
    plan_.record.environment.hostname = names;
  }

  std::vector<Member> members_;
  MergePlan plan_;
  std::set<std::string> hosts_;
  std::map<std::string, Names> names_;  // by stage
  Names telemetry_names_;
  std::size_t first_of_member_ = 0;  // in the record's list: those of the member that is being added
};

}  // namespace

MergePlan plan_merge(const std::vector<std::string>& members, const std::function<void(std::size_t)>& on_member) {
  std::vector<Member> read;
  for (const std::string& directory : members) {
    Member& member = read.emplace_back();
    member.session.directory = directory;
    member.record = read_member(member.session);
    for (const std::string stage : kStages) {
      for (TraceHead& head : trace_heads(directory + "/" + stage)) {
        member.traces.push_back({stage, std::move(head), false});
      }
    }
    on_member(read.size());
  }
  return Planner(std::move(read)).plan();
}

}  // namespace gpuprof::workflow
