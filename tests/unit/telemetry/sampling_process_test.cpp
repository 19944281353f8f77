// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "telemetry/sampling_process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <thread>

#include "recorded_samples.hpp"
#include "support/catch2_compat.hpp"

using namespace gpuprof;
using namespace gpuprof::telemetry;
using namespace std::chrono_literals;
using gpuprof::test::FakeScript;
using gpuprof::test::Recorded;
using gpuprof::test::TraceFolder;

namespace {

std::chrono::milliseconds time_of(const std::function<void()>& action) {
  const auto before = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - before);
}

// The file's content once it holds `samples` samples; what there is after ten seconds.
Recorded wait_for_samples(const std::string& path, std::size_t samples) {
  for (int i = 0; i < 1000; ++i) {
    if (std::filesystem::exists(path)) {
      Recorded file(path);
      if (file.samples.size() >= samples) return file;
    }
    std::this_thread::sleep_for(10ms);
  }
  return Recorded(path);
}

}  // namespace

TEST_CASE("the process samples at its rate until it is stopped") {
  const FakeScript script("");
  const TraceFolder folder;
  const std::string path = folder.file("telemetry.trace");
  SamplingProcess process({path, FAKE_NVML, 20});
  std::this_thread::sleep_for(1s);
  CHECK(process.stop().empty());
  CHECK(process.stop().empty());
  const Recorded file(path);
  CHECK(file.result.state == trace::FileState::whole);
  CHECK(file.process.pid != static_cast<std::uint32_t>(getpid()));
  CHECK(file.process.parent_pid == static_cast<std::uint32_t>(getpid()));
  // 20 and the last one; far fewer on a busy machine, but never more.
  CHECK(file.samples.size() >= 3);
  CHECK(file.samples.size() <= 22);
  CHECK(file.ends.size() == 1);
}

TEST_CASE("no rate, no process") {
  const TraceFolder folder;
  SamplingProcess process({folder.file("telemetry.trace"), FAKE_NVML, 0});
  CHECK(process.stop().empty());
  CHECK_FALSE(std::filesystem::exists(folder.file("telemetry.trace")));
}

TEST_CASE("an NVML that takes its time to start does not keep the caller waiting") {
  const FakeScript script("init_ms=20000");
  const TraceFolder folder;
  SamplingProcess process({folder.file("telemetry.trace"), FAKE_NVML, 5});
  CHECK(time_of([&] { process.stop(); }) < 2s);
  CHECK_THAT(process.stop(), ContainsSubstring("before NVML was initialised"));
}

TEST_CASE("an NVML that hangs is left behind with what it had given") {
  const FakeScript script("power_ms=20000");
  const TraceFolder folder;
  const std::string path = folder.file("telemetry.trace");
  SamplingProcess process({path, FAKE_NVML, 5});
  std::this_thread::sleep_for(300ms);
  CHECK(time_of([&] { process.stop(); }) < 3s);
  CHECK_THAT(process.stop(), ContainsSubstring("did not answer"));
  CHECK(Recorded(path).devices.size() == 1);
}

// AddressSanitizer turns a crash into an exit status.
#ifndef __SANITIZE_ADDRESS__
TEST_CASE("a crash inside NVML ends the sampling only") {
  const FakeScript script("crash=40");
  const TraceFolder folder;
  const std::string path = folder.file("telemetry.trace");
  SamplingProcess process({path, FAKE_NVML, 50});
  wait_for_samples(path, 3);
  CHECK_THAT(process.stop(), ContainsSubstring("crashed"));
  CHECK(Recorded(path).samples.size() == 3);  // 12 questions a sample
}
#endif

TEST_CASE("a file that cannot be written is told") {
  const FakeScript script("");
  SamplingProcess process({"/no/such/directory/telemetry.trace", FAKE_NVML, 5});
  CHECK_THAT(process.stop(), ContainsSubstring("could not be written"));
}

TEST_CASE("the terminal's signals do not end the sampling") {
  const FakeScript script("");
  const TraceFolder folder;
  const std::string path = folder.file("telemetry.trace");
  SamplingProcess process({path, FAKE_NVML, 50});
  const Recorded file = wait_for_samples(path, 1);
  REQUIRE(file.process.pid > 1);
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) kill(static_cast<pid_t>(file.process.pid), signal);
  const std::size_t wanted = file.samples.size() + 5;
  CHECK(wait_for_samples(path, wanted).samples.size() >= wanted);
  CHECK(process.stop().empty());
}

TEST_CASE("the sampling ends with the process that asked for it") {
  const FakeScript script("");
  const TraceFolder folder;
  const std::string path = folder.file("telemetry.trace");
  const pid_t parent = fork();
  if (parent == 0) {
    const SamplingProcess process({path, FAKE_NVML, 50});
    pause();
    _exit(0);
  }
  CHECK(wait_for_samples(path, 1).process.parent_pid == static_cast<std::uint32_t>(parent));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  bool ended = false;
  for (int i = 0; i < 500 && !ended; ++i) {
    std::this_thread::sleep_for(10ms);
    ended = !Recorded(path).ends.empty();
  }
  CHECK(ended);
}

TEST_CASE("the process holds no file that its parent has open") {
  const FakeScript script("");
  const TraceFolder folder;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  SamplingProcess process({folder.file("telemetry.trace"), FAKE_NVML, 50});
  REQUIRE_FALSE(wait_for_samples(folder.file("telemetry.trace"), 1).samples.empty());
  close(ends[1]);
  char byte = 0;
  CHECK(read(ends[0], &byte, 1) == 0);  // would block for ever otherwise
  close(ends[0]);
}
