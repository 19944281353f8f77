// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
//
// Feeds the trace reader. The first byte chooses: the rest as a file, or the rest as frames whose headers and checksums
// are made right, because no fuzzer finds a payload that matches its checksum.
//
//   fuzz_trace_reader -max_len=65536 -max_total_time=60 CORPUS

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "trace/format.hpp"
#include "trace/reader.hpp"

namespace {

using namespace gpuprof::trace;

// Uses every id the way visitors do; an unchecked one throws std::out_of_range, which nothing catches.
class IdUser : public Visitor {
 public:
  using Visitor::on;
  explicit IdUser(const Dictionaries& dictionaries) : dictionaries_(dictionaries) {}

  void on(std::span<const Kernel> records) override {
    for (const Kernel& record : records) {
      use(dictionaries_.string(dictionaries_.shape(record.shape).name).size());
      use(dictionaries_.queue(record.queue).stream);
    }
  }
  void on(std::span<const ApiCall> records) override {
    for (const ApiCall& record : records) use(dictionaries_.string(record.function).size());
  }
  void on(std::span<const Copy> records) override {
    for (const Copy& record : records) use(dictionaries_.queue(record.queue).device);
  }
  void on(std::span<const Set> records) override {
    for (const Set& record : records) use(dictionaries_.queue(record.queue).device);
  }
  void on(const CounterWindow& record) override {
    if (record.graph != 0) return;
    for (const std::uint32_t shape : record.launches) use(dictionaries_.shape(shape).name);
  }

 private:
  void use(std::uint64_t value) { sum_ = sum_ + value; }

  const Dictionaries& dictionaries_;
  volatile std::uint64_t sum_ = 0;
};

// Input: kind, payload length (two bytes), payload, and so on.
std::string as_file(std::string_view input) {
  const auto header = file_header();
  std::string file(header.begin(), header.end());
  while (input.size() >= 3) {
    const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(input[i])}; };
    const std::uint32_t kind = byte(0) % 32;
    const std::size_t length = std::min<std::size_t>(byte(1) | byte(2) << 8, input.size() - 3);
    const std::string_view payload = input.substr(3, length);
    const auto frame_header =
        encode_frame_header({static_cast<std::uint32_t>(length), kind, frame_checksum(kind, payload)});
    file.append(frame_header.begin(), frame_header.end());
    file += payload;
    input.remove_prefix(3 + length);
  }
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input{reinterpret_cast<const char*>(data) + 1, size - 1};
  const std::string file = data[0] % 8 == 0 ? std::string(input) : as_file(input);
  Dictionaries dictionaries;
  IdUser visitor{dictionaries};
  try {
    const ReadResult result = read_bytes(file, "input", dictionaries, visitor);
    if (result.good_bytes > result.bytes ||
        (result.state == FileState::whole) != (result.frames > 0 && result.good_bytes == result.bytes)) {
      std::abort();
    }
  } catch (const gpuprof::Error&) {
    // Not a trace file.
  }
  return 0;
}
