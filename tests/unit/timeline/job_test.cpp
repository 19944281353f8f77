// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/job.hpp"

#include <algorithm>

#include "notices.hpp"
#include "scene.hpp"
#include "support/catch2_compat.hpp"

namespace gpuprof::timeline {
namespace {

using test::has_notice;
using test::notice_with;
using test::Scene;
using test::TraceFolder;

JobProcess member(std::uint32_t rank, std::uint32_t world_size, std::uint64_t communication_ns) {
  JobProcess process;
  process.labels = {rank, world_size};
  process.host = "node1";
  process.pid = 100 + rank;
  process.used_cuda = true;
  process.kernel_time_ns = 1'000;
  process.communication_time_ns = communication_ns;
  return process;
}

TEST_CASE("the rank comes from the launcher that is nearest to the program") {
  CHECK_FALSE(trace::read_rank({}).rank);
  CHECK_FALSE(trace::read_rank({"LOCAL_RANK=1", "WORLD_SIZE=4"}).rank);
  const trace::RankLabels torch = trace::read_rank({"SLURM_PROCID=0", "SLURM_NTASKS=2", "RANK=5", "WORLD_SIZE=16"});
  CHECK(torch.rank == 5U);
  CHECK(torch.world_size == 16);
  const trace::RankLabels mpi = trace::read_rank({"PMI_RANK=9", "OMPI_COMM_WORLD_RANK=1", "OMPI_COMM_WORLD_SIZE=2"});
  CHECK(mpi.rank == 1U);
  CHECK(mpi.world_size == 2);
  // The size of another launcher does not belong to this rank.
  CHECK(trace::read_rank({"RANK=1", "SLURM_NTASKS=2"}).world_size == 0);
  CHECK(trace::read_rank({"PMI_RANK=3", "PMI_SIZE=4"}).rank == 3U);
  CHECK_FALSE(trace::read_rank({"RANK=", "RANK=x", "RANK=-1", "RANK=99999999999999999999", "RANK=1x", "RANKS=2"}).rank);
}

TEST_CASE("the rank that waits least is the one the others wait for") {
  std::vector<Notice> notices;
  const JobReport job = job_report({member(1, 2, 300), member(0, 2, 900)}, notices);
  CHECK(job.world_size == 2);
  REQUIRE(job.ranks.size() == 2);
  CHECK(job.ranks[0].rank == 0);
  CHECK(job.ranks[0].pid == 100);
  CHECK(job.ranks[1].communication_time_ns == 300);
  CHECK(job.slowest_rank == 1U);
  CHECK(job.skew_ns == 600);
  CHECK(job.missing.empty());
  CHECK(job.hosts == std::vector<std::string>{"node1"});
  CHECK(notices.empty());

  // Nobody communicates.
  CHECK_FALSE(job_report({member(0, 2, 0), member(1, 2, 0)}, notices).slowest_rank);
}

TEST_CASE("a job of one and programs without ranks are no jobs") {
  std::vector<Notice> notices;
  CHECK(job_report({}, notices).ranks.empty());
  CHECK(job_report({member(0, 1, 5)}, notices).ranks.empty());
  CHECK(job_report({member(0, 0, 5)}, notices).ranks.empty());
  JobProcess alone;
  alone.used_cuda = true;
  alone.host = "node1";
  CHECK(job_report({alone, alone}, notices).world_size == 0);
  CHECK(notices.empty());
}

TEST_CASE("ranks without a trace are missing, those without CUDA are said") {
  std::vector<Notice> notices;
  JobProcess idle = member(1, 4, 0);
  idle.used_cuda = false;
  const JobReport job = job_report({member(0, 4, 10), idle, member(2, 4, 20)}, notices);
  CHECK(job.ranks.size() == 2);
  CHECK(job.missing == std::vector<std::uint32_t>{3});
  CHECK_THAT(notice_with(notices, "job.missing_ranks").text, ContainsSubstring("rank 3 of 4 left no trace"));
  CHECK_THAT(notice_with(notices, "job.ranks_without_cuda").text, ContainsSubstring("rank 1 of 4"));

  // An unknown size says nothing about who is missing.
  notices.clear();
  CHECK(job_report({member(0, 0, 10), member(5, 0, 20)}, notices).missing.empty());
  CHECK(notices.empty());

  notices.clear();
  CHECK(job_report({member(0, 64, 10)}, notices).missing.size() == 63);
  CHECK_THAT(notice_with(notices, "job.missing_ranks").text, ContainsSubstring("ranks 1, 2, 3, 4 and 59 more of 64"));
}

TEST_CASE("of several processes of a rank the one that worked stands for it") {
  std::vector<Notice> notices;
  JobProcess helper = member(0, 2, 0);
  helper.pid = 7;
  helper.kernel_time_ns = 1;
  JobProcess loader = member(0, 2, 0);
  loader.pid = 8;
  loader.used_cuda = false;
  const JobReport job = job_report({helper, member(0, 2, 4), loader, member(1, 2, 4)}, notices);
  REQUIRE(job.ranks.size() == 2);
  CHECK(job.ranks[0].pid == 100);
}

TEST_CASE("times of different hosts are not comparable, which is said") {
  std::vector<Notice> notices;
  JobProcess far = member(1, 2, 4);
  far.host = "node2";
  const JobReport job = job_report({member(0, 2, 4), far}, notices);
  CHECK(job.hosts == std::vector<std::string>{"node1", "node2"});
  CHECK_THAT(notice_with(notices, "job.host_clocks").text, ContainsSubstring("not aligned"));
}

trace::ProcessInfo rank_info(std::uint32_t rank, const std::string& host) {
  trace::ProcessInfo info;
  info.pid = 500 + rank;
  info.parent_pid = 499;
  info.hostname = host;
  info.stage = "timeline";
  info.executable = "/usr/bin/python3";
  info.labels = {"LOCAL_RANK=" + std::to_string(rank), "RANK=" + std::to_string(rank), "WORLD_SIZE=3"};
  return info;
}

TEST_CASE("a distributed run from its traces") {
  const TraceFolder folder;
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    Scene scene{folder.file(std::to_string(500 + rank) + "-1.trace"), rank_info(rank, "node1")};
    test::LaunchOptions side;
    side.stream = 20;
    for (std::uint64_t step = 0; step < 6; ++step) {
      scene.launch("gemm", 1'000 * step, 1'000 * step + 100, 200);
      scene.launch("gelu", 1'000 * step + 20, 1'000 * step + 300, 100);
      // Rank 1 comes later and waits less.
      scene.launch("ncclDevKernel_AllReduce", 1'000 * step + 50, 1'000 * step + 300 + 200 * rank, 500 - 200 * rank,
                   Scene::kThread, side);
    }
    scene.exit(10'000);
  }
  trace::ProcessInfo launcher = rank_info(0, "node1");
  launcher.pid = 499;
  launcher.labels.clear();
  {
    test::TraceBuilder builder{folder.file("499-1.trace")};
    launcher.time_ns = test::TraceBuilder::kStartNs;
    builder.writer().write(launcher);
    builder.launches(0).exit();
  }

  const Summary summary = summarize(folder.path());
  REQUIRE(summary.processes.size() == 3);
  CHECK_FALSE(summary.processes[0].used_cuda);
  CHECK_FALSE(summary.processes[0].rank);
  CHECK(summary.processes[1].used_cuda);
  CHECK(summary.processes[1].rank == 0U);
  CHECK(summary.processes[1].host == "node1");
  CHECK(summary.processes[1].parent_pid == 499);
  CHECK(summary.processes[1].labels.size() == 3);

  CHECK(summary.job.world_size == 3);
  REQUIRE(summary.job.ranks.size() == 2);
  CHECK(summary.job.ranks[0].communication_time_ns == 3'000);
  CHECK(summary.job.ranks[0].communication_overlapped_ns == 600);
  CHECK(summary.job.ranks[0].kernel_time_ns == 4'800);
  CHECK(summary.job.ranks[0].median_step_ns == 1'000.0);
  CHECK(summary.job.ranks[1].communication_time_ns == 1'800);
  CHECK(summary.job.ranks[1].communication_overlapped_ns == 0);
  CHECK(summary.job.slowest_rank == 1U);
  CHECK(summary.job.skew_ns == 1'200);
  CHECK(summary.job.missing == std::vector<std::uint32_t>{2});
  CHECK(has_notice(summary.notices, "job.missing_ranks"));
  REQUIRE(summary.devices.size() == 2);
  CHECK(summary.devices[1].pid == 501);
  CHECK(summary.devices[1].rank == 1U);
  REQUIRE(summary.steps.size() == 2);
  CHECK(summary.steps[1].rank == 1U);
}

}  // namespace
}  // namespace gpuprof::timeline
