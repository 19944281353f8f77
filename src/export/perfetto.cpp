// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "export/perfetto.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "export/perfetto_names.hpp"
#include "export/perfetto_process.hpp"
#include "export/perfetto_telemetry.hpp"
#include "trace/rank_labels.hpp"

namespace gpuprof::perfetto {
namespace {

// The process and the first clock sample stand at the beginning of a file.
constexpr std::size_t kHeadBytes = std::size_t{64} * 1024;
constexpr std::uint32_t kNoRank = std::numeric_limits<std::uint32_t>::max();

struct Head : trace::Visitor {
  using trace::Visitor::on;
  void on(const trace::ProcessInfo& record) override {
    if (!info) info = record;
  }
  void on(const trace::ClockSample& record) override {
    if (!clock) clock = record;
  }

  std::string path;
  std::optional<trace::ProcessInfo> info;
  std::optional<trace::ClockSample> clock;
};

std::string file_name(const std::string& path) {
  return "'" + printable(std::filesystem::path(path).filename().string()) + "'";
}

// "node1" of telemetry-node1.trace.
std::string telemetry_host(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  const std::size_t dash = stem.find('-');
  return dash == std::string::npos ? stem : stem.substr(dash + 1);
}

Head read_head(const std::string& path) {
  Head head;
  head.path = path;
  std::string bytes(kHeadBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  trace::Dictionaries dictionaries;
  trace::read_bytes(bytes, path, dictionaries, head);
  return head;
}

// Ranks side by side in their order, other processes behind them; then by host and start.
bool shown_before(const Head& a, const Head& b) {
  const std::uint32_t left = trace::read_rank(a.info->labels).rank.value_or(kNoRank);
  const std::uint32_t right = trace::read_rank(b.info->labels).rank.value_or(kNoRank);
  if (left != right) return left < right;
  if (a.info->hostname != b.info->hostname) return a.info->hostname < b.info->hostname;
  return std::tie(a.info->time_ns, a.info->pid, a.path) < std::tie(b.info->time_ns, b.info->pid, b.path);
}

// Processes of different hosts, or of different times, may have the same id; the viewer would make them one.
std::int32_t unused_pid(std::uint32_t pid, std::set<std::int32_t>& used) {
  constexpr std::int32_t kBeyondLinux = 1 << 22;
  auto candidate = static_cast<std::int32_t>(pid & 0x7fffffff);
  while (!used.insert(candidate).second) {
    candidate = candidate > std::numeric_limits<std::int32_t>::max() - kBeyondLinux ? 1 : candidate + kBeyondLinux;
  }
  return candidate;
}

std::vector<Head> read_heads(const std::vector<std::string>& paths, std::vector<std::string>& warnings) {
  std::vector<Head> heads;
  for (const std::string& path : paths) {
    try {
      Head head = read_head(path);
      if (head.info) {
        heads.push_back(std::move(head));
      } else {
        warnings.push_back(file_name(path) + " holds no record of its process and is left out");
      }
    } catch (const Error& error) {
      warnings.push_back(std::string(error.what()) + "; it is left out");
    }
  }
  std::sort(heads.begin(), heads.end(), shown_before);
  return heads;
}

bool several_hosts(const std::vector<Head>& heads) {
  return std::any_of(heads.begin(), heads.end(),
                     [&](const Head& head) { return head.info->hostname != heads.front().info->hostname; });
}

PacketWriter start(const std::vector<Head>& heads, const std::function<void(std::string_view)>& sink) {
  for (const Head& head : heads) {
    if (head.clock && head.clock->realtime_ns != 0) {
      return PacketWriter(sink, head.clock->realtime_ns, head.clock->monotonic_ns);
    }
  }
  return PacketWriter(sink, heads.front().info->time_ns, 0);
}

void write_process(const Head& head, const ProcessLabel& label, const KernelCounters& counters, PacketWriter& writer,
                   std::vector<std::string>& warnings) {
  ProcessFacts facts;
  trace::Dictionaries dictionaries;
  trace::EventSpan span;
  ProcessTracks tracks(writer, label, facts, dictionaries, span, counters);
  const trace::ReadResult read = trace::read_events(head.path, dictionaries, tracks, &facts, &span);
  tracks.finish();
  if (read.state == trace::FileState::torn) {
    warnings.push_back(file_name(head.path) + " is cut off or damaged after " + format_count(read.good_bytes) + " of " +
                       format_count(read.bytes) + " bytes; what comes before is shown");
  }
  if (tracks.unusable() > 0) {
    warnings.push_back(format_count(tracks.unusable()) + " records of host calls in " + file_name(head.path) +
                       " have no usable time stamps and are left out");
  }
}

}  // namespace

Result write_trace(const Input& input, const std::function<void(std::string_view)>& sink) {
  Result result;
  const std::vector<Head> heads = read_heads(input.timeline, result.warnings);
  if (heads.empty()) {
    throw Error("no trace of a process can be read" +
                    (result.warnings.empty() ? std::string() : ": " + result.warnings.front()),
                "Record the session again with `gpuprof run`.");
  }
  KernelCounters counters;
  if (input.report != nullptr) {
    for (const KernelReport& kernel : input.report->kernels) {
      if (!kernel.counters.empty()) counters.emplace(kernel.key, &kernel);
    }
  }
  PacketWriter writer = start(heads, sink);
  const bool with_host = several_hosts(heads);
  std::set<std::int32_t> pids;
  for (const Head& head : heads) {
    ProcessLabel label;
    label.pid = unused_pid(head.info->pid, pids);
    label.rank = static_cast<std::int32_t>(result.processes);
    label.name = process_name(*head.info, with_host);
    write_process(head, label, counters, writer, result.warnings);
    ++result.processes;
  }
  for (const std::string& path : input.telemetry) {
    // With one file the host is that of the processes.
    const std::string host = input.telemetry.size() > 1 ? telemetry_host(path) : std::string();
    TelemetryTracks telemetry(writer, host);
    trace::Dictionaries dictionaries;
    try {
      trace::read_file(path, dictionaries, telemetry);
    } catch (const Error& error) {
      result.warnings.push_back(std::string(error.what()) + "; telemetry is left out");
    }
  }
  writer.flush();
  result.events = writer.events();
  result.bytes = writer.bytes();
  return result;
}

}  // namespace gpuprof::perfetto
