// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/frame_walk.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace gpuprof::trace {

bool check_file_header(std::string_view bytes, const std::string& name) {
  const std::size_t magic_bytes = std::min(bytes.size(), kMagic.size());
  const bool complete = bytes.size() >= kFileHeaderBytes;
  const std::uint32_t version = complete ? load_u32(bytes.data() + kMagic.size()) : kFormatVersion;
  if (bytes.substr(0, magic_bytes) != kMagic.substr(0, magic_bytes) || version == 0) {
    throw Error("'" + name + "' is not a gpuprof trace file",
                "Give a session directory or a file that gpuprof recorded.");
  }
  if (version > kFormatVersion) {
    throw Error("'" + name + "' has trace format version " + std::to_string(version) +
                    ", but this gpuprof reads versions up to " + std::to_string(kFormatVersion),
                "Update gpuprof to at least the version that recorded the session.");
  }
  return complete;
}

bool next_frame(std::string_view rest, FrameView& frame) {
  if (rest.size() < kFrameHeaderBytes) return false;
  const FrameHeader header = decode_frame_header(rest.data());
  if (header.payload_bytes > rest.size() - kFrameHeaderBytes) return false;
  frame = {header.kind, rest.substr(kFrameHeaderBytes, header.payload_bytes)};
  // What is left of a frame that was taken back has no contents to check.
  const bool discarded = header.kind == static_cast<std::uint32_t>(FrameKind::discarded);
  // Checksum 0, as the writer leaves it: a damaged kind does not pass for a discarded frame.
  return discarded ? header.checksum == 0 : frame_checksum(header.kind, frame.payload) == header.checksum;
}

}  // namespace gpuprof::trace
