// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "support/trace_builder.hpp"

namespace gpuprof::perfetto::test {
namespace {

struct Output {
  int status = -1;
  std::string text;
};

Output run(const std::string& command) {
  Output output;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  char buffer[65536];
  while (const std::size_t size = std::fread(buffer, 1, sizeof(buffer), pipe)) output.text.append(buffer, size);
  output.status = ::pclose(pipe);
  return output;
}

std::string unescape(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      result += text[i];
    } else if (text[i + 1] >= '0' && text[i + 1] <= '7') {
      result += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 3)), nullptr, 8));
      i += 3;
    } else {
      const char c = text[++i];
      result += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
    }
  }
  return result;
}

// protoc writes one field a line.
Message parse(std::string_view text, std::size_t& at) {
  Message message;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line == "}") break;
    if (line.size() > 2 && line.substr(line.size() - 2) == " {") {
      message.messages.emplace_back(line.substr(0, line.size() - 2), parse(text, at));
    } else if (const std::size_t colon = line.find(": "); colon != std::string_view::npos) {
      std::string_view value = line.substr(colon + 2);
      const bool quoted = !value.empty() && value.front() == '"';
      message.values.emplace_back(line.substr(0, colon),
                                  quoted ? unescape(value.substr(1, value.size() - 2)) : std::string(value));
    }
  }
  return message;
}

struct Event {
  std::uint64_t time_ns;
  const Message* message;
};

using Names = std::map<std::uint64_t, std::string>;

void annotate(const Message& event, std::string_view field, const std::string& prefix, const Names& names,
              std::map<std::string, std::string>& to) {
  for (const auto& [name, message] : event.messages) {
    if (name != field) continue;
    const auto known = names.find(message.number("name"));
    const std::string key = prefix + (known == names.end() ? "?" : known->second);
    for (const char* kind : {"uint", "int", "real", "text"}) {
      if (const std::string value = message.get(kind); !value.empty()) to[key] = value;
    }
    annotate(message, "entry", key + "/", names, to);
  }
}

}  // namespace

std::string Message::get(std::string_view field) const {
  for (const auto& [name, value] : values) {
    if (name == field) return value;
  }
  return {};
}

std::uint64_t Message::number(std::string_view field) const {
  const std::string value = get(field);
  return value.empty() ? 0 : std::stoull(value);
}

const Message* Message::find(std::string_view field) const {
  for (const auto& [name, message] : messages) {
    if (name == field) return &message;
  }
  return nullptr;
}

std::vector<std::string> Message::all(std::string_view field) const {
  std::vector<std::string> found;
  for (const auto& [name, value] : values) {
    if (name == field) found.push_back(value);
  }
  return found;
}

bool can_decode() {
  return run("protoc --version 2>/dev/null").status == 0;
}

