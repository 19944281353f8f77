// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The session directory: its name, its creation, and finding the newest one.

#include <string>
#include <vector>

#include "workflow/output_pattern.hpp"

namespace gpuprof::workflow {

enum class Overwrite { no, yes };

// A session's files.
struct SessionPaths {
  std::string directory;     // absolute
  std::string name() const;  // the directory's last component
  std::string record() const { return directory + "/session.json"; }
  std::string report() const { return directory + "/report.json"; }
  std::string timeline() const { return directory + "/timeline"; }
  std::string telemetry() const { return directory + "/telemetry.trace"; }
  std::string counters() const { return directory + "/counters"; }
  std::string counter_plan() const { return counters() + "/plan"; }
  std::string counter_stderr() const { return counters() + "/stderr.txt"; }
};

// What a session of this command is called without its number: the program's base name, or for a Python interpreter
// that of the script or module; only letters, digits, '.', '_' and '-'.
std::string session_stem(const std::vector<std::string>& command);

// Creates the directory with its sub-directories and makes sure that files can be written there. `requested` empty: the
// first free <stem>-<n>.gpuprof in the working directory. An existing `requested` is an error unless it is to be
// overwritten and is empty or a session; then only the files of a session in it are removed.
// Throws UsageError when the place is taken, Error when it is not writable.
SessionPaths create_session(const std::string& requested, const std::vector<std::string>& command, Overwrite overwrite);

// The same for a name with patterns filled in. One with a number gets the first that is free, overwriting nothing.
SessionPaths create_session(const OutputName& requested, const std::vector<std::string>& command, Overwrite overwrite);

// Removes a session in which nothing was recorded.
void discard_session(const SessionPaths& session);

// True when the directory holds a session.json or report.json of ours.
bool is_session(const std::string& directory);

// The *.gpuprof directory in `directory` that was written last; empty when there is none.
std::string newest_session(const std::string& directory);

}  // namespace gpuprof::workflow
