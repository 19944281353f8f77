// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/reader.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "trace/format.hpp"
#include "trace/frame_decoder.hpp"

namespace gpuprof::trace {
namespace {

// A file mapped read-only for the lifetime of the object.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) fail(path, errno);
    struct stat status {};
    int error = ::fstat(fd, &status) == 0 ? 0 : errno;
    if (error == 0 && !S_ISREG(status.st_mode)) error = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    if (error == 0 && status.st_size > 0) {
      size_ = static_cast<std::size_t>(status.st_size);
      data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
      if (data_ == MAP_FAILED) error = errno;
    }
    ::close(fd);
    if (error != 0) fail(path, error);
    if (size_ > 0) ::madvise(data_, size_, MADV_SEQUENTIAL);
  }

  ~MappedFile() {
    if (size_ > 0) ::munmap(data_, size_);
  }

  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

  // Gives back the memory of everything before `position`, which will not be read again, so that reading takes the same
  // memory for any size of file.
  void done_before(std::size_t position) {
    constexpr std::size_t kStep = 16 << 20;
    if (position - released_ < 2 * kStep) return;
    const std::size_t step = (position - released_) / kStep * kStep;
    ::madvise(static_cast<char*>(data_) + released_, step, MADV_DONTNEED);
    released_ += step;
  }

 private:
  [[noreturn]] static void fail(const std::string& path, int error) {
    throw Error("cannot read the trace file '" + path + "': " + std::strerror(error),
                "Check that the file exists and that you may read it.");
  }

  void* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t released_ = 0;
};

void check_file_header(std::string_view bytes, const std::string& name) {
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
}

class PlanVisitor : public Visitor {
 public:
  using Visitor::on;
  explicit PlanVisitor(CounterPlan& plan) : plan_(plan) {}

  void on(const CounterPlan& record) override {
    plan_ = record;
    found_ = true;
  }
  bool found() const { return found_; }

 private:
  CounterPlan& plan_;
  bool found_ = false;
};

// `mapping` is where the bytes lie, or null.
ReadResult read_frames(std::string_view bytes, const std::string& name, MappedFile* mapping, Dictionaries& dictionaries,
                       Visitor& visitor) {
  check_file_header(bytes, name);
  ReadResult result;
  result.bytes = bytes.size();
  if (bytes.size() < kFileHeaderBytes) {
    result.state = bytes.empty() ? FileState::empty : FileState::torn;
    return result;
  }
  result.good_bytes = kFileHeaderBytes;
  FrameDecoder decoder{dictionaries, visitor};
  while (result.good_bytes < bytes.size()) {
    const std::string_view rest = bytes.substr(result.good_bytes);
    result.state = FileState::torn;
    if (rest.size() < kFrameHeaderBytes) return result;
    const FrameHeader header = decode_frame_header(rest.data());
    if (header.payload_bytes > rest.size() - kFrameHeaderBytes) return result;
    const std::string_view payload = rest.substr(kFrameHeaderBytes, header.payload_bytes);
    // What is left of a frame that was taken back has no contents to check.
    const bool discarded = header.kind == static_cast<std::uint32_t>(FrameKind::discarded);
    if (!discarded && frame_checksum(header.kind, payload) != header.checksum) return result;
    const FrameDecoder::Outcome outcome = decoder.decode(header.kind, payload);
    if (outcome == FrameDecoder::Outcome::damaged) return result;
    if (outcome == FrameDecoder::Outcome::unknown) ++result.unknown_frames;
    ++result.frames;
    result.good_bytes += kFrameHeaderBytes + payload.size();
    result.state = FileState::whole;
    if (mapping != nullptr) mapping->done_before(result.good_bytes);
  }
  if (result.frames == 0) result.state = FileState::empty;
  return result;
}

}  // namespace

ReadResult read_bytes(std::string_view bytes, const std::string& name, Dictionaries& dictionaries, Visitor& visitor) {
  return read_frames(bytes, name, nullptr, dictionaries, visitor);
}

ReadResult read_file(const std::string& path, Dictionaries& dictionaries, Visitor& visitor) {
  MappedFile file{path};
  return read_frames(file.bytes(), path, &file, dictionaries, visitor);
}

bool read_plan(const std::string& path, CounterPlan& plan) {
  try {
    Dictionaries dictionaries;
    PlanVisitor visitor{plan};
    read_file(path, dictionaries, visitor);
    return visitor.found();
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace gpuprof::trace
