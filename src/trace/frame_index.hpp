// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The first of the two passes over a trace file: where its frames of events lie and what time they cover.

#include <cstdint>
#include <string>
#include <vector>

#include "gpuprof/trace.hpp"
#include "trace/event_stream.hpp"
#include "trace/mapped_file.hpp"
#include "trace/process_lifetime.hpp"
#include "trace/reader.hpp"

namespace gpuprof::trace {

struct IndexedFrame {
  std::uint64_t offset = 0;  // of the payload
  std::uint32_t size = 0;
  std::uint32_t kind = 0;
  std::uint64_t first_ns = 0;  // earliest start of its usable records
  std::uint64_t last_ns = 0;   // latest end
};

struct FrameIndex {
  ReadResult read;
  ProcessLifetime lifetime;
  std::vector<IndexedFrame> frames;  // those with usable records, in file order
  std::vector<CapturePhase> phases;  // by time
  EventSpan span;
};

// Fills `dictionaries`, feeds `records` (may be null). Throws Error as read_file does.
FrameIndex index_frames(MappedFile& file, const std::string& path, Dictionaries& dictionaries, Visitor* records);

}  // namespace gpuprof::trace
