// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "export/perfetto_packets.hpp"

#include <array>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <utility>

namespace gpuprof::perfetto {
namespace {

using protozero::pbf_writer;

constexpr std::uint32_t kSequence = 1;
constexpr std::uint32_t kClockRealtime = 1;
constexpr std::uint32_t kClockMonotonic = 3;

// Indexed by Category less one.
constexpr std::array<const char*, 11> kCategories{"kernel", "copy",     "set", "graph",   "api",      "synchronization",
                                                  "nvtx",   "overhead", "jit", "capture", "telemetry"};

namespace file {
constexpr std::uint32_t kPacket = 1;
}
namespace packet {
constexpr std::uint32_t kClockSnapshot = 6;
constexpr std::uint32_t kTimestamp = 8;
constexpr std::uint32_t kSequenceId = 10;
constexpr std::uint32_t kTrackEvent = 11;
constexpr std::uint32_t kInternedData = 12;
constexpr std::uint32_t kSequenceFlags = 13;
constexpr std::uint32_t kDefaults = 59;
constexpr std::uint32_t kTrackDescriptor = 60;
constexpr std::uint32_t kFirstOnSequence = 87;
constexpr std::uint32_t kStateCleared = 1;  // of kSequenceFlags
constexpr std::uint32_t kNeedsState = 2;
}  // namespace packet
namespace defaults {
constexpr std::uint32_t kClock = 58;
}
namespace snapshot {
constexpr std::uint32_t kClocks = 1;
constexpr std::uint32_t kPrimary = 2;
constexpr std::uint32_t kClockId = 1;  // of kClocks
constexpr std::uint32_t kTime = 2;
}  // namespace snapshot
namespace interned {
constexpr std::uint32_t kCategories = 1;
constexpr std::uint32_t kEventNames = 2;
constexpr std::uint32_t kAnnotationNames = 3;
constexpr std::uint32_t kId = 1;  // of each of them
constexpr std::uint32_t kName = 2;
}  // namespace interned
namespace event {
constexpr std::uint32_t kCategoryId = 3;
constexpr std::uint32_t kAnnotation = 4;
constexpr std::uint32_t kType = 9;
constexpr std::uint32_t kNameId = 10;
constexpr std::uint32_t kTrack = 11;
constexpr std::uint32_t kCounterValue = 30;
constexpr std::uint32_t kDoubleCounterValue = 44;
constexpr std::uint32_t kFlow = 47;
constexpr std::uint32_t kTerminatingFlow = 48;
constexpr int kBegin = 1;  // of kType
constexpr int kEnd = 2;
constexpr int kInstant = 3;
constexpr int kCounter = 4;
}  // namespace event
namespace annotation {
constexpr std::uint32_t kNameId = 1;
constexpr std::uint32_t kUint = 3;
constexpr std::uint32_t kInt = 4;
constexpr std::uint32_t kDouble = 5;
constexpr std::uint32_t kString = 6;
constexpr std::uint32_t kDictEntry = 11;
}  // namespace annotation
namespace descriptor {
constexpr std::uint32_t kUuid = 1;
constexpr std::uint32_t kName = 2;
constexpr std::uint32_t kProcess = 3;
constexpr std::uint32_t kThread = 4;
constexpr std::uint32_t kParent = 5;
constexpr std::uint32_t kCounter = 8;
constexpr std::uint32_t kChildOrdering = 11;
constexpr std::uint32_t kSiblingRank = 12;
constexpr std::uint32_t kProcessOrdering = 19;
constexpr int kExplicitChildren = 3;  // of kChildOrdering
constexpr int kExplicitProcesses = 1;
}  // namespace descriptor
namespace process {
constexpr std::uint32_t kPid = 1;
constexpr std::uint32_t kCommand = 2;
constexpr std::uint32_t kSortIndex = 3;
constexpr std::uint32_t kName = 6;
}  // namespace process
namespace thread {
constexpr std::uint32_t kPid = 1;
constexpr std::uint32_t kTid = 2;
constexpr std::uint32_t kName = 5;
}  // namespace thread
namespace counter {
constexpr std::uint32_t kUnit = 3;
constexpr std::uint32_t kUnitName = 6;
}  // namespace counter

void add_interned(std::string& bytes, std::uint32_t field, std::uint64_t id, std::string_view name) {
  std::string entry;
  pbf_writer writer{entry};
  writer.add_uint64(interned::kId, id);
  writer.add_string(interned::kName, name.data(), name.size());
  pbf_writer{bytes}.add_message(field, entry);
}

void add_clock(pbf_writer& snapshot, std::uint32_t clock, std::uint64_t time_ns) {
  pbf_writer entry{snapshot, snapshot::kClocks};
  entry.add_uint32(snapshot::kClockId, clock);
  entry.add_uint64(snapshot::kTime, time_ns);
}

}  // namespace

void Annotations::add(std::uint64_t key, std::uint64_t value) {
  pbf_writer all{bytes_};
  pbf_writer pair{all, event::kAnnotation};
  pair.add_uint64(annotation::kNameId, key);
  pair.add_uint64(annotation::kUint, value);
}

void Annotations::add(std::uint64_t key, std::int64_t value) {
  pbf_writer all{bytes_};
  pbf_writer pair{all, event::kAnnotation};
  pair.add_uint64(annotation::kNameId, key);
  pair.add_int64(annotation::kInt, value);
}

void Annotations::add(std::uint64_t key, double value) {
  pbf_writer all{bytes_};
  pbf_writer pair{all, event::kAnnotation};
  pair.add_uint64(annotation::kNameId, key);
  pair.add_double(annotation::kDouble, value);
}

void Annotations::add(std::uint64_t key, std::string_view value) {
  pbf_writer all{bytes_};
  pbf_writer pair{all, event::kAnnotation};
  pair.add_uint64(annotation::kNameId, key);
  pair.add_string(annotation::kString, value.data(), value.size());
}

void Annotations::add(std::uint64_t key, const Annotations& group) {
  pbf_writer all{bytes_};
  pbf_writer pair{all, event::kAnnotation};
  pair.add_uint64(annotation::kNameId, key);
  protozero::pbf_reader entries{group.bytes_.data(), group.bytes_.size()};
  while (entries.next(event::kAnnotation)) pair.add_message(annotation::kDictEntry, entries.get_view());
}

PacketWriter::PacketWriter(Sink sink, std::uint64_t realtime_ns, std::uint64_t monotonic_ns) : sink_(std::move(sink)) {
  buffer_.reserve(kBufferBytes + 65536);
  start_sequence(realtime_ns, monotonic_ns);
}

void PacketWriter::start_sequence(std::uint64_t realtime_ns, std::uint64_t monotonic_ns) {
  {
    pbf_writer packet{packet_};
    packet.add_uint32(packet::kSequenceId, kSequence);
    packet.add_uint32(packet::kSequenceFlags, packet::kStateCleared);
    packet.add_bool(packet::kFirstOnSequence, true);
    pbf_writer defaults{packet, packet::kDefaults};
    defaults.add_uint32(defaults::kClock, kClockRealtime);
  }
  std::uint64_t id = 0;
  for (const char* name : kCategories) add_interned(interned_, interned::kCategories, ++id, name);
  pbf_writer{packet_}.add_message(packet::kInternedData, interned_);
  interned_.clear();
  write_packet();
  if (realtime_ns != 0) {
    pbf_writer packet{packet_};
    packet.add_uint32(packet::kSequenceId, kSequence);
    pbf_writer snapshot{packet, packet::kClockSnapshot};
    add_clock(snapshot, kClockRealtime, realtime_ns);
    if (monotonic_ns != 0) add_clock(snapshot, kClockMonotonic, monotonic_ns);
    snapshot.add_enum(snapshot::kPrimary, static_cast<std::int32_t>(kClockRealtime));
  }
  if (!packet_.empty()) write_packet();
  {
    // The root of all tracks says that processes are ordered by their rank.
    pbf_writer packet{packet_};
    packet.add_uint32(packet::kSequenceId, kSequence);
    pbf_writer root{packet, packet::kTrackDescriptor};
    root.add_uint64(descriptor::kUuid, 0);
    root.add_enum(descriptor::kProcessOrdering, descriptor::kExplicitProcesses);
  }
  write_packet();
}

std::uint64_t PacketWriter::event_name(std::string_view name) {
  add_interned(interned_, interned::kEventNames, ++last_name_, name.empty() ? "(no name)" : name);
  return last_name_;
}

std::uint64_t PacketWriter::annotation_name(std::string_view name) {
  const auto [found, added] = annotation_names_.emplace(name, annotation_names_.size() + 1);
  if (added) add_interned(interned_, interned::kAnnotationNames, found->second, name);
  return found->second;
}

void PacketWriter::describe(const Track& track) {
  pbf_writer packet{packet_};
  packet.add_uint32(packet::kSequenceId, kSequence);
  {
    pbf_writer writer{packet, packet::kTrackDescriptor};
    writer.add_uint64(descriptor::kUuid, track.uuid);
    if (track.parent != 0) writer.add_uint64(descriptor::kParent, track.parent);
    writer.add_enum(descriptor::kChildOrdering, descriptor::kExplicitChildren);
    writer.add_int32(descriptor::kSiblingRank, track.rank);
    if (track.process) {
      pbf_writer part{writer, descriptor::kProcess};
      part.add_int32(process::kPid, track.process->pid);
      for (const std::string& argument : track.process->command) part.add_string(process::kCommand, argument);
      part.add_int32(process::kSortIndex, track.rank);  // for viewers that do not know the explicit order
      part.add_string(process::kName, track.name);
    } else if (track.thread) {
      pbf_writer part{writer, descriptor::kThread};
      part.add_int32(thread::kPid, track.thread->pid);
      part.add_int64(thread::kTid, track.thread->tid);
      if (!track.name.empty()) part.add_string(thread::kName, track.name);
    } else {
      writer.add_string(descriptor::kName, track.name);
    }
    if (track.counter) {
      pbf_writer part{writer, descriptor::kCounter};
      part.add_enum(counter::kUnit, static_cast<std::int32_t>(track.counter->unit));
      if (!track.counter->unit_name.empty()) part.add_string(counter::kUnitName, track.counter->unit_name);
    }
  }
  write_packet();
}

void PacketWriter::slice(std::uint64_t track, const Slice& slice) {
  begin(track, slice);
  end(track, slice.end_ns);
}

void PacketWriter::begin(std::uint64_t track, const Slice& slice) {
  named_event(event::kBegin, track, slice);
}

void PacketWriter::instant(std::uint64_t track, const Slice& event) {
  named_event(event::kInstant, track, event);
}

void PacketWriter::named_event(int type, std::uint64_t track, const Slice& slice) {
  event_.clear();
  pbf_writer writer{event_};
  writer.add_enum(event::kType, type);
  writer.add_uint64(event::kTrack, track);
  writer.add_uint64(event::kNameId, slice.name);
  writer.add_uint64(event::kCategoryId, static_cast<std::uint64_t>(slice.category));
  if (slice.flow_out != 0) writer.add_fixed64(event::kFlow, slice.flow_out);
  if (slice.flow_in != 0) writer.add_fixed64(event::kTerminatingFlow, slice.flow_in);
  event_.append(slice.annotations);
  ++events_;
  write_event(slice.start_ns);
}

void PacketWriter::end(std::uint64_t track, std::uint64_t time_ns) {
  event_.clear();
  pbf_writer writer{event_};
  writer.add_enum(event::kType, event::kEnd);
  writer.add_uint64(event::kTrack, track);
  write_event(time_ns);
}

void PacketWriter::counter(std::uint64_t track, std::uint64_t time_ns, std::uint64_t value) {
  event_.clear();
  pbf_writer writer{event_};
  writer.add_enum(event::kType, event::kCounter);
  writer.add_uint64(event::kTrack, track);
  writer.add_int64(event::kCounterValue, static_cast<std::int64_t>(value));
  ++events_;
  write_event(time_ns);
}

void PacketWriter::counter(std::uint64_t track, std::uint64_t time_ns, double value) {
  event_.clear();
  pbf_writer writer{event_};
  writer.add_enum(event::kType, event::kCounter);
  writer.add_uint64(event::kTrack, track);
  writer.add_double(event::kDoubleCounterValue, value);
  ++events_;
  write_event(time_ns);
}

void PacketWriter::write_event(std::uint64_t time_ns) {
  pbf_writer packet{packet_};
  packet.add_uint64(packet::kTimestamp, time_ns);
  packet.add_uint32(packet::kSequenceId, kSequence);
  packet.add_uint32(packet::kSequenceFlags, packet::kNeedsState);
  if (!interned_.empty()) {
    packet.add_message(packet::kInternedData, interned_);
    interned_.clear();
  }
  packet.add_message(packet::kTrackEvent, event_);
  write_packet();
}

void PacketWriter::write_packet() {
  pbf_writer{buffer_}.add_message(file::kPacket, packet_);
  packet_.clear();
  if (buffer_.size() >= kBufferBytes) flush();
}

void PacketWriter::flush() {
  bytes_ += buffer_.size();
  sink_(buffer_);
  buffer_.clear();
}

}  // namespace gpuprof::perfetto
