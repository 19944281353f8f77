// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The wire format of a Perfetto trace, as far as gpuprof writes it: one packet sequence whose names are interned and
// whose time stamps are CLOCK_REALTIME. The numbers are those of perfetto's trace_packet.proto and the files it
// includes.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gpuprof::perfetto {

// Fixed names that the viewer can filter by. Values are the interned ids.
enum class Category : std::uint8_t {
  kernel = 1,
  copy,
  set,
  graph,
  api,
  synchronization,
  nvtx,
  overhead,
  jit,
  capture,
  telemetry,
};

enum class Unit : std::uint8_t { none = 0, count = 2, bytes = 3 };

struct Track {
  std::uint64_t uuid = 0;
  std::uint64_t parent = 0;  // 0: none
  std::string name;          // valid UTF-8; of a process or thread: its name
  std::int32_t rank = 0;     // lower ones come first among siblings
  struct Process {
    std::int32_t pid = 0;
    std::vector<std::string> command;
  };
  struct Thread {
    std::int32_t pid = 0;
    std::int64_t tid = 0;
  };
  struct Counter {
    Unit unit = Unit::none;
    std::string unit_name;  // empty: as `unit` says
  };
  std::optional<Process> process;
  std::optional<Thread> thread;
  std::optional<Counter> counter;
};

struct Slice {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint64_t name = 0;  // of event_name()
  Category category = Category::kernel;
  std::uint64_t flow_out = 0;    // 0: none. An arrow from this slice ...
  std::uint64_t flow_in = 0;     // ... to the one with the same number, which has to start later
  std::string_view annotations;  // of class Annotations
};

// Key-value pairs of an event in wire format. Texts must be valid UTF-8. Keys are those of annotation_name().
class Annotations {
 public:
  void add(std::uint64_t key, std::uint64_t value);
  void add(std::uint64_t key, std::int64_t value);
  void add(std::uint64_t key, double value);
  void add(std::uint64_t key, std::string_view value);
  // A group of pairs under one key.
  void add(std::uint64_t key, const Annotations& group);
  void clear() { bytes_.clear(); }
  bool empty() const { return bytes_.empty(); }
  // The pairs of another set follow those of this one.
  void append(std::string_view bytes) { bytes_.append(bytes); }
  std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Events may be written in any order; those of one track that share a time stamp keep the order in which they were
// written. Memory: the interned names' ids, and a buffer.
class PacketWriter {
 public:
  using Sink = std::function<void(std::string_view)>;
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

  // `sink` takes the file's bytes; its exceptions pass through. `realtime_ns`, `monotonic_ns`: two clocks of the
  // recording host read at one moment; 0: not known.
  PacketWriter(Sink sink, std::uint64_t realtime_ns, std::uint64_t monotonic_ns);

  // A new id for the name, which is not remembered: the caller does. Valid UTF-8 without control characters.
  std::uint64_t event_name(std::string_view name);
  // The id of a key; equal keys have equal ids. For a limited number of keys.
  std::uint64_t annotation_name(std::string_view name);

  std::uint64_t new_uuid() { return ++last_uuid_; }
  void describe(const Track& track);

  // Slices of one track have to be nested or apart.
  void slice(std::uint64_t track, const Slice& slice);
  void begin(std::uint64_t track, const Slice& slice);
  void end(std::uint64_t track, std::uint64_t time_ns);
  void instant(std::uint64_t track, const Slice& event);  // at start_ns
  void counter(std::uint64_t track, std::uint64_t time_ns, std::uint64_t value);
  void counter(std::uint64_t track, std::uint64_t time_ns, double value);

  void flush();
  std::uint64_t events() const { return events_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  void start_sequence(std::uint64_t realtime_ns, std::uint64_t monotonic_ns);
  void named_event(int type, std::uint64_t track, const Slice& slice);
  void write_event(std::uint64_t time_ns);
  void write_packet();

  Sink sink_;
  std::string buffer_;
  std::string packet_;
  std::string event_;
  std::string interned_;  // names that go out with the next packet
  std::unordered_map<std::string, std::uint64_t> annotation_names_;
  std::uint64_t last_name_ = 0;
  std::uint64_t last_uuid_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace gpuprof::perfetto
