// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// Random slices: whatever they are, a viewer must see each with its own beginning and end.
#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "export/perfetto_lanes.hpp"
#include "support/catch2_compat.hpp"
#include "viewer.hpp"

namespace gpuprof::perfetto {
namespace {

using Seen = std::tuple<std::string, std::uint64_t, std::uint64_t>;

std::vector<Slice> random_slices(std::mt19937_64& random, std::size_t count, std::uint64_t span, std::uint64_t length) {
  std::vector<Slice> slices(count);
  for (Slice& slice : slices) {
    slice.start_ns = 1000 + random() % span;
    slice.end_ns = slice.start_ns + random() % length;
  }
  std::stable_sort(slices.begin(), slices.end(),
                   [](const Slice& a, const Slice& b) { return a.start_ns < b.start_ns; });
  return slices;
}

// Writes the slices with `place` and compares what a viewer makes of them.
template <typename Place>
void check_seen(std::vector<Slice> slices, Place place) {
  std::string bytes;
  PacketWriter writer([&](std::string_view piece) { bytes += piece; }, 1, 1);
  std::map<std::size_t, std::uint64_t> tracks;
  const auto track_of = [&](std::size_t lane) {
    std::uint64_t& uuid = tracks[lane];
    if (uuid == 0) {
      uuid = writer.new_uuid();
      Track track;
      track.uuid = uuid;
      track.name = std::to_string(lane);
      writer.describe(track);
    }
    return uuid;
  };
  std::vector<Seen> expected;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    slices[i].name = writer.event_name(std::to_string(i));
    expected.emplace_back(std::to_string(i), slices[i].start_ns, slices[i].end_ns);
  }
  place(slices, [&](std::size_t lane, const Slice& slice) { writer.slice(track_of(lane), slice); });
  writer.flush();
  const test::Viewer viewer(bytes);
  CHECK(viewer.problems == std::vector<std::string>{});
  std::vector<Seen> seen;
  for (const test::SeenSlice& slice : viewer.slices) seen.emplace_back(slice.name, slice.start_ns, slice.end_ns);
  std::sort(seen.begin(), seen.end());
  std::sort(expected.begin(), expected.end());
  CHECK(seen == expected);
}

void place_in_lanes(const std::vector<Slice>& slices, const NestedSlices::Write& write) {
  Lanes lanes;
  for (const Slice& slice : slices) write(lanes.place(slice.start_ns, slice.end_ns), slice);
}

void place_nested(const std::vector<Slice>& slices, const NestedSlices::Write& write) {
  NestedSlices nested(write);
  for (const Slice& slice : slices) nested.add(slice);
  nested.flush();
}

TEST_CASE("random overlapping slices are seen as they are") {
  if (!test::can_decode()) {
    WARN("skipped: protoc is not installed (package protobuf-compiler)");
    return;
  }
  std::mt19937_64 random{7};
  for (const auto& [span, length] : {std::pair{40U, 8U}, {40U, 60U}, {2000U, 10U}, {5U, 3U}, {1U, 50U}}) {
    for (int round = 0; round < 4; ++round) {
      INFO("starts within " << span << ", up to " << length << " long");
      check_seen(random_slices(random, 120, span, length), place_in_lanes);
      check_seen(random_slices(random, 120, span, length), place_nested);
    }
  }
}

TEST_CASE("as few lanes as slices overlap, the lowest first") {
  Lanes lanes;
  CHECK(lanes.place(0, 10) == 0);
  CHECK(lanes.place(5, 8) == 1);
  CHECK(lanes.place(6, 30) == 2);
  CHECK(lanes.place(10, 20) == 0);
  CHECK(lanes.place(10, 20) == 1);
  std::size_t highest = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) highest = std::max(highest, lanes.place(100 + i, 103 + i));
  CHECK(highest == 2);
}

}  // namespace
}  // namespace gpuprof::perfetto
