// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/outer_session.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "target/launch.hpp"
#include "workflow/progress.hpp"
#include "workflow/session_record.hpp"
#include "workflow/settings.hpp"

namespace gpuprof::workflow {
namespace {

namespace fs = std::filesystem;

// A stage is put into the record when its command has ended.
bool stage_is_open(const std::string& session, const std::string& stage) {
  try {
    const std::string path = session + "/session.json";
    const SessionRecord record = session_record_from_json(read_file(path), path);
    return std::none_of(record.stages.begin(), record.stages.end(),
                        [&](const StageRun& run) { return run.name == stage; });
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::string outer_session(const std::string& collector) {
  const Settings settings = read_settings();
  std::error_code ignored;
  if (settings.cuda_injection.empty() || !fs::equivalent(settings.cuda_injection, collector, ignored)) return {};
  if (settings.trace_directory.empty() || !fs::is_directory(settings.trace_directory, ignored)) return {};
  std::string session = fs::path(settings.trace_directory).parent_path().string();
  return stage_is_open(session, settings.stage) ? session : std::string();
}

int join_outer_session(const std::string& session, const std::vector<std::string>& command, bool quiet) {
  Progress progress(quiet);
  progress.line("inside another gpuprof run: " + printable(command[0]) + " is recorded in its session " +
                printable(session) + ", without the options given here (--force-injection makes a session of its own)");
  const ProcessEnd end = target::become(command);
  progress.error(printable(command[0]) + " " + target::describe_end(end),
                 "Check the name, the path and that it is executable.");
  return target::shell_status(end);
}

}  // namespace gpuprof::workflow
