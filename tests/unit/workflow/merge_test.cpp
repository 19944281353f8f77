// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// The parts of gpuprof merge; tests/cli/test_merge.py has the whole.
#include <algorithm>

#include "support/catch2_compat.hpp"
#include "workflow/member_notices.hpp"
#include "workflow/merge_plan.hpp"
#include "workflow/process_ends.hpp"

using namespace gpuprof;
using namespace gpuprof::workflow;

namespace {

SessionMember member(const std::string& name, const std::string& recorded_at, std::uint64_t wall_s) {
  SessionMember result;
  result.name = name;
  result.host = "node-" + name;
  result.command = {"app"};
  result.recorded_at = recorded_at;
  result.generator_version = "1";
  result.end = {EndKind::exited, 0};
  result.wall_time_ns = wall_s * 1'000'000'000;
  return result;
}

std::vector<std::string> codes(const SessionRecord& record) {
  std::vector<std::string> result;
  for (const Notice& notice : member_notices(record)) result.push_back(notice.code);
  return result;
}

}  // namespace

TEST_CASE("numbers in names are compared as numbers") {
  std::vector<std::string> names = {"rank-10", "rank-2", "rank-02", "rank-1", "rank", "b", "rank-2-10", "rank-2-9", ""};
  std::sort(names.begin(), names.end(), natural_less);
  CHECK(names ==
        std::vector<std::string>{"", "b", "rank", "rank-1", "rank-02", "rank-2", "rank-2-9", "rank-2-10", "rank-10"});
  CHECK_FALSE(natural_less("00", "00"));
  CHECK(natural_less("99999999999999999999998", "99999999999999999999999"));
}

TEST_CASE("members of one run give no notice") {
  SessionRecord record;
  CHECK(codes(record).empty());
  record.members = {member("a", "2026-01-31T12:00:00Z", 100), member("b", "2026-01-31T12:00:30Z", 100)};
  CHECK(codes(record).empty());
  // A short rank that another started after, but within what a launcher needs.
  record.members[0].wall_time_ns = 1;
  CHECK(codes(record).empty());
}

TEST_CASE("members that are far apart are told with the gap") {
  SessionRecord record;
  record.members = {member("late", "2026-01-31T13:00:00Z", 100), member("early", "2026-01-31T12:00:00Z", 600)};
  REQUIRE(codes(record) == std::vector<std::string>{"members.apart"});
  CHECK_THAT(member_notices(record)[0].text, ContainsSubstring("early had ended") && ContainsSubstring("before late"));
  record.members[0].recorded_at = "yesterday";
  CHECK(codes(record).empty());
}

TEST_CASE("long lists of members are cut") {
  SessionRecord record;
  for (int i = 0; i < 200; ++i) {
    record.members.push_back(member(std::to_string(i), "2026-01-31T12:00:00Z", 100));
    record.members.back().end = {EndKind::signalled, 9};
  }
  REQUIRE(codes(record) == std::vector<std::string>{"members.failed"});
  CHECK_THAT(member_notices(record)[0].text, ContainsSubstring("200 of 200 members") && ContainsSubstring("192 more"));
}

TEST_CASE("times of a session") {
  CHECK(seconds_of("1970-01-02T00:00:01Z") == 86401);
  CHECK_FALSE(seconds_of("").has_value());
  CHECK_FALSE(seconds_of("2026-01-31T12:00:00Z and more").has_value());
}

TEST_CASE("what was final stays, what was running is looked at again") {
  std::vector<TraceEnd> known = {{"timeline/1", {EndKind::running, 0}}, {"timeline/2", {EndKind::exited, 3}}};
  add_observations({{"timeline/1", {EndKind::vanished, 0}},
                    {"timeline/2", {EndKind::vanished, 0}},
                    {"timeline/3", {EndKind::replaced, 0}}},
                   known);
  REQUIRE(known.size() == 3);
  CHECK(known[0].end.kind == EndKind::vanished);
  CHECK(known[1].end.kind == EndKind::exited);
  CHECK(known[2].end.kind == EndKind::replaced);
}

TEST_CASE("the notice about running processes names a few") {
  CHECK_THAT(running_notice({7}).text, ContainsSubstring("process 7 of the program still ran"));
  CHECK_THAT(running_notice({1, 2, 3, 4, 5, 6, 7}).text, ContainsSubstring("1, 2, 3, 4, 5 and 2 more"));
}
