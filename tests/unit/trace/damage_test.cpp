// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// What a reader makes of files that are cut off, damaged, foreign or newer.

#include <protozero/pbf_writer.hpp>

#include "base/error.hpp"
#include "everything.hpp"
#include "support/catch2_compat.hpp"
#include "support/trace_builder.hpp"

namespace gpuprof::trace {
namespace {

using test::Everything;
using test::file_start;
using test::frame;
using test::TraceBuilder;
using test::TraceFolder;

ReadResult read(const std::string& bytes, Everything& all) {
  Dictionaries dictionaries;
  return read_bytes(bytes, "test", dictionaries, all);
}

FileState state_of(const std::string& bytes) {
  Everything all;
  return read(bytes, all).state;
}

std::string sample_file() {
  const TraceFolder folder;
  TraceBuilder{folder.file("1.trace")}
      .process(1)
      .kernel("a", 10, 5)
      .api("cudaLaunchKernel", 1, 2)
      .launches(1)
      .kernel("b", 20, 5)
      .copy(1, 1, 3, 30, 5, 100)
      .launches(2)
      .exit();
  return test::bytes_of(folder.file("1.trace"));
}

// A message with one packed column of single-byte values for each entry.
std::string columns(const std::vector<std::pair<std::uint32_t, std::string>>& fields, int first_id = -1) {
  std::string payload;
  protozero::pbf_writer message{payload};
  if (first_id >= 0) message.add_uint32(1, static_cast<std::uint32_t>(first_id));
  for (const auto& [tag, bytes] : fields) message.add_bytes(tag, bytes);
  return payload;
}

// A file with one string, shape and queue, followed by `rest`.
std::string with_dictionaries(const std::string& rest) {
  const std::string three(3, '\1');
  return file_start() + frame(FrameKind::strings, columns({{2, "name"}}, 0)) +
         frame(FrameKind::kernel_shapes, columns({{2, std::string(1, '\0')}, {3, three}, {4, three}}, 0)) +
         frame(FrameKind::queues, columns({{2, std::string(1, '\0')}}, 0)) + rest;
}

TEST_CASE("a file cut at any byte delivers the whole frames before the cut") {
  const std::string bytes = sample_file();
  Everything whole;
  REQUIRE(read(bytes, whole).state == FileState::whole);
  std::uint64_t last_frames = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Everything all;
    const ReadResult result = read(bytes.substr(0, size), all);
    INFO("cut at " << size);
    CHECK(result.frames >= last_frames);
    CHECK(result.good_bytes <= size);
    if (size == 0 || size == kFileHeaderBytes) {
      CHECK(result.state == FileState::empty);
    } else {
      CHECK(result.state == (result.good_bytes == size ? FileState::whole : FileState::torn));
    }
    CHECK(all.kernels.size() <= whole.kernels.size());
    last_frames = result.frames;
  }
  CHECK(last_frames + 1 == test::frames_of(bytes).size());
}

TEST_CASE("every flipped bit is noticed") {
  const std::string bytes = sample_file();
  for (std::size_t position = kFileHeaderBytes; position < bytes.size(); ++position) {
    std::string damaged = bytes;
    damaged[position] = static_cast<char>(damaged[position] ^ (1 << position % 8));
    INFO("byte " << position);
    CHECK(state_of(damaged) == FileState::torn);
  }
}

TEST_CASE("a foreign file is refused") {
  CHECK_THROWS_WITH(state_of("hello"), ContainsSubstring("'test' is not a gpuprof trace file"));
  CHECK_THROWS_AS(state_of(std::string(1000, '\0')), Error);
  CHECK(state_of("GPUP") == FileState::torn);
  CHECK(state_of(file_start().substr(0, 15)) == FileState::torn);
}

TEST_CASE("a newer format is refused with both versions and the remedy") {
  std::string bytes = sample_file();
  bytes[8] = 3;
  try {
    state_of(bytes);
    FAIL("no exception");
  } catch (const Error& error) {
    CHECK_THAT(std::string(error.what()), ContainsSubstring("version 3") && ContainsSubstring("up to 2"));
    CHECK_THAT(error.hint(), ContainsSubstring("Update gpuprof"));
  }
}

TEST_CASE("frames and fields of a later version are skipped") {
  const std::string bytes = file_start() + frame(4711, "whatever") +
                            frame(FrameKind::process_end, columns({{15, "new field"}}) + std::string("\x08\x05", 2));
  Everything all;
  const ReadResult result = read(bytes, all);
  CHECK(result.state == FileState::whole);
  CHECK(result.frames == 2);
  CHECK(result.unknown_frames == 1);
  REQUIRE(all.ends.size() == 1);
  CHECK(all.ends[0].time_ns == 5);
}

TEST_CASE("ids that were not defined before are damage") {
  const std::string one(1, '\1');
  const std::string zero(1, '\0');
  CHECK(state_of(with_dictionaries(frame(FrameKind::kernels, columns({{1, one}})))) == FileState::whole);
  CHECK(state_of(with_dictionaries(frame(FrameKind::kernels, columns({{1, one}, {3, one}})))) == FileState::torn);
  CHECK(state_of(with_dictionaries(frame(FrameKind::kernels, columns({{1, one}, {4, one}})))) == FileState::torn);
  CHECK(state_of(with_dictionaries(frame(FrameKind::api_calls, columns({{1, one}, {3, one}})))) == FileState::torn);
  CHECK(state_of(with_dictionaries(frame(FrameKind::copies, columns({{1, one}, {4, one}})))) == FileState::torn);
  CHECK(state_of(with_dictionaries(frame(FrameKind::sets, columns({{1, one}, {4, one}})))) == FileState::torn);
  CHECK(state_of(with_dictionaries(frame(FrameKind::counter_window, columns({{9, one}})))) == FileState::torn);
  // Zigzag: 2 is the difference 1.
  const std::string next(1, '\2');
  CHECK(state_of(with_dictionaries(frame(FrameKind::kernels, columns({{1, one}, {8, next}})))) == FileState::torn);
  CHECK(state_of(with_dictionaries(frame(FrameKind::graph_executions, columns({{1, one}, {3, next}})))) ==
        FileState::torn);
  CHECK(state_of(with_dictionaries(frame(FrameKind::memory_events, columns({{1, one}, {7, next}})))) ==
        FileState::torn);
  CHECK(state_of(with_dictionaries(frame(FrameKind::nvtx_events, columns({{1, one}, {4, one}})))) == FileState::torn);
  CHECK(state_of(with_dictionaries(frame(FrameKind::nvtx_events, columns({{1, one}, {5, next}})))) == FileState::torn);
  CHECK(state_of(with_dictionaries(frame(FrameKind::launch_counts, columns({{1, one}, {2, one}})))) == FileState::torn);
  CHECK(state_of(file_start() + frame(FrameKind::kernels, columns({{1, one}}))) == FileState::torn);
  // A dictionary that does not continue where the last one ended, and a shape without its name.
  CHECK(state_of(with_dictionaries(frame(FrameKind::strings, columns({{2, "again"}}, 0)))) == FileState::torn);
  CHECK(state_of(with_dictionaries(frame(FrameKind::kernel_shapes, columns({{2, one}}, 1)))) == FileState::torn);
}

TEST_CASE("enumerators of NVTX events that are not known are damage") {
  const std::string one(1, '\1');
  CHECK(state_of(with_dictionaries(frame(FrameKind::nvtx_events, columns({{1, one}, {2, "\x04"}, {9, "\x03"}})))) ==
        FileState::whole);
  CHECK(state_of(with_dictionaries(frame(FrameKind::nvtx_events, columns({{1, one}, {2, "\x05"}})))) ==
        FileState::torn);
  CHECK(state_of(with_dictionaries(frame(FrameKind::nvtx_events, columns({{1, one}, {9, "\x04"}})))) ==
        FileState::torn);
}

TEST_CASE("shapes and numbers of launch counts belong together") {
  const std::string zero(1, '\0');
  const std::string five(1, '\5');
  CHECK(state_of(with_dictionaries(frame(FrameKind::launch_counts, columns({{1, zero}, {2, five}})))) ==
        FileState::whole);
  CHECK(state_of(with_dictionaries(frame(FrameKind::launch_counts, columns({{1, zero}})))) == FileState::torn);
  CHECK(state_of(with_dictionaries(frame(FrameKind::launch_counts, columns({{2, five}})))) == FileState::torn);
}

TEST_CASE("a discarded frame has no checksum and is skipped without a look at its payload") {
  std::string discarded = frame(FrameKind::discarded, "left over");
  discarded.replace(8, 8, 8, '\0');
  discarded.back() = '?';
  Everything all;
  const std::string end = frame(FrameKind::process_end, std::string("\x08\x05", 2));
  const ReadResult result = read(file_start() + discarded + end, all);
  CHECK(result.state == FileState::whole);
  CHECK(result.frames == 2);
  CHECK(result.unknown_frames == 0);
  CHECK(all.ends.size() == 1);

  // Another frame whose kind was damaged does not pass for one.
  Everything damaged;
  CHECK(read(file_start() + frame(FrameKind::discarded, "left over") + end, damaged).state == FileState::torn);

  // Its length is still checked: what it covers has to be in the file.
  Everything none;
  const ReadResult cut = read(file_start() + discarded.substr(0, discarded.size() - 1), none);
  CHECK(cut.state == FileState::torn);
  CHECK(cut.good_bytes == kFileHeaderBytes);
}

TEST_CASE("a column shorter than the first one continues with zeros") {
  const std::string rest = frame(FrameKind::kernels, columns({{1, "\2\2\2"}, {2, "\4"}, {5, "\6\2"}}));
  Everything all;
  REQUIRE(read(with_dictionaries(rest), all).state == FileState::whole);
  REQUIRE(all.kernels.size() == 3);
  CHECK(all.kernels[0] == Kernel{1, 3, 0, 0, 3, 0, 0});
  CHECK(all.kernels[1] == Kernel{2, 2, 0, 0, 4, 0, 0});
  // Of a column of differences, what continues is the difference: the value stays.
  CHECK(all.kernels[2] == Kernel{3, 3, 0, 0, 4, 0, 0});
}

TEST_CASE("columns longer than the first one, cut varints and split columns are damage") {
  const std::string one(1, '\1');
  const std::string two(2, '\1');
  const auto kernels = [](const std::string& payload) {
    Everything all;
    const ReadResult result = read(with_dictionaries(frame(FrameKind::kernels, payload)), all);
    CHECK(all.kernels.empty());
    CHECK(result.frames == 3);
    return result.state;
  };
  CHECK(kernels(columns({{1, one}, {2, two}})) == FileState::torn);
  CHECK(kernels(columns({{2, one}})) == FileState::torn);
  CHECK(kernels(columns({{1, one + "\x80"}})) == FileState::torn);
  CHECK(kernels(columns({{1, std::string(11, '\x80') + one}})) == FileState::torn);
  CHECK(kernels(columns({{1, one}, {1, one}})) == FileState::torn);
  CHECK(kernels(columns({{1, std::string(kMaxFrameRecords + 1, '\1')}})) == FileState::torn);
  CHECK(kernels("\x0a\x7f") == FileState::torn);
  CHECK(kernels("\x07") == FileState::torn);
}

TEST_CASE("a file that cannot be opened is an error with the reason") {
  Dictionaries dictionaries;
  Everything all;
  CHECK_THROWS_WITH(read_file("/nonexistent/x.trace", dictionaries, all), ContainsSubstring("No such file"));
  const TraceFolder folder;
  CHECK_THROWS_AS(read_file(folder.path(), dictionaries, all), Error);
}

}  // namespace
}  // namespace gpuprof::trace
