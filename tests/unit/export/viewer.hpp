// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads a Perfetto trace as a viewer does: protoc decodes it with perfetto.proto, events are sorted by time with those
// of one time in file order, and an end closes the innermost open slice of its track.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuprof::perfetto::test {

// A message in protobuf's text form.
struct Message {
  std::vector<std::pair<std::string, std::string>> values;  // strings unescaped
  std::vector<std::pair<std::string, Message>> messages;

  std::string get(std::string_view field) const;       // empty: absent
  std::uint64_t number(std::string_view field) const;  // 0: absent
  const Message* find(std::string_view field) const;   // the first one; null: absent
  std::vector<std::string> all(std::string_view field) const;
};

struct SeenTrack {
  std::uint64_t uuid = 0;
  std::uint64_t parent = 0;
  std::string name;  // of a process or thread: its name
  std::int64_t rank = 0;
  std::int64_t pid = 0;  // of a process
  std::int64_t tid = 0;  // of a thread
  std::string unit;      // of a counter
};

struct SeenSlice {
  std::uint64_t track = 0;
  std::string name;
  std::string category;
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::size_t depth = 0;
  bool instant = false;
  std::map<std::string, std::string> annotations;  // those of groups as "group/name"
};

struct SeenValue {
  std::uint64_t track = 0;
  std::uint64_t time_ns = 0;
  double value = 0;
};

struct Viewer {
  explicit Viewer(const std::string& bytes);

  Message trace;
  std::map<std::uint64_t, SeenTrack> tracks;
  std::vector<SeenSlice> slices;  // in order of their start
  std::vector<SeenValue> values;
  std::vector<std::pair<std::size_t, std::size_t>> flows;  // from slice to slice
  std::vector<std::string> problems;                       // what a viewer would stumble over

  const SeenSlice& slice(std::string_view name) const;           // the first one; throws when there is none
  std::vector<SeenSlice> on_track(std::string_view name) const;  // of all tracks of this name
  std::string path(std::uint64_t track) const;                   // "process/GPU 0/Stream 7"
  std::string values_of(std::string_view track) const;           // "1 2.5 3"
};

// Is protoc installed?
bool can_decode();

}  // namespace gpuprof::perfetto::test
