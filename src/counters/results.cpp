// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "counters/results.hpp"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/units.hpp"
#include "counters/trace_sums.hpp"
#include "trace/reader.hpp"

namespace gpuprof::counters {
namespace {

std::string quoted_name(const std::string& path) {
  return "'" + path.substr(path.rfind('/') + 1) + "'";
}

void note_damage(const std::string& path, const trace::ReadResult& read, bool has_process,
                 std::vector<Notice>& notices) {
  if (read.state == trace::FileState::torn) {
    notices.push_back({Severity::warning, "trace.torn",
                       quoted_name(path) + " is cut off or damaged after " + format_count(read.good_bytes) + " of " +
                           format_count(read.bytes) + " bytes",
                       "The counters before that are in this report; the usual causes are a killed program and a full "
                       "disk."});
  }
  if (!has_process) {
    notices.push_back({Severity::warning, "trace.empty", quoted_name(path) + " holds no record of its process",
                       "The process was killed while the collector was loading, or the disk was full."});
  }
}

void read_trace(const std::string& path, TraceSums& sums, Results& results) {
  trace::Dictionaries dictionaries;
  TraceSummer summer(dictionaries, sums);
  try {
    const trace::ReadResult read = trace::read_file(path, dictionaries, summer);
    std::optional<ProcessReport> process = summer.process(read);
    note_damage(path, read, process.has_value(), results.notices);
    if (process) results.processes.push_back(std::move(*process));
  } catch (const Error& error) {
    results.notices.push_back({Severity::warning, "trace.unreadable", error.what(), error.hint()});
  }
  for (Notice& notice : summer.notices()) results.notices.push_back(std::move(notice));
  if (results.obstacle.empty()) results.obstacle = summer.obstacle();
}

std::string without_values(const TraceSums& sums, const Results& results) {
  if (sums.launches_measured > 0) return {};
  if (!results.obstacle.empty()) return results.obstacle;
  if (results.processes.empty()) return "no process of the counter run loaded the collector";
  if (sums.windows == 0) return "no counter window was opened in the counter run";
  if (sums.windows == sums.windows_discarded) {
    return "all " + std::to_string(sums.windows) + " counter windows had to be discarded";
  }
  return "the hardware delivered no value for any launch";
}

void summarize(const TraceSums& sums, Results& results) {
  CountersReport& summary = results.summary;
  for (const std::string& chip : sums.chips) summary.chip += (summary.chip.empty() ? "" : ", ") + chip;
  summary.groups = sums.groups;
  summary.windows = sums.windows;
  summary.windows_discarded = sums.windows_discarded;
  summary.launches_measured = sums.launches_measured;
  summary.window_time_ns = sums.window_time_ns;
  summary.unavailable_reason = without_values(sums, results);
  if (sums.windows_damaged > 0) {
    results.notices.push_back(
        {Severity::warning, "counters.damaged_window",
         std::to_string(sums.windows_damaged) + " counter windows do not fit the groups they name and were left out",
         "Record the session again; the other windows are not affected."});
  }
  if (sums.chips.size() > 1) {
    results.notices.push_back({Severity::warning, "counters.several_chips",
                               "counters of equal kernels were combined over different chips: " + summary.chip,
                               "Restrict the program to one kind of GPU with CUDA_VISIBLE_DEVICES."});
  }
}

}  // namespace

Results read_results(const std::string& directory) {
  Results results;
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error)) return results;
  results.summary.attempted = true;

  TraceSums sums;
  for (const std::string& path : list_files(directory, ".trace")) read_trace(path, sums, results);
  summarize(sums, results);
  for (const auto& [key, kernel] : sums.kernels) {
    results.kernels.push_back({key, kernel.launches, kernel.discarded_launches, kernel.values.combined()});
  }
  for (const auto& [id, graph] : sums.graphs) {
    GraphReport report;
    report.graph_id = id.second;
    report.launches = graph.launches;
    report.counters = graph.values.combined();
    if (graph.launches > 0) results.graphs.push_back(std::move(report));
  }
  return results;
}

}  // namespace gpuprof::counters
