// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// The whole of gpuprof run with a program that leaves prepared traces where the collector would write its own.
#include "workflow/run.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "model/report_json.hpp"
#include "support/catch2_compat.hpp"
#include "trace/reader.hpp"
#include "unit/workflow/recorded_traces.hpp"
#include "unit/workflow/scratch_directory.hpp"
#include "workflow/load_report.hpp"

using namespace gpuprof;
using namespace gpuprof::workflow;
namespace fs = std::filesystem;

namespace {

// A working directory with traces for both stages, a file in the place of the collector, and an empty standard input.
class Stage {
 public:
  Stage() : saved_input_(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10)) {
    fs::create_directories("prepared/timeline");
    fs::create_directories("prepared/counters");
    testing::write_timeline_trace("prepared/timeline/4242-1.trace");
    testing::write_counter_trace("prepared/counters/4242-1.trace");
    std::ofstream("collector.so") << "";
    setenv("GPUPROF_COLLECTOR", (scratch.path() + "/collector.so").c_str(), 1);
    unsetenv("CUDA_INJECTION64_PATH");
    const int null_device = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(null_device, STDIN_FILENO);
    close(null_device);
  }
  ~Stage() {
    unsetenv("GPUPROF_COLLECTOR");
    if (saved_input_ < 0) return;
    dup2(saved_input_, STDIN_FILENO);
    close(saved_input_);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  const testing::ScratchDirectory scratch;

 private:
  int saved_input_;
};

RunOptions options_for(const std::string& script) {
  RunOptions options;
  options.command = {"sh", "-c", script};
  options.directory = "s.gpuprof";
  options.quiet = true;
  return options;
}

constexpr const char* kLeaveTraces = "echo run >> runs; cp prepared/$GPUPROF_STAGE/*.trace $GPUPROF_TRACE_DIR/";

Report report_of(const std::string& session) {
  return model::report_from_json(read_file(session + "/report.json"), "report.json");
}

const KernelReport& kernel(const Report& report, const std::string& name) {
  for (const KernelReport& candidate : report.kernels) {
    if (candidate.key.mangled_name == name) return candidate;
  }
  throw std::runtime_error("no kernel " + name);
}

const Notice* find_notice(const Report& report, const std::string& code) {
  for (const Notice& notice : report.notices) {
    if (notice.code == code) return &notice;
  }
  return nullptr;
}

bool has_notice(const Report& report, const std::string& code) {
  return find_notice(report, code) != nullptr;
}

}  // namespace

TEST_CASE("timeline, selection and counters end in one report") {
  const Stage stage;
  CHECK(run(options_for(kLeaveTraces)) == 0);
  const Report report = report_of("s.gpuprof");
  CHECK(read_file("runs") == "run\nrun\n");
  CHECK(report.session == "s.gpuprof");
  CHECK(report.command == std::vector<std::string>{"sh", "-c", kLeaveTraces});
  REQUIRE(report.stages.size() == 2);
  CHECK(report.stages[0].name == "timeline");
  CHECK(report.stages[1].name == "counters");
  CHECK(report.stages[1].processes == 1);
  CHECK(report.processes.size() == 2);
  CHECK(report.totals.wall_time_ns == report.stages[0].wall_time_ns);
  CHECK(report.ledger.kernels.launched == 25);
  CHECK(report.ledger.kernels.stored == 25);
  const KernelReport& hot = kernel(report, testing::kHotKernel);
  CHECK(hot.launches == 20);
  CHECK(hot.selected);
  const CounterValue& dram = hot.counters.at("dram__bytes.sum");
  CHECK(dram.state == ValueState::measured);
  CHECK(dram.n == 12);
  CHECK(dram.mean.value() == Approx(15.5));
  CHECK(hot.counters.at("smsp__inst_executed.sum").state == ValueState::not_measured);
  CHECK_FALSE(kernel(report, testing::kColdKernel).selected);
  CHECK(report.counters.attempted);
  CHECK(report.counters.windows == 1);
}

TEST_CASE("the plan asks for the selected kernels and the tier's groups") {
  const Stage stage;
  RunOptions options = options_for(kLeaveTraces);
  options.samples = 17;
  CHECK(run(options) == 0);
  trace::CounterPlan plan;
  REQUIRE(trace::read_plan("s.gpuprof/counters/plan", plan));
  CHECK(plan.samples == 17);
  CHECK(plan.window_launches == 64);
  REQUIRE(plan.kernels.size() == 1);
  CHECK(plan.kernels[0].mangled_name == testing::kHotKernel);
  CHECK(plan.kernels[0].grid.x == 64);
  CHECK(plan.groups.size() == 2);
}

TEST_CASE("The option --stages timeline runs the program once and says so") {
  const Stage stage;
  RunOptions options = options_for(kLeaveTraces);
  options.counters = false;
  CHECK(run(options) == 0);
  CHECK(read_file("runs") == "run\n");
  const Report report = report_of("s.gpuprof");
  CHECK_FALSE(report.counters.attempted);
  CHECK_THAT(report.counters.unavailable_reason, ContainsSubstring("--stages timeline"));
  const CounterValue& value = kernel(report, testing::kHotKernel).counters.at("dram__bytes.sum");
  CHECK(value.state == ValueState::not_measured);
  CHECK_THAT(value.reason, ContainsSubstring("--stages timeline"));
}