Viewer::Viewer(const std::string& bytes) {
  const gpuprof::test::TraceFolder folder;
  std::ofstream{folder.file("trace"), std::ios::binary} << bytes;
  const Output output =
      run("protoc --decode=seen.Trace -I '" GPUPROF_SOURCE_DIR "/tests/unit/export' perfetto.proto < '" +
          folder.file("trace") + "' 2>&1");
  if (output.status != 0) throw std::runtime_error("protoc: " + output.text.substr(0, 500));
  std::size_t at = 0;
  trace = parse(output.text, at);

  Names events;
  Names categories;
  Names annotations;
  std::vector<Event> sorted;
  bool state = false;
  for (const auto& [kind, packet] : trace.messages) {
    for (const auto& [field, value] : packet.values) {
      if (field.find_first_not_of("0123456789") == std::string::npos) problems.push_back("unknown field " + field);
    }
    if (packet.number("sequence") == 0) problems.emplace_back("packet without a sequence");
    if (packet.number("flags") == 1) state = true;
    if (packet.number("flags") == 2 && !state) problems.emplace_back("event before the state was cleared");
    if (const Message* interned = packet.find("interned")) {
      for (const auto& [field, name] : interned->messages) {
        Names& names = field == "event" ? events : field == "category" ? categories : annotations;
        if (!names.emplace(name.number("id"), name.get("name")).second) problems.emplace_back("name defined twice");
      }
    }
    if (const Message* track = packet.find("track")) {
      SeenTrack seen;
      seen.uuid = track->number("uuid");
      seen.parent = track->number("parent");
      seen.name = track->get("name");
      seen.rank = static_cast<std::int64_t>(track->number("rank"));
      if (const Message* process = track->find("process")) {
        seen.name = process->get("name");
        seen.pid = static_cast<std::int64_t>(process->number("pid"));
      }
      if (const Message* thread = track->find("thread")) {
        seen.name = thread->get("name");
        seen.tid = static_cast<std::int64_t>(thread->number("tid"));
      }
      if (const Message* counter = track->find("counter")) {
        seen.unit = counter->get("unit_name");
        if (seen.unit.empty() && counter->number("unit") == 3) seen.unit = "bytes";
      }
      if (seen.parent != 0 && tracks.count(seen.parent) == 0) problems.emplace_back("track before its parent");
      if (!tracks.emplace(seen.uuid, seen).second) problems.emplace_back("track described twice");
    }
    if (const Message* event = packet.find("event")) {
      if (packet.number("flags") != 2) problems.emplace_back("event that does not say it needs the names");
      if (tracks.count(event->number("track")) == 0) problems.emplace_back("event on an unknown track");
      if (event->number("type") < 2 && events.count(event->number("name")) == 0) problems.emplace_back("unknown name");
      sorted.push_back({packet.number("timestamp"), event});
    }
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Event& a, const Event& b) { return a.time_ns < b.time_ns; });

  std::map<std::uint64_t, std::vector<std::size_t>> open;
  std::map<std::uint64_t, std::size_t> flow_starts;
  for (const Event& event : sorted) {
    const Message& message = *event.message;
    const std::uint64_t track = message.number("track");
    const std::uint64_t type = message.number("type");
    if (type == 2) {
      if (open[track].empty()) {
        problems.push_back("end without a beginning on " + path(track));
        continue;
      }
      slices[open[track].back()].end_ns = event.time_ns;
      open[track].pop_back();
    } else if (type == 4) {
      const std::string value = message.get("value").empty() ? message.get("real") : message.get("value");
      values.push_back({track, event.time_ns, std::stod(value)});
    } else {
      SeenSlice slice;
      slice.track = track;
      slice.name = events[message.number("name")];
      slice.category = categories[message.number("category")];
      slice.start_ns = event.time_ns;
      slice.end_ns = event.time_ns;
      slice.depth = open[track].size();
      slice.instant = type == 3;
      annotate(message, "annotation", "", annotations, slice.annotations);
      if (!slice.instant) open[track].push_back(slices.size());
      for (const std::string& flow : message.all("flow")) flow_starts[std::stoull(flow)] = slices.size();
      for (const std::string& flow : message.all("end_flow")) {
        const auto start = flow_starts.find(std::stoull(flow));
        if (start == flow_starts.end()) {
          problems.push_back("flow without a beginning to " + slice.name);
          continue;
        }
        flows.emplace_back(start->second, slices.size());
        flow_starts.erase(start);
      }
      slices.push_back(std::move(slice));
    }
  }
  for (const auto& [track, stack] : open) {
    if (!stack.empty()) problems.push_back("slice without an end on " + path(track));
  }
}

const SeenSlice& Viewer::slice(std::string_view name) const {
  for (const SeenSlice& slice : slices) {
    if (slice.name == name) return slice;
  }
  throw std::runtime_error("no slice " + std::string(name));
}

std::vector<SeenSlice> Viewer::on_track(std::string_view name) const {
  std::vector<SeenSlice> found;
  for (const SeenSlice& slice : slices) {
    if (tracks.at(slice.track).name == name) found.push_back(slice);
  }
  return found;
}

std::string Viewer::path(std::uint64_t track) const {
  const auto found = tracks.find(track);
  if (found == tracks.end()) return "?";
  const SeenTrack& seen = found->second;
  return (seen.parent != 0 ? path(seen.parent) + "/" : std::string()) + seen.name;
}

std::string Viewer::values_of(std::string_view track) const {
  std::string text;
  for (const SeenValue& value : values) {
    if (tracks.at(value.track).name != track) continue;
    char number[32];
    std::snprintf(number, sizeof(number), "%g", value.value);
    text += (text.empty() ? "" : " ") + std::string(number);
  }
  return text;
}

}  // namespace gpuprof::perfetto::test
