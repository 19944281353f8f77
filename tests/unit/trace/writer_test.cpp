// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// The writer when the file system or the process does not play along.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>

#include "everything.hpp"
#include "support/catch2_compat.hpp"
#include "support/trace_builder.hpp"

namespace gpuprof::trace {
namespace {

using test::Everything;
using test::TraceBuilder;
using test::TraceFolder;

TEST_CASE("an existing file is not touched") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  TraceBuilder{path}.process(1);
  const std::string before = test::bytes_of(path);
  errno = 0;
  CHECK(Writer::create(path) == nullptr);
  CHECK(errno == EEXIST);
  CHECK(test::bytes_of(path) == before);
  CHECK(Writer::create("/nonexistent/1.trace") == nullptr);
  CHECK(errno == ENOENT);
}

TEST_CASE("a full batch is written without a flush") {
  const TraceFolder folder;
  TraceBuilder builder{folder.file("1.trace")};
  builder.process(1);
  for (std::size_t i = 0; i + 1 < kMaxFrameRecords; ++i) builder.kernel("k", i, 1);
  const std::uint64_t before = builder.writer().bytes_written();
  builder.kernel("k", 1, 1);
  CHECK(builder.writer().bytes_written() > before);

  Dictionaries dictionaries;
  Everything all;
  CHECK(read_file(folder.file("1.trace"), dictionaries, all).state == FileState::whole);
  CHECK(all.kernels.size() == kMaxFrameRecords);
}

// Limits the size of files while it lives. The signal that a write past the limit would send stays at its default,
// which ends the process: a writer that runs into it fails the test loudly.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before_) == 0);
    rlimit limited = before_;
    limited.rlim_cur = bytes;
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limited) == 0);
  }
  ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST_CASE("a failed write leaves a whole file that says so") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  TraceBuilder builder{path};
  builder.process(1).kernel("k", 1, 1);
  builder.writer().flush();
  const std::uint64_t good = builder.writer().bytes_written();
  std::uint64_t after_failure = 0;
  {
    const FileSizeLimit limit{static_cast<rlim_t>(good + 100)};
    for (std::uint64_t i = 0; i < 1000; ++i) builder.kernel("k", 10 * i, 5);
    builder.writer().flush();
    CHECK(builder.writer().error() == EFBIG);
    after_failure = builder.writer().bytes_written();
    CHECK(after_failure > good);
    builder.kernel("k", 1, 1).launches(5).exit();
    CHECK(builder.writer().bytes_written() == after_failure);
  }
  builder.exit();
  CHECK(builder.writer().error() == EFBIG);
  CHECK(test::bytes_of(path).size() == after_failure);

  Dictionaries dictionaries;
  Everything all;
  CHECK(read_file(path, dictionaries, all).state == FileState::whole);
  CHECK(all.kernels.size() == 1);
  CHECK(all.ends.empty());
  REQUIRE(all.notices.size() == 1);
  CHECK(all.notices[0].code == NoticeCode::write_failed);
  CHECK_THAT(all.notices[0].detail, ContainsSubstring("large"));
}

TEST_CASE("a forked child does not write into its parent's file") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  auto builder = std::make_unique<TraceBuilder>(path);
  builder->process(1).kernel("k", 1, 1);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    builder->kernel("k", 2, 1).exit();
    builder.reset();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  builder->exit();
  Dictionaries dictionaries;
  Everything all;
  CHECK(read_file(path, dictionaries, all).state == FileState::whole);
  CHECK(all.kernels.size() == 1);
  CHECK(all.ends.size() == 1);
}

TEST_CASE("the flight recorder takes old batches back and keeps everything else") {
  const TraceFolder folder;
  const std::string path = folder.file("1.trace");
  TraceBuilder builder{path};
  builder.process(1).kernel("before", 1, 1);
  builder.writer().flush();
  builder.writer().remember_batches();
  constexpr std::uint64_t kOld = 50'000;
  for (std::uint64_t i = 0; i < kOld; ++i) builder.kernel("old", 10 * i, 5).api("cudaLaunchKernel", 10 * i, 2);
  builder.writer().flush();
  builder.clock(5);
  const std::uint64_t size = builder.writer().bytes_written();
  const auto now_ns = [] {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
  };
  CHECK(builder.writer().discard_before(now_ns() - 3'600'000'000'000) == 0);
  CHECK(builder.writer().discard_before(now_ns() + 1) == kOld);
  CHECK(builder.writer().discard_before(now_ns() + 1) == 0);
  CHECK(builder.writer().bytes_written() == size);
  builder.kernel("new", 7, 1).exit();

  Dictionaries dictionaries;
  Everything all;
  const ReadResult result = read_file(path, dictionaries, all);
  CHECK(result.state == FileState::whole);
  CHECK(result.unknown_frames == 0);
  // What was written before the recorder was turned on stays, and so do single messages and dictionaries.
  REQUIRE(all.kernels.size() == 2);
  CHECK(dictionaries.string(dictionaries.shape(all.kernels[0].shape).name) == "before");
  CHECK(dictionaries.string(dictionaries.shape(all.kernels[1].shape).name) == "new");
  CHECK(all.api_calls.empty());
  CHECK(all.clocks.size() == 1);
  CHECK(all.ends.size() == 1);
}

TEST_CASE("a kernel with its launch takes at most 16 bytes") {
  const TraceFolder folder;
  TraceBuilder builder{folder.file("1.trace")};
  constexpr std::uint32_t kKernels = 100'000;
  for (std::uint32_t i = 0; i < kKernels; ++i) {
    const std::uint64_t time_ns = std::uint64_t{6'000} * i + i * 37 % 2'000;
    builder.api("cudaLaunchKernel_v7000", time_ns, 2'000 + i % 500, i + 1);
    builder.kernel("kernel" + std::to_string(i % 100), time_ns + 4'000, 3'000 + i * 17 % 1'000,
                   {{i % 100 + 1, 1, 1}, {256, 1, 1}, 0, 7, i + 1, 0});
  }
  builder.writer().flush();
  CHECK(builder.writer().bytes_written() <= 16 * std::uint64_t{kKernels});
}

}  // namespace
}  // namespace gpuprof::trace
