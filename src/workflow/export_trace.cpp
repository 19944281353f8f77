// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/export_trace.hpp"

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "export/perfetto.hpp"
#include "model/report_json.hpp"
#include "workflow/session.hpp"

namespace gpuprof::workflow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSessionSuffix = ".gpuprof";

// The session's directory, which holds a timeline.
SessionPaths find_session(const std::string& session, ExportedTrace& exported) {
  std::string directory = session;
  if (session.empty()) {
    directory = newest_session(".");
    if (directory.empty()) {
      throw UsageError("there is no session (*.gpuprof) in this directory",
                       "Record one with `gpuprof run PROGRAM`, or name a session directory.");
    }
    directory = fs::path(directory).filename().string();
    exported.chosen = true;
  }
  exported.session = directory;
  std::error_code ignored;
  if (!fs::exists(directory, ignored)) {
    throw UsageError("there is no session " + printable(directory), "Name a session directory.");
  }
  if (!fs::is_directory(directory, ignored)) {
    throw UsageError(printable(directory) + " is a file; a timeline is in a session directory only",
                     "Name the directory that `gpuprof run` made.");
  }
  return {fs::absolute(directory).lexically_normal().string()};
}

std::string default_output(const SessionPaths& session) {
  std::string name = session.name();
  if (name.ends_with(kSessionSuffix)) name.resize(name.size() - std::string_view(kSessionSuffix).size());
  return (name.empty() ? "session" : name) + ".perfetto-trace";
}

// Counters are an addition: without a report that can be read the timeline is shown nevertheless.
std::optional<Report> find_report(const SessionPaths& session, std::vector<std::string>& warnings) {
  std::error_code ignored;
  if (!fs::exists(session.report(), ignored)) {
    warnings.emplace_back("the session has no report.json, so kernels are shown without counters");
    return std::nullopt;
  }
  try {
    return model::report_from_json(read_file(session.report()), session.report());
  } catch (const Error& error) {
    warnings.push_back(std::string(error.what()) + "; kernels are shown without counters");
    return std::nullopt;
  }
}

// A session of several hosts has one file a host, telemetry-<host>.trace.
std::vector<std::string> telemetry_files(const SessionPaths& session) {
  std::vector<std::string> files = list_files(session.directory, ".trace");
  std::erase_if(files,
                [](const std::string& path) { return !fs::path(path).filename().native().starts_with("telemetry"); });
  return files;
}

}  // namespace

ExportedTrace export_perfetto(const std::string& session, const std::string& output) {
  ExportedTrace exported;
  const SessionPaths paths = find_session(session, exported);
  if (output == "-" && ::isatty(STDOUT_FILENO) == 1) {
    throw UsageError("a Perfetto trace is binary and is not written to a terminal",
                     "Name a file with -o, or lead the output into one.");
  }
  perfetto::Input input;
  input.timeline = list_files(paths.timeline(), ".trace");
  if (input.timeline.empty()) {
    throw UsageError(printable(exported.session) + " holds no timeline traces",
                     "Name a session directory of `gpuprof run`, with its timeline folder.");
  }
  input.telemetry = telemetry_files(paths);
  std::vector<std::string> warnings;
  const std::optional<Report> report = find_report(paths, warnings);
  if (report) input.report = &*report;

  exported.path = output.empty() ? default_output(paths) : output;
  const std::unique_ptr<OutputFile> file = exported.path == "-"
                                               ? std::make_unique<OutputFile>(STDOUT_FILENO, "standard output")
                                               : std::make_unique<OutputFile>(exported.path);
  perfetto::Result result = perfetto::write_trace(input, [&](std::string_view bytes) { file->write(bytes); });
  file->commit();
  exported.processes = result.processes;
  exported.events = result.events;
  exported.bytes = result.bytes;
  exported.warnings = std::move(warnings);
  exported.warnings.insert(exported.warnings.end(), result.warnings.begin(), result.warnings.end());
  return exported;
}

}  // namespace gpuprof::workflow
