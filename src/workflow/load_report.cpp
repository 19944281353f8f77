// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/load_report.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "model/report_json.hpp"
#include "workflow/build_report.hpp"
#include "workflow/session.hpp"

namespace gpuprof::workflow {

namespace fs = std::filesystem;

LoadedReport load_report(const std::string& session) {
  LoadedReport loaded;
  loaded.path = session;
  if (session.empty()) {
    loaded.path = newest_session(".");
    loaded.chosen = true;
    if (loaded.path.empty()) {
      throw UsageError("there is no session (*.gpuprof) in this directory",
                       "Record one with `gpuprof run PROGRAM`, or name a session directory or report.json.");
    }
    loaded.path = fs::path(loaded.path).filename().string();
  }
  std::error_code ignored;
  const bool directory = fs::is_directory(loaded.path, ignored);
  const std::string file = directory ? loaded.path + "/report.json" : loaded.path;
  if (fs::exists(file, ignored)) {
    loaded.report = model::report_from_json(read_file(file), file);
    return loaded;
  }
  if (!directory) {
    throw UsageError("there is no session or report " + loaded.path, "Name a session directory or a report.json.");
  }
  loaded.report = rebuild_report({fs::absolute(loaded.path).lexically_normal().string()});
  loaded.rebuilt = true;
  return loaded;
}

}  // namespace gpuprof::workflow
