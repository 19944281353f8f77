// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/counter_stage.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "target/launch.hpp"
#include "target/signals.hpp"
#include "workflow/environment_info.hpp"
#include "workflow/stage.hpp"

namespace gpuprof::workflow {
namespace {

constexpr std::size_t kShownLines = 20;

// The program's standard streams in the second run.
class Streams {
 public:
  Streams(const target::StandardInput& input, const std::string& stderr_path)
      : in(input.reopen()),
        out(open("/dev/null", O_WRONLY | O_CLOEXEC)),
        error(open(stderr_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666)) {
    if (out >= 0 && error >= 0) return;
    const std::string reason = std::strerror(errno);
    close_all();
    throw Error("cannot prepare the second run's output (" + stderr_path + "): " + reason,
                "Free space there, or use another -o DIR.");
  }
  ~Streams() { close_all(); }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  const int in;
  const int out;
  const int error;

 private:
  void close_all() const {
    for (int fd : {in, out, error}) {
      if (fd >= 0) close(fd);
    }
  }
};

// The last lines, each made safe for a terminal.
std::string last_lines(const std::string& text) {
  std::size_t from = text.size();
  if (from > 0 && text.back() == '\n') --from;
  for (std::size_t lines = 0; lines < kShownLines && from > 0 && from != std::string::npos; ++lines) {
    from = text.rfind('\n', from - 1);
  }
  std::string shown;
  std::size_t at = from == std::string::npos || from == 0 ? 0 : from + 1;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    shown += "  | " + printable(std::string_view(text).substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return shown;
}

void show_failure(const StageRun& run, const std::string& stderr_path, Progress& progress) {
  progress.line("the second run " + target::describe_end(run.end) + ", unlike the first; its last messages:");
  const std::string text = read_file(stderr_path);
  progress.block(text.empty() ? "  (none)\n" : last_lines(text));
}

}  // namespace

std::string reason_to_skip_counters(const Report& report, const target::StandardInput& input, int stop_signal) {
  if (report.ledger.kernels.launched == 0 && report.totals.kernel_launches == 0) {
    return "no kernel was launched in the timeline run";
  }
  if (report.selection.selected == 0) return "no kernel was selected";
  if (stop_signal != 0) return "the timeline run was interrupted by " + target::signal_name(stop_signal);
  if (!report.stages.empty() && report.stages.front().end.kind == EndKind::signalled) {
    return "the program " + target::describe_end(report.stages.front().end) + " in the timeline run";
  }
  if (!input.repeatable()) {
    return "standard input is a pipe, which a second run cannot read again (give a file, or < /dev/null if the program "
           "reads nothing)";
  }
  if (const std::string mps = active_mps(); !mps.empty()) {
    return "the Multi-Process Service is in use (" + mps + "), and its clients share one set of counters";
  }
  return {};
}

void run_counter_stage(const CounterStage& stage, const CounterRequest& request, const Report& report,
                       SessionRecord& record, Progress& progress) {
  write_counter_plan(stage.session.counter_plan(), request, report.kernels);
  StageOptions options;
  options.name = "counters";
  options.command = record.command;
  options.collector = stage.collector;
  options.trace_directory = stage.session.counters();
  options.plan = stage.session.counter_plan();
  options.signal_mask = stage.signal_mask;
  const std::string stderr_path = stage.session.counter_stderr();
  {
    const Streams streams(stage.input, stderr_path);
    options.stdin_fd = streams.in;
    options.stdout_fd = streams.out;
    options.stderr_fd = streams.error;
    record.stages.push_back(run_stage(options, progress).run);
  }
  const StageRun& run = record.stages.back();
  if (target::shell_status(run.end) == target::shell_status(record.stages.front().end)) {
    unlink(stderr_path.c_str());
  } else {
    show_failure(run, stderr_path, progress);
  }
}

}  // namespace gpuprof::workflow
