// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// The tracks of a process, which are made when their first event comes, and the names of its events.

#include <limits>

#include "base/text.hpp"
#include "export/perfetto_names.hpp"
#include "export/perfetto_process.hpp"

namespace gpuprof::perfetto {
namespace {

constexpr std::uint32_t kHostQueue = 0xFFFFFFFF;  // device of a graph whose first node runs on the host

// The slot of `index` in a table that grows with the indices seen.
template <typename Value>
Value& slot(std::vector<Value>& table, std::size_t index) {
  if (index >= table.size()) table.resize(index + 1);
  return table[index];
}

std::int32_t rank_from(std::uint32_t number) {
  constexpr auto kLargest = std::numeric_limits<std::int32_t>::max();
  return number > static_cast<std::uint32_t>(kLargest) ? kLargest : static_cast<std::int32_t>(number);
}

}  // namespace

std::uint64_t ProcessTracks::process() {
  if (process_uuid_ != 0) return process_uuid_;
  process_uuid_ = writer_.new_uuid();
  Track track;
  track.uuid = process_uuid_;
  track.name = label_.name;
  track.rank = label_.rank;
  track.process.emplace();
  track.process->pid = label_.pid;
  if (facts_.info) {
    for (const std::string& argument : facts_.info->arguments) {
      track.process->command.push_back(printable(argument));
    }
  }
  writer_.describe(track);
  return process_uuid_;
}

ProcessTracks::Thread& ProcessTracks::thread(std::uint32_t id) {
  Thread& thread = threads_[id];
  if (thread.uuid != 0) return thread;
  thread.uuid = writer_.new_uuid();
  Track track;
  track.uuid = thread.uuid;
  track.parent = process();
  track.thread = Track::Thread{label_.pid, std::int64_t{id}};
  if (const auto name = facts_.thread_names.find(id); name != facts_.thread_names.end()) {
    track.name = printable(name->second);
  }
  writer_.describe(track);
  thread.crossing = make_row(thread.uuid, "calls that are not nested", 0);
  // References to the elements of an unordered_map stay valid.
  thread.calls = std::make_unique<NestedSlices>([this, &thread](std::size_t lane, const Slice& slice) {
    writer_.slice(lane == 0 ? thread.uuid : lane_track(thread.crossing, lane - 1), slice);
  });
  return thread;
}

std::uint64_t ProcessTracks::device(std::uint32_t id) {
  std::uint64_t& uuid = device_uuids_[id];
  if (uuid != 0) return uuid;
  uuid = writer_.new_uuid();
  Track track;
  track.uuid = uuid;
  track.parent = process();
  track.name = "GPU " + std::to_string(id);
  if (const auto found = facts_.devices.find(id); found != facts_.devices.end() && !found->second.name.empty()) {
    track.name += ": " + printable(found->second.name);
  }
  track.rank = rank_from(id);
  writer_.describe(track);
  return uuid;
}

ProcessTracks::Row& ProcessTracks::queue(std::uint32_t id) {
  std::optional<Row>& row = slot(queues_, id);
  if (row) return *row;
  const trace::Queue& queue = dictionaries_.queue(id);
  if (queue.device == kHostQueue) return process_row(host_graphs_, "Graphs that begin on the host", rank_from(999));
  row = make_row(device(queue.device), stream_name(queue), rank_from(queue.stream));
  return *row;
}

std::string ProcessTracks::stream_name(const trace::Queue& queue) const {
  std::string name = "Stream " + std::to_string(queue.stream);
  if (const auto context = facts_.contexts.find(queue.context);
      context != facts_.contexts.end() && context->second.null_stream == queue.stream) {
    name += " (default)";
  }
  // Streams of two contexts may have the same number, and tracks with the same name become one row.
  for (std::size_t other = 0; other < dictionaries_.queue_count(); ++other) {
    const trace::Queue& candidate = dictionaries_.queue(static_cast<std::uint32_t>(other));
    if (candidate.device == queue.device && candidate.context != queue.context) {
      return name + " of context " + std::to_string(queue.context);
    }
  }
  return name;
}

ProcessTracks::Row ProcessTracks::make_row(std::uint64_t parent, std::string name, std::int32_t rank) const {
  Row row;
  row.track.parent = parent;
  row.track.name = std::move(name);
  row.track.rank = rank;
  return row;
}

ProcessTracks::Row& ProcessTracks::process_row(std::optional<Row>& row, const char* name, std::int32_t rank) {
  if (!row) row = make_row(process(), name, rank);
  return *row;
}

std::string ProcessTracks::domain_title(const char* what, std::uint32_t domain) const {
  const std::string_view name = dictionaries_.string(domain);
  return name.empty() ? std::string(what) : what + (": " + printable(name));
}

ProcessTracks::Row& ProcessTracks::domain_row(std::map<std::uint32_t, Row>& rows, const char* what,
                                              std::uint32_t domain, std::int32_t rank) {
  const auto found = rows.find(domain);
  if (found != rows.end()) return found->second;
  return rows.emplace(domain, make_row(process(), domain_title(what, domain), rank)).first->second;
}

std::uint64_t ProcessTracks::lane_track(Row& row, std::size_t lane) {
  std::uint64_t& uuid = slot(row.uuids, lane);
  if (uuid != 0) return uuid;
  uuid = writer_.new_uuid();
  row.track.uuid = uuid;
  writer_.describe(row.track);
  return uuid;
}

void ProcessTracks::put(Row& row, const Slice& slice) {
  writer_.slice(lane_track(row, row.lanes.place(slice.start_ns, slice.end_ns)), slice);
}

std::uint64_t ProcessTracks::fixed_name(const std::string& text) {
  std::uint64_t& id = fixed_names_[text];
  if (id == 0) id = writer_.event_name(text);
  return id;
}

std::uint64_t ProcessTracks::text_name(std::uint32_t string_id) {
  std::uint64_t& id = slot(text_names_, string_id);
  if (id == 0) id = writer_.event_name(printable(dictionaries_.string(string_id)));
  return id;
}

std::uint64_t ProcessTracks::kernel_name(std::uint32_t string_id) {
  std::uint64_t& id = slot(kernel_names_, string_id);
  if (id == 0) id = writer_.event_name(printable(demangle(dictionaries_.string(string_id))));
  return id;
}

std::uint64_t ProcessTracks::function_name(std::uint32_t string_id) {
  std::uint64_t& id = slot(function_names_, string_id);
  if (id == 0) id = writer_.event_name(api_name(dictionaries_.string(string_id)));
  return id;
}

bool ProcessTracks::function_starts_work(std::uint32_t string_id) {
  std::uint8_t& known = slot(starts_work_, string_id);
  if (known == 0) known = starts_work(dictionaries_.string(string_id)) ? 2 : 1;
  return known == 2;
}

const std::string& ProcessTracks::shape_annotations(std::uint32_t id) {
  std::string& bytes = slot(shape_annotations_, id);
  if (!bytes.empty()) return bytes;
  const trace::KernelShape& shape = dictionaries_.shape(id);
  Annotations all;
  all.add(keys_.grid, dimensions(shape.grid));
  all.add(keys_.block, dimensions(shape.block));
  if (shape.cluster != Dim3{} && shape.cluster != Dim3{0, 0, 0}) all.add(keys_.cluster, dimensions(shape.cluster));
  all.add(keys_.registers, std::uint64_t{shape.registers_per_thread});
  all.add(keys_.static_shared, std::uint64_t{shape.static_shared_bytes});
  all.add(keys_.dynamic_shared, std::uint64_t{shape.dynamic_shared_bytes});
  if (shape.local_bytes_per_thread != 0) all.add(keys_.local, std::uint64_t{shape.local_bytes_per_thread});
  const KernelKey key{std::string(dictionaries_.string(shape.name)), shape.grid, shape.block,
                      shape.dynamic_shared_bytes};
  if (const auto kernel = counters_.find(key); kernel != counters_.end()) {
    Annotations values;
    for (const auto& [metric, value] : kernel->second->counters) {
      if (value.mean) values.add(writer_.annotation_name(metric), *value.mean);
    }
    if (!values.empty()) all.add(keys_.counters, values);
  }
  bytes = all.bytes();
  return bytes;
}

}  // namespace gpuprof::perfetto