TEST_CASE("a second run that ends differently is told, and does not change the status") {
  const Stage stage;
  const std::string script =
      std::string(kLeaveTraces) + "; [ $GPUPROF_STAGE = timeline ] && exit 3; echo why >&2; exit 4";
  CHECK(run(options_for(script)) == 3);
  const Report report = report_of("s.gpuprof");
  const Notice* notice = find_notice(report, "runs.exit_status");
  REQUIRE(notice != nullptr);
  CHECK_THAT(notice->text, ContainsSubstring("exited with status 3 in the timeline run and exited with status 4"));
  CHECK(read_file("s.gpuprof/counters/stderr.txt") == "why\n");
}

TEST_CASE("a program killed in its first run is not run again") {
  const Stage stage;
  CHECK(run(options_for(std::string(kLeaveTraces) + "; kill -SEGV $$")) == 139);
  CHECK(read_file("runs") == "run\n");
  const Report report = report_of("s.gpuprof");
  CHECK(report.stages[0].end.kind == EndKind::signalled);
  const Notice* notice = find_notice(report, "program.killed");
  REQUIRE(notice != nullptr);
  CHECK_THAT(notice->text, ContainsSubstring("records of its last flush period may be missing"));
  CHECK_THAT(report.counters.unavailable_reason, ContainsSubstring("SIGSEGV"));
  CHECK(kernel(report, testing::kHotKernel).launches == 20);
}

TEST_CASE("a pipe on standard input rules out a second run") {
  const Stage stage;
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  dup2(ends[0], STDIN_FILENO);
  CHECK(run(options_for(kLeaveTraces)) == 0);
  close(ends[0]);
  close(ends[1]);
  CHECK(read_file("runs") == "run\n");
  CHECK_THAT(report_of("s.gpuprof").counters.unavailable_reason, ContainsSubstring("standard input is a pipe"));
}

TEST_CASE("both runs read the same file on standard input") {
  const Stage stage;
  std::ofstream("input") << "skipped\nline 1\nline 2\n";
  const int fd = open("input", O_RDONLY | O_CLOEXEC);
  lseek(fd, 8, SEEK_SET);
  dup2(fd, STDIN_FILENO);
  close(fd);
  CHECK(run(options_for(std::string("cat > input.$GPUPROF_STAGE; ") + kLeaveTraces)) == 0);
  CHECK(read_file("input.timeline") == "line 1\nline 2\n");
  CHECK(read_file("input.counters") == "line 1\nline 2\n");
}

TEST_CASE("a counter run without a collector process is told") {
  const Stage stage;
  CHECK(run(options_for("[ $GPUPROF_STAGE = counters ] || cp prepared/timeline/*.trace $GPUPROF_TRACE_DIR/")) == 0);
  const Report report = report_of("s.gpuprof");
  CHECK(has_notice(report, "counters.no_process"));
  CHECK(report.counters.attempted);
  CHECK_FALSE(report.counters.unavailable_reason.empty());
}

TEST_CASE("a program that never loads the collector gets a report that says so") {
  const Stage stage;
  CHECK(run(options_for("exit 0")) == 0);
  const Report report = report_of("s.gpuprof");
  CHECK(has_notice(report, "collector.not_loaded"));
  CHECK_FALSE(report.counters.attempted);
}

TEST_CASE("a session that the program removes does not change its status") {
  const Stage stage;
  CHECK(run(options_for("rm -r s.gpuprof; exit 6")) == 6);
}

TEST_CASE("what stops a run before the program starts") {
  const Stage stage;
  RunOptions options = options_for("touch started");
  options.tier = "no such tier";
  CHECK_THROWS_AS(run(options), UsageError);
  options.tier = "quick";
  setenv("CUDA_INJECTION64_PATH", "/opt/other/tool.so", 1);
  CHECK_THROWS_WITH(run(options), ContainsSubstring("/opt/other/tool.so"));
  CHECK_FALSE(fs::exists("s.gpuprof"));
  CHECK_FALSE(fs::exists("started"));
  options.force_injection = true;
  CHECK(run(options) == 0);
  CHECK(fs::exists("started"));
  unsetenv("CUDA_INJECTION64_PATH");
}

TEST_CASE("a command that cannot be executed leaves no session") {
  const Stage stage;
  RunOptions options = options_for("");
  options.command = {"./missing"};
  CHECK(run(options) == 127);
  CHECK_FALSE(fs::exists("s.gpuprof"));
}

TEST_CASE("a report that was never written is made from the traces") {
  const Stage stage;
  CHECK(run(options_for(kLeaveTraces)) == 0);
  const Report written = report_of("s.gpuprof");
  fs::remove("s.gpuprof/report.json");
  const LoadedReport loaded = load_report("s.gpuprof");
  CHECK(loaded.rebuilt);
  CHECK(model::report_to_json(loaded.report) == model::report_to_json(written));
}

TEST_CASE("what is not a session is refused by name") {
  const Stage stage;
  CHECK_THROWS_AS(load_report(""), UsageError);
  CHECK_THROWS_AS(load_report("missing"), UsageError);
  CHECK_THROWS_WITH(load_report("prepared"), ContainsSubstring("holds neither report.json nor session.json"));
}
