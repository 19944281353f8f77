// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a merge will do, decided before anything is written.

#include <functional>
#include <string>
#include <vector>

#include "workflow/session_record.hpp"

namespace gpuprof::workflow {

struct PlannedFile {
  std::string from;
  std::string to;      // relative to the merged session
  bool final = false;  // nothing will be appended to it any more, so that a hard link is as good as a copy
};

struct MergePlan {
  SessionRecord record;  // of the merged session
  std::vector<PlannedFile> files;
  std::uint64_t hosts = 0;
  std::uint64_t traces = 0;  // of both stages
};

// The sessions that the arguments mean, in their order: each argument is a session or a directory that contains some,
// which are then taken in the order of their names, numbers in them counted as such. A session that is named twice is
// taken once. `output` is left out of a directory's sessions. Directories that look like sessions but are none go to
// `skipped`. Throws UsageError for an argument that is neither, and for the output named as a member.
std::vector<std::string> find_members(const std::vector<std::string>& arguments, const std::string& output,
                                      std::vector<std::string>& skipped);

// Reads every member's record and the beginning of each of its traces; `on_member` is told how many members are done.
// Throws Error for a record that is damaged or newer.
MergePlan plan_merge(const std::vector<std::string>& members, const std::function<void(std::size_t)>& on_member);

// Whether `a` comes before `b` when digits in them count as numbers: "rank-2" before "rank-10".
bool natural_less(const std::string& a, const std::string& b);

}  // namespace gpuprof::workflow
