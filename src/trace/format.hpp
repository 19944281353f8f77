// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The framing of a trace file: 16 bytes of file header, then frames of a 16-byte header and a payload. All integers are
// little-endian. docs/trace-format.md is the published description.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpuprof::trace {

inline constexpr std::string_view kMagic{"GPUPROF\x1a", 8};
// 2: columns may be shorter than their message's first one, frames may be discarded.
inline constexpr std::uint32_t kFormatVersion = 2;
inline constexpr std::size_t kFileHeaderBytes = 16;
inline constexpr std::size_t kFrameHeaderBytes = 16;

// A columnar or dictionary frame holds at most this many records, so a reader's memory does not depend on the file.
inline constexpr std::size_t kMaxFrameRecords = 65536;

// The frame header's kind: FrameKind of trace.proto. Numbers are never reused.
enum class FrameKind : std::uint32_t {
  process_info = 1,
  cupti_info = 2,
  device = 3,
  strings = 4,
  kernel_shapes = 5,
  queues = 6,
  kernels = 7,
  api_calls = 8,
  copies = 9,
  sets = 10,
  synchronizations = 11,
  overheads = 12,
  clock_sample = 13,
  ledger = 14,
  notice = 15,
  process_end = 16,
  counter_plan = 17,
  counter_groups = 18,
  counter_window = 19,
  graph_executions = 20,
  jit = 21,
  memory_events = 22,
  memory_pool_events = 23,
  unified_memory = 24,
  nvtx_events = 25,
  thread_name = 26,
  nvtx_category = 27,
  context = 28,
  stream = 29,
  capture_phase = 30,
  launch_counts = 31,
  telemetry_device = 32,
  telemetry_samples = 33,
  telemetry_xid = 34,
  discarded = 35,
};

struct FrameHeader {
  std::uint32_t payload_bytes = 0;
  std::uint32_t kind = 0;
  std::uint64_t checksum = 0;
};

std::array<char, kFileHeaderBytes> file_header();

std::array<char, kFrameHeaderBytes> encode_frame_header(const FrameHeader& header);

// Reads kFrameHeaderBytes bytes at `bytes`.
FrameHeader decode_frame_header(const char* bytes);

std::uint32_t load_u32(const char* bytes);

// XXH3 (64 bit) of the payload with the seed kind << 32 | length: a payload under a wrong header does not verify.
std::uint64_t frame_checksum(std::uint32_t kind, std::string_view payload);

// XXH3 (64 bit) without a seed, for hash tables.
std::uint64_t hash_bytes(const void* data, std::size_t size);

}  // namespace gpuprof::trace
