// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Exports the timeline of a session for another viewer.

#include <cstdint>
#include <string>
#include <vector>

namespace gpuprof::workflow {

struct ExportedTrace {
  std::string session;  // the directory it came from
  bool chosen = false;  // the newest session, because none was named
  std::string path;     // the file that was written; "-": standard output
  std::uint64_t processes = 0;
  std::uint64_t events = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> warnings;
};

// `session`: a session directory, or empty for the newest *.gpuprof in the working directory. `output`: a file, "-" for
// standard output, or empty for <session's name>.perfetto-trace in the working directory. Until it is complete the file
// has another name. Throws UsageError when there is no such session, when it holds no timeline, or when standard output
// is a terminal; Error when it cannot be read or written.
ExportedTrace export_perfetto(const std::string& session, const std::string& output);

}  // namespace gpuprof::workflow
