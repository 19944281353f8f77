// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.hpp"
#include "base/units.hpp"
#include "render/lines.hpp"
#include "render/sections.hpp"

namespace gpuprof::render {
namespace {

constexpr std::size_t kMostRanks = 8;
constexpr std::size_t kMostProcesses = 20;
constexpr std::size_t kMostHosts = 4;
constexpr std::size_t kHostWidth = 20;

std::string host_list(const std::vector<std::string>& hosts) {
  std::string text;
  for (std::size_t i = 0; i < hosts.size() && i < kMostHosts; ++i) {
    text += (i == 0 ? "" : ", ") + shorten_middle(printable(hosts[i]), kHostWidth);
  }
  if (hosts.size() > kMostHosts) text += " and " + format_count(hosts.size() - kMostHosts) + " more";
  return text;
}

std::string job_summary(const JobReport& job) {
  std::string text = format_count(job.ranks.size());
  if (job.world_size > 0) text += " of " + format_count(job.world_size);
  text += job.ranks.size() == 1 && job.world_size == 0 ? " rank" : " ranks";
  if (job.hosts.size() > 1) text += fmt::format(" on {} hosts ({})", job.hosts.size(), host_list(job.hosts));
  if (job.slowest_rank) {
    text += fmt::format("; rank {} is the slowest: others wait for it, up to {} longer in communication",
                        *job.slowest_rank, format_duration(number(job.skew_ns)));
  }
  return text;
}

// The ranks that wait least come first, for the others wait for them.
std::string rank_table(const JobReport& job, const TextStyle& style) {
  std::vector<const RankReport*> order;
  for (const RankReport& rank : job.ranks) order.push_back(&rank);
  std::stable_sort(order.begin(), order.end(), [](const RankReport* a, const RankReport* b) {
    return a->communication_time_ns < b->communication_time_ns;
  });
  const bool hosts = job.hosts.size() > 1;
  std::vector<Column> columns = {{"rank"}};
  if (hosts) columns.push_back({"host", Column::Align::left, true});
  columns.push_back({"pid", Column::Align::right, true});
  columns.insert(columns.end(), {{"kernel time"}, {"communication"}, {"overlapped"}, {"median step"}});
  Table table(columns);
  for (const RankReport* rank : order) {
    if (table.rows() == kMostRanks) break;
    std::vector<std::string> row = {std::to_string(rank->rank)};
    if (hosts) row.push_back(shorten_middle(printable(rank->host), kHostWidth));
    row.insert(row.end(), {std::to_string(rank->pid), format_duration(number(rank->kernel_time_ns)),
                           format_duration(number(rank->communication_time_ns)),
                           share_of(rank->communication_overlapped_ns, rank->communication_time_ns),
                           rank->median_step_ns ? format_duration(*rank->median_step_ns) : "-"});
    table.add(std::move(row));
  }
  return table_lines(table, style) + and_more(order.size(), table.rows(), style);
}

std::string end_of(const ProcessReport& process) {
  std::string end = process.end.kind == EndKind::running && process.clean_exit ? "exited" : describe(process.end);
  if (process.truncated) end += ", trace torn";
  if (!process.used_cuda) end += ", used no CUDA";
  return end;
}

}  // namespace

std::string rank_section(const Report& report, const TextStyle& style) {
  const JobReport& job = report.job;
  if (job.ranks.empty() && job.missing.empty()) return {};
  std::string out = paragraph(Paint(style.color)(Emphasis::heading, "Ranks") + "     ", job_summary(job), 10, style);
  if (!job.missing.empty()) {
    const std::vector<std::uint64_t> missing(job.missing.begin(), job.missing.end());
    out += paragraph("  ", "missing, without a trace: " + number_list(missing), 2, style, Emphasis::warning);
  }
  return job.ranks.size() < 2 ? out : out + rank_table(job, style);
}

std::string process_section(const Report& report, const TextStyle& style) {
  std::map<std::string, std::size_t> processes_of_stage;
  std::set<std::string> hosts;
  std::size_t most = 0;
  bool ranked = false;
  bool without_cuda = false;
  for (const ProcessReport& process : report.processes) {
    most = std::max(most, ++processes_of_stage[process.stage]);
    if (!process.host.empty()) hosts.insert(process.host);
    ranked |= process.rank.has_value();
    without_cuda |= !process.used_cuda;
  }
  if (most < 2 && !without_cuda) return {};
  std::vector<Column> columns = {{"stage", Column::Align::left, true}, {"pid"}};
  if (ranked) columns.push_back({"rank"});
  if (hosts.size() > 1) columns.push_back({"host", Column::Align::left, true});
  columns.push_back({"launches", Column::Align::right, true});
  columns.push_back({"end", Column::Align::left});
  columns.push_back({"executable", Column::Align::left, true});
  Table table(columns);
  for (const ProcessReport& process : report.processes) {
    if (table.rows() == kMostProcesses) break;
    std::vector<std::string> row = {printable(process.stage), std::to_string(process.pid)};
    if (ranked) row.push_back(process.rank ? std::to_string(*process.rank) : "-");
    if (hosts.size() > 1) row.push_back(shorten_middle(printable(process.host), kHostWidth));
    row.push_back(process.used_cuda ? format_count(process.kernel_launches) : "-");
    row.push_back(end_of(process));
    row.push_back(shorten_middle(printable(process.executable), style.width >= 100 ? 40 : 28));
    table.add(std::move(row));
  }
  std::string out = Paint(style.color)(Emphasis::heading, "Processes") + "\n" + table_lines(table, style);
  return out + and_more(report.processes.size(), table.rows(), style);
}

}  // namespace gpuprof::render
