// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finds the report that a command of the user means.

#include <string>

#include "gpuprof/report.hpp"

namespace gpuprof::workflow {

struct LoadedReport {
  Report report;
  std::string path;      // the file or directory it came from
  bool chosen = false;   // the newest session, because none was named
  bool rebuilt = false;  // from the traces: the session has no report.json
};

// `session`: a session directory, a report.json, or empty for the newest *.gpuprof in the working directory. Throws
// UsageError when there is no such session, Error when it cannot be read.
LoadedReport load_report(const std::string& session);

}  // namespace gpuprof::workflow
