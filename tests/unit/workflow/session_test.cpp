// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/session.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "support/catch2_compat.hpp"
#include "unit/workflow/scratch_directory.hpp"

using namespace gpuprof;
using namespace gpuprof::workflow;
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> kCommand{"./app"};

void write_record(const SessionPaths& session) {
  write_file_atomically(session.record(), "{\"schema\": \"gpuprof.session/1\"}\n");
}

}  // namespace

TEST_CASE("a session is named after what runs") {
  CHECK(session_stem({"/usr/bin/my app"}) == "my_app");
  CHECK(session_stem({"python3", "-u", "dir/train.py", "--x"}) == "train");
  CHECK(session_stem({"python3.11", "-m", "torch.distributed.run", "x.py"}) == "torch.distributed.run");
  CHECK(session_stem({"python3"}) == "python3");
  CHECK(session_stem({"bash", "job.sh"}) == "bash");
  CHECK(session_stem({"-x"}) == "_x");
  CHECK(session_stem({"/"}) == "program");
  CHECK(session_stem({std::string(300, 'a')}).size() == 64);
  CHECK(session_stem({"n\xc3\xa4me\n"}) == "n__me_");
}

TEST_CASE("sessions without a name are numbered and never shared") {
  const testing::ScratchDirectory scratch;
  CHECK(create_session("", kCommand, Overwrite::no).name() == "app-1.gpuprof");
  const SessionPaths second = create_session("", kCommand, Overwrite::no);
  CHECK(second.name() == "app-2.gpuprof");
  CHECK(fs::path(second.directory).is_absolute());
  CHECK(fs::is_directory(second.timeline()));
  CHECK(fs::is_directory(second.counters()));
}

TEST_CASE("an existing directory is refused without -f") {
  const testing::ScratchDirectory scratch;
  write_record(create_session("taken/", kCommand, Overwrite::no));
  CHECK_THROWS_AS(create_session("taken", kCommand, Overwrite::no), UsageError);
}

TEST_CASE("The flag -f replaces a session's files and leaves others alone") {
  const testing::ScratchDirectory scratch;
  const SessionPaths session = create_session("taken", kCommand, Overwrite::no);
  write_record(session);
  std::ofstream(session.timeline() + "/1-1.trace") << "x";
  std::ofstream("taken/notes.txt") << "mine";
  create_session("taken", kCommand, Overwrite::yes);
  CHECK(fs::is_empty("taken/timeline"));
  CHECK_FALSE(fs::exists("taken/session.json"));
  CHECK(fs::exists("taken/notes.txt"));
}

TEST_CASE("The flag -f does not replace what is not a session") {
  const testing::ScratchDirectory scratch;
  fs::create_directory("precious");
  std::ofstream("precious/session.json") << "{\"schema\": \"something else\"}";
  std::ofstream("file") << "x";
  CHECK_THROWS_AS(create_session("precious", kCommand, Overwrite::yes), UsageError);
  CHECK_THROWS_AS(create_session("file", kCommand, Overwrite::yes), UsageError);
  CHECK(fs::exists("precious/session.json"));
  fs::create_directory("empty");
  CHECK(create_session("empty", kCommand, Overwrite::yes).name() == "empty");
}

TEST_CASE("a place that cannot be written to is an error with a remedy") {
  const testing::ScratchDirectory scratch;
  try {
    create_session("no/such/parent", kCommand, Overwrite::no);
    FAIL("the session was created");
  } catch (const Error& error) {
    CHECK_THAT(error.what(), ContainsSubstring("no/such/parent"));
    CHECK_THAT(error.hint(), ContainsSubstring("-o"));
  }
}

TEST_CASE("the newest session is the one written last") {
  const testing::ScratchDirectory scratch;
  CHECK(newest_session(".").empty());
  const SessionPaths first = create_session("b.gpuprof", kCommand, Overwrite::no);
  const SessionPaths second = create_session("a.gpuprof", kCommand, Overwrite::no);
  fs::create_directory("empty.gpuprof");
  write_record(first);
  write_record(second);
  const auto now = fs::last_write_time(second.record());
  fs::last_write_time(first.record(), now - std::chrono::seconds(10));
  CHECK(fs::path(newest_session(".")).filename() == "a.gpuprof");
  fs::last_write_time(first.record(), now + std::chrono::seconds(10));
  CHECK(fs::path(newest_session(".")).filename() == "b.gpuprof");
}

TEST_CASE("a discarded session leaves nothing behind") {
  const testing::ScratchDirectory scratch;
  const SessionPaths session = create_session("", kCommand, Overwrite::no);
  write_record(session);
  discard_session(session);
  CHECK(fs::is_empty(scratch.path()));
}
