// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/process_ends.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "target/process_state.hpp"
#include "workflow/environment_info.hpp"
#include "workflow/trace_head.hpp"

namespace gpuprof::workflow {
namespace {

constexpr std::size_t kMostNamed = 5;

std::string folder_of(const SessionPaths& session, const std::string& stage) {
  return stage == "counters" ? session.counters() : session.timeline();
}

std::string relative_name(const std::string& stage, const std::string& path) {
  return stage + "/" + std::filesystem::path(path).filename().string();
}

// When the last program of each process loaded the collector: earlier traces of it are those of programs that went on
// by exec.
class LastPrograms {
 public:
  explicit LastPrograms(const std::vector<TraceHead>& heads) {
    for (const TraceHead& head : heads) {
      if (!head.process) continue;
      std::uint64_t& newest = loaded_ns_[key(*head.process)];
      newest = std::max(newest, head.process->loaded_ns);
    }
  }
  bool went_on(const TracedProcess& process) const { return process.loaded_ns < loaded_ns_.at(key(process)); }

 private:
  using Key = std::tuple<std::string, std::uint32_t, std::uint64_t>;
  static Key key(const TracedProcess& process) { return {process.host, process.pid, process.start_ticks}; }

  std::map<Key, std::uint64_t> loaded_ns_;
};

// Calls `visit` with the name of every trace and the process it belongs to. Reports come in the order of file names,
// unreadable files left out.
template <typename Processes, typename Visit>
void for_each_trace(const SessionPaths& session, const std::string& stage, Processes& processes, Visit visit) {
  std::vector<bool> taken(processes.size());
  for (const TraceHead& head : trace_heads(folder_of(session, stage))) {
    if (!head.process) continue;
    for (std::size_t i = 0; i < processes.size(); ++i) {
      auto& process = processes[i];
      if (taken[i] || process.pid != head.process->pid) continue;
      if (!process.host.empty() && process.host != head.process->host) continue;
      taken[i] = true;
      visit(relative_name(stage, head.path), process);
      break;
    }
  }
}

std::map<std::string, ProcessEnd> by_trace(const std::vector<TraceEnd>& ends) {
  std::map<std::string, ProcessEnd> result;
  for (const TraceEnd& end : ends) result[end.trace] = end.end;
  return result;
}

// What was seen from outside is a guess where the trace itself has an end record; what the launcher learnt is not.
bool says_more(const ProcessEnd& end, const ProcessReport& process) {
  const bool guess = end.kind == EndKind::running || end.kind == EndKind::vanished;
  return !guess || (process.end.kind == EndKind::running && !process.clean_exit);
}

}  // namespace

std::vector<TraceEnd> observe_ends(const SessionPaths& session, const std::string& stage) {
  const std::vector<TraceHead> heads = trace_heads(folder_of(session, stage));
  const LastPrograms programs(heads);
  const std::string here = read_environment().hostname;
  std::vector<TraceEnd> ends;
  for (const TraceHead& head : heads) {
    if (!head.process) continue;
    const std::string name = relative_name(stage, head.path);
    if (programs.went_on(*head.process)) {
      ends.push_back({name, {EndKind::replaced, 0}});
      continue;
    }
    if (head.process->host != here) continue;
    const target::ProcessState state = target::process_state(head.process->pid, head.process->start_ticks);
    if (state == target::ProcessState::runs) ends.push_back({name, {EndKind::running, 0}});
    if (state == target::ProcessState::gone) ends.push_back({name, {EndKind::vanished, 0}});
  }
  return ends;
}

void add_observations(const std::vector<TraceEnd>& observed, std::vector<TraceEnd>& known) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < known.size(); ++i) places[known[i].trace] = i;
  for (const TraceEnd& end : observed) {
    const auto place = places.find(end.trace);
    if (place == places.end()) {
      known.push_back(end);
    } else if (known[place->second].end.kind == EndKind::running) {
      known[place->second].end = end.end;
    }
  }
}

std::vector<TraceEnd> needed_ends(const std::vector<TraceEnd>& observed, const SessionPaths& session,
                                  const std::string& stage, const std::vector<ProcessReport>& processes) {
  std::vector<TraceEnd> needed;
  const std::map<std::string, ProcessEnd> ends = by_trace(observed);
  for_each_trace(session, stage, processes, [&](const std::string& trace, const ProcessReport& process) {
    const auto end = ends.find(trace);
    if (end != ends.end() && says_more(end->second, process)) needed.push_back({trace, end->second});
  });
  return needed;
}

std::vector<std::uint32_t> apply_ends(const std::vector<TraceEnd>& known, const SessionPaths& session,
                                      const std::string& stage, std::vector<ProcessReport>& processes) {
  std::vector<std::uint32_t> running;
  if (known.empty()) return running;
  const std::map<std::string, ProcessEnd> ends = by_trace(known);
  for_each_trace(session, stage, processes, [&](const std::string& trace, ProcessReport& process) {
    const auto end = ends.find(trace);
    if (end == ends.end() || !says_more(end->second, process)) return;
    process.end = end->second;
    if (process.end.kind == EndKind::running) running.push_back(process.pid);
  });
  return running;
}

Notice running_notice(const std::vector<std::uint32_t>& pids) {
  std::string names;
  for (std::size_t i = 0; i < pids.size() && i < kMostNamed; ++i) {
    names += (i == 0 ? "" : ", ") + std::to_string(pids[i]);
  }
  if (pids.size() > kMostNamed) names += " and " + std::to_string(pids.size() - kMostNamed) + " more";
  const bool one = pids.size() == 1;
  return {Severity::warning, "processes.running",
          (one ? "process " + names + " of the program" : "processes " + names + " of the program") +
              " still ran when the command had ended; what " + (one ? "it records" : "they record") +
              " afterwards is not in this report",
          "Let the program wait for its children, or profile what starts them."};
}

}  // namespace gpuprof::workflow
