// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/session_argument.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/text.hpp"
#include "workflow/load_report.hpp"

namespace gpuprof::cli {

void add_session_argument(CLI::App& app, std::string& session) {
  app.add_option("SESSION", session,
                 "Session directory or report.json; without it the newest *.gpuprof in the working directory");
}

Report report_of(const std::string& session) {
  workflow::LoadedReport loaded = workflow::load_report(session);
  const std::string path = printable(loaded.path);
  if (loaded.chosen) std::fprintf(stderr, "gpuprof: newest session here: %s\n", path.c_str());
  if (loaded.rebuilt) {
    std::fprintf(stderr, "gpuprof: %s has no report.json (gpuprof was ended early); read its traces instead\n",
                 path.c_str());
  }
  return std::move(loaded.report);
}

}  // namespace gpuprof::cli
