// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/job.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/units.hpp"

namespace gpuprof::timeline {
namespace {

// "rank 3", "ranks 1 and 3", "ranks 1, 2, 3, 4 and 12 more".
std::string list_ranks(const std::vector<std::uint32_t>& ranks) {
  constexpr std::size_t kNamed = 4;
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  const std::size_t named = ranks.size() <= kNamed + 1 ? ranks.size() : kNamed;
  for (std::size_t i = 0; i < named; ++i) {
    if (i > 0) text += i + 1 == ranks.size() ? " and " : ", ";
    text += std::to_string(ranks[i]);
  }
  if (named < ranks.size()) text += " and " + format_count(ranks.size() - named) + " more";
  return text;
}

void say_missing(const JobReport& job, std::vector<Notice>& notices) {
  notices.push_back(
      {Severity::warning, "job.missing_ranks",
       list_ranks(job.missing) + " of " + std::to_string(job.world_size) + " left no trace: no process of " +
           (job.missing.size() == 1 ? "it" : "them") + " loaded the collector",
       "Start every rank through gpuprof; ranks of other hosts write to the same session when its directory is shared "
       "between the hosts."});
}

void say_without_cuda(const std::vector<std::uint32_t>& ranks, const JobReport& job, std::vector<Notice>& notices) {
  notices.push_back(
      {Severity::warning, "job.ranks_without_cuda",
       list_ranks(ranks) + " of " + std::to_string(job.world_size) + " left a trace, but did not use CUDA",
       "Check whether they reached their GPU work before they ended."});
}

void say_hosts(const JobReport& job, std::vector<Notice>& notices) {
  notices.push_back({Severity::info, "job.host_clocks",
                     "times of different hosts are not aligned: the offsets between the clocks of " +
                         format_count(job.hosts.size()) + " hosts are unknown",
                     "Compare durations between ranks of different hosts, not points in time."});
}

}  // namespace

JobReport job_report(const std::vector<JobProcess>& processes, std::vector<Notice>& notices) {
  JobReport job;
  std::map<std::uint32_t, const JobProcess*> ranks;
  std::set<std::uint32_t> traced;
  std::set<std::string> hosts;
  std::uint32_t world_size = 0;
  for (const JobProcess& process : processes) {
    if (!process.labels.rank) continue;
    traced.insert(*process.labels.rank);
    world_size = std::max(world_size, process.labels.world_size);
    if (!process.host.empty()) hosts.insert(process.host);
    if (!process.used_cuda) continue;
    const JobProcess*& of_rank = ranks[*process.labels.rank];
    if (of_rank == nullptr || process.kernel_time_ns > of_rank->kernel_time_ns) of_rank = &process;
  }
  if (ranks.empty() || (world_size <= 1 && ranks.size() == 1)) return job;

  job.world_size = world_size;
  job.hosts.assign(hosts.begin(), hosts.end());
  for (const auto& [rank, process] : ranks) {
    job.ranks.push_back({rank, process->host, process->pid, process->kernel_time_ns, process->communication_time_ns,
                         process->communication_overlapped_ns, process->median_step_ns});
  }
  std::vector<std::uint32_t> without_cuda;
  for (std::uint32_t rank = 0; rank < world_size; ++rank) {
    if (traced.count(rank) == 0) job.missing.push_back(rank);
    if (traced.count(rank) != 0 && ranks.count(rank) == 0) without_cuda.push_back(rank);
  }
  const auto [least, most] =
      std::minmax_element(job.ranks.begin(), job.ranks.end(), [](const RankReport& left, const RankReport& right) {
        return left.communication_time_ns < right.communication_time_ns;
      });
  // Without communication, or with one rank only, nobody waits for anybody.
  if (job.ranks.size() > 1 && most->communication_time_ns > 0) {
    job.slowest_rank = least->rank;
    job.skew_ns = most->communication_time_ns - least->communication_time_ns;
  }
  if (!job.missing.empty()) say_missing(job, notices);
  if (!without_cuda.empty()) say_without_cuda(without_cuda, job, notices);
  if (job.hosts.size() > 1) say_hosts(job, notices);
  return job;
}

}  // namespace gpuprof::timeline
