// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// gpuprof merge: one session of several, as of the ranks of a job that each had a gpuprof of their own.

#include <string>
#include <vector>

#include "workflow/session.hpp"

namespace gpuprof::workflow {

struct MergeOptions {
  std::vector<std::string> sessions;  // directories: a session, or one that contains sessions
  std::string directory;              // of the merged session; empty: merged-<n>.gpuprof
  Overwrite overwrite = Overwrite::no;
  bool quiet = false;
};

// Puts hard links to the members' traces (copies, where the file system has no links) into a new session and writes its
// report. The members stay as they are. Throws UsageError for arguments that are no sessions and a directory that is
// taken, Error when a member cannot be read or the session cannot be written; then there is no merged session.
void merge(const MergeOptions& options);

}  // namespace gpuprof::workflow
