// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/merge.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "model/report_json.hpp"
#include "workflow/build_report.hpp"
#include "workflow/merge_plan.hpp"
#include "workflow/progress.hpp"

namespace gpuprof::workflow {
namespace {

namespace fs = std::filesystem;

std::string plural(std::uint64_t count, const std::string& noun) {
  return format_count(count) + " " + noun + (count == 1 ? "" : "s");
}

// The kernel copies without bringing the file into our memory. A trace that is still written to is copied, so that the
// merged session stays what its report says.
void put(const PlannedFile& file, const std::string& to) {
  if (file.final && link(file.from.c_str(), to.c_str()) == 0) return;
  std::error_code error;
  fs::copy_file(file.from, to, error);
  if (!error) return;
  throw Error("cannot copy " + printable(file.from) + " to " + printable(to) + ": " + error.message(),
              "Free some space, or merge to another place with -o DIR.");
}

std::uint64_t put_files(const MergePlan& plan, const SessionPaths& session, Progress& progress) {
  std::uint64_t bytes = 0;
  std::size_t done = 0;
  for (const PlannedFile& file : plan.files) {
    const std::string to = session.directory + "/" + file.to;
    put(file, to);
    std::error_code error;
    if (const std::uintmax_t size = fs::file_size(to, error); !error) bytes += size;
    progress.update(fmt::format("merge: {} of {}, {}", ++done, plural(plan.files.size(), "file"),
                                format_bytes(static_cast<double>(bytes))));
  }
  return bytes;
}

}  // namespace

void merge(const MergeOptions& options) {
  Progress progress(options.quiet);
  std::vector<std::string> skipped;
  const std::vector<std::string> members = find_members(options.sessions, options.directory, skipped);
  MergePlan plan = plan_merge(members, [&](std::size_t done) {
    progress.update(fmt::format("merge: {} of {} looked at", done, plural(members.size(), "session")));
  });
  plan.record.skipped.insert(plan.record.skipped.end(), skipped.begin(), skipped.end());

  const SessionPaths session = create_session(options.directory, {"merged"}, options.overwrite);
  try {
    const std::uint64_t bytes = put_files(plan, session, progress);
    write_file_atomically(session.record(), to_json(plan.record));
    progress.line(fmt::format("merge: {}, {} of {} on {}, {} of records", plural(members.size(), "session"),
                              plural(plan.traces, "trace"), plural(plan.record.members.size(), "member"),
                              plural(plan.hosts, "host"), format_bytes(static_cast<double>(bytes))));
    progress.update("merge: reading the traces for the report");
    const Report report = rebuild_report(session);
    write_file_atomically(session.report(), model::report_to_json(report));
    for (const Notice& notice : report.notices) {
      const bool about_members = notice.code.starts_with("members.") || notice.code.starts_with("job.");
      if (!about_members && notice.code != "hosts.clocks") continue;
      progress.line(std::string(to_string(notice.severity)) + ": " + notice.text);
    }
  } catch (...) {
    discard_session(session);
    throw;
  }
  std::error_code ignored;
  const std::string name =
      printable(fs::path(session.directory).lexically_proximate(fs::current_path(ignored)).string());
  progress.line("session: " + name);
  progress.block("  gpuprof report " + name + "\n");
}

}  // namespace gpuprof::workflow
