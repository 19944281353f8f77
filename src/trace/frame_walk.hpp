// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// From frame to frame through the bytes of a trace file, until the first one that is not good.

#include <cstdint>
#include <string>
#include <string_view>

#include "trace/format.hpp"
#include "trace/frame_decoder.hpp"
#include "trace/reader.hpp"

namespace gpuprof::trace {

// Is there a whole file header? Throws Error when the file is not a trace or newer than this reader.
bool check_file_header(std::string_view bytes, const std::string& name);

// The frame at the beginning of `rest`, its checksum verified. False when there is no good one.
struct FrameView {
  std::uint32_t kind = 0;
  std::string_view payload;

  std::size_t bytes() const { return kFrameHeaderBytes + payload.size(); }
};
bool next_frame(std::string_view rest, FrameView& frame);

// Calls decode(frame, offset of the payload in the file) for every good frame; it returns a FrameDecoder::Outcome.
template <typename Decode>
ReadResult walk_frames(std::string_view bytes, const std::string& name, const Decode& decode) {
  ReadResult result;
  result.bytes = bytes.size();
  if (!check_file_header(bytes, name)) {
    result.state = bytes.empty() ? FileState::empty : FileState::torn;
    return result;
  }
  result.good_bytes = kFileHeaderBytes;
  while (result.good_bytes < bytes.size()) {
    FrameView frame;
    result.state = FileState::torn;
    if (!next_frame(bytes.substr(result.good_bytes), frame)) return result;
    const FrameDecoder::Outcome outcome = decode(frame, result.good_bytes + kFrameHeaderBytes);
    if (outcome == FrameDecoder::Outcome::damaged) return result;
    if (outcome == FrameDecoder::Outcome::unknown) ++result.unknown_frames;
    ++result.frames;
    result.good_bytes += frame.bytes();
    result.state = FileState::whole;
  }
  if (result.frames == 0) result.state = FileState::empty;
  return result;
}

}  // namespace gpuprof::trace
