// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/writer.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <limits>

#include "trace/batch.hpp"
#include "trace/dictionary.hpp"
#include "trace/encode.hpp"
#include "trace/format.hpp"

namespace gpuprof::trace {
namespace {

// 0, or the errno of the failure.
int write_all(int fd, std::uint64_t offset, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::pwrite(fd, data, size, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return EIO;
    data += written;
    offset += static_cast<std::uint64_t>(written);
    size -= static_cast<std::size_t>(written);
  }
  return 0;
}

// Growing a file past RLIMIT_FSIZE would send SIGXFSZ to the program, which ends it by default.
bool within_file_size_limit(std::uint64_t size) {
  rlimit limit{};
  return ::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || size <= limit.rlim_cur;
}

std::uint64_t realtime_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

constexpr std::uint32_t number(FrameKind kind) {
  return static_cast<std::uint32_t>(kind);
}

}  // namespace

struct Writer::Dictionary {
  StringTable strings;
  ShapeTable shapes;
  QueueTable queues;
  // Entries that are in the file already.
  std::uint32_t strings_written = 0;
  std::uint32_t shapes_written = 0;
  std::uint32_t queues_written = 0;
};

struct Writer::Batches {
  KernelBatch kernels{FrameKind::kernels};
  ApiCallBatch api_calls{FrameKind::api_calls};
  CopyBatch copies{FrameKind::copies};
  SetBatch sets{FrameKind::sets};
  SynchronizationBatch synchronizations{FrameKind::synchronizations};
  OverheadBatch overheads{FrameKind::overheads};
  GraphExecutionBatch graph_executions{FrameKind::graph_executions};
  JitBatch jits{FrameKind::jit};
  MemoryEventBatch memory_events{FrameKind::memory_events};
  MemoryPoolEventBatch memory_pool_events{FrameKind::memory_pool_events};
  UnifiedMemoryBatch unified_memory{FrameKind::unified_memory};
  NvtxEventBatch nvtx_events{FrameKind::nvtx_events};
  TelemetrySampleBatch telemetry_samples{FrameKind::telemetry_samples};
  std::string frame;  // header and payload, so that a frame is one write
};

std::unique_ptr<Writer> Writer::create(const std::string& path) {
  const int fd = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0) return nullptr;
  const auto header = file_header();
  const int error = within_file_size_limit(header.size()) ? write_all(fd, 0, header.data(), header.size()) : EFBIG;
  if (error != 0) {
    ::close(fd);
    ::unlink(path.c_str());
    errno = error;
    return nullptr;
  }
  return std::unique_ptr<Writer>(new Writer(fd));
}

Writer::Writer(int fd)
    : fd_(fd),
      owner_pid_(::getpid()),
      offset_(kFileHeaderBytes),
      dictionary_(std::make_unique<Dictionary>()),
      batches_(std::make_unique<Batches>()) {}

Writer::~Writer() {
  try {
    flush();
  } catch (const std::bad_alloc&) {
    // The records of the last batch are lost; the file still ends with a whole frame.
  }
  ::close(fd_);
}

bool Writer::usable() const {
  return error_ == 0 && ::getpid() == owner_pid_;
}

std::uint32_t Writer::string_id(std::string_view bytes) {
  return dictionary_->strings.id_of(bytes);
}

std::uint32_t Writer::shape_id(const KernelShape& shape) {
  return dictionary_->shapes.id_of(shape);
}

std::uint32_t Writer::queue_id(const Queue& queue) {
  return dictionary_->queues.id_of(queue);
}

template <typename Batch, typename Record>
void Writer::collect(Batch& batch, const Record& record) {
  if (error_ != 0) return;
  trace::append(batch, record);
  if (batch.full()) {
    flush_dictionaries();
    flush_batch(batch);
  }
}

void Writer::add(const Kernel& record) {
  collect(batches_->kernels, record);
}
void Writer::add(const ApiCall& record) {
  collect(batches_->api_calls, record);
}
void Writer::add(const Copy& record) {
  collect(batches_->copies, record);
}
void Writer::add(const Set& record) {
  collect(batches_->sets, record);
}
void Writer::add(const Synchronization& record) {
  collect(batches_->synchronizations, record);
}
void Writer::add(const Overhead& record) {
  collect(batches_->overheads, record);
}
void Writer::add(const GraphExecution& record) {
  collect(batches_->graph_executions, record);
}
void Writer::add(const Jit& record) {
  collect(batches_->jits, record);
}
void Writer::add(const MemoryEvent& record) {
  collect(batches_->memory_events, record);
}
void Writer::add(const MemoryPoolEvent& record) {
  collect(batches_->memory_pool_events, record);
}
void Writer::add(const UnifiedMemory& record) {
  collect(batches_->unified_memory, record);
}
void Writer::add(const NvtxEvent& record) {
  collect(batches_->nvtx_events, record);
}
void Writer::add(const TelemetrySample& record) {
  collect(batches_->telemetry_samples, record);
}

template <typename Record>
void Writer::write_single(std::uint32_t kind, const Record& record) {
  flush();
  write_frame(kind, encode(record));
}

void Writer::write(const ProcessInfo& record) {
  write_single(number(FrameKind::process_info), record);
}
void Writer::write(const CuptiInfo& record) {
  write_single(number(FrameKind::cupti_info), record);
}
void Writer::write(const Device& record) {
  write_single(number(FrameKind::device), record);
}
void Writer::write(const ClockSample& record) {
  write_single(number(FrameKind::clock_sample), record);
}
void Writer::write(const LedgerSample& record) {
  write_single(number(FrameKind::ledger), record);
}
void Writer::write(const NoticeRecord& record) {
  write_single(number(FrameKind::notice), record);
}
void Writer::write(const ProcessEndRecord& record) {
  write_single(number(FrameKind::process_end), record);
}
void Writer::write(const CounterPlan& record) {
  write_single(number(FrameKind::counter_plan), record);
}
void Writer::write(const CounterGroups& record) {
  write_single(number(FrameKind::counter_groups), record);
}
void Writer::write(const CounterWindow& record) {
  write_single(number(FrameKind::counter_window), record);
}
void Writer::write(const ThreadName& record) {
  write_single(number(FrameKind::thread_name), record);
}
void Writer::write(const NvtxCategory& record) {
  write_single(number(FrameKind::nvtx_category), record);
}
void Writer::write(const Context& record) {
  write_single(number(FrameKind::context), record);
}
void Writer::write(const Stream& record) {
  write_single(number(FrameKind::stream), record);
}
void Writer::write(const CapturePhase& record) {
  write_single(number(FrameKind::capture_phase), record);
}
void Writer::write(const LaunchCounts& record) {
  write_single(number(FrameKind::launch_counts), record);
}
void Writer::write(const TelemetryDevice& record) {
  write_single(number(FrameKind::telemetry_device), record);
}
void Writer::write(const TelemetryXid& record) {
  write_single(number(FrameKind::telemetry_xid), record);
}

void Writer::flush() {
  if (!usable()) return;
  flush_dictionaries();
  flush_batch(batches_->kernels);
  flush_batch(batches_->api_calls);
  flush_batch(batches_->copies);
  flush_batch(batches_->sets);
  flush_batch(batches_->synchronizations);
  flush_batch(batches_->overheads);
  flush_batch(batches_->graph_executions);
  flush_batch(batches_->jits);
  flush_batch(batches_->memory_events);
  flush_batch(batches_->memory_pool_events);
  flush_batch(batches_->unified_memory);
  flush_batch(batches_->nvtx_events);
  flush_batch(batches_->telemetry_samples);
}

template <typename Batch>
void Writer::flush_batch(Batch& batch) {
  if (batch.empty()) return;
  const auto kernels = batch.kind() == FrameKind::kernels ? static_cast<std::uint32_t>(batch.size()) : 0;
  const std::uint64_t offset = offset_;
  write_frame(number(batch.kind()), batch.take_payload());
  if (!remembers_ || offset_ == offset) return;
  const auto payload_bytes = static_cast<std::uint32_t>(offset_ - offset - kFrameHeaderBytes);
  written_batches_.push_back({realtime_ns(), offset, payload_bytes, kernels});
}

std::uint64_t Writer::discard_before(std::uint64_t time_ns) {
  std::uint64_t kernels = 0;
  while (usable() && !written_batches_.empty() && written_batches_.front().time_ns < time_ns) {
    const WrittenBatch& batch = written_batches_.front();
    // The header first: whatever happens next, the reader skips the frame.
    const auto header = encode_frame_header({batch.payload_bytes, number(FrameKind::discarded), 0});
    if (::pwrite(fd_, header.data(), header.size(), static_cast<off_t>(batch.offset)) !=
        static_cast<ssize_t>(header.size())) {
      break;
    }
    kernels += batch.kernels;
    // Frees the whole file system blocks inside; where that is not supported, the space is kept and nothing else lost.
    if (::fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(batch.offset + header.size()),
                    static_cast<off_t>(batch.payload_bytes)) != 0) {
      // Nothing to do about it.
    }
    written_batches_.pop_front();
  }
  return kernels;
}

void Writer::flush_dictionaries() {
  // Strings first: shapes refer to them.
  const auto flush_table = [this](FrameKind kind, const auto& table, std::uint32_t& written) {
    while (written < table.size() && usable()) {
      std::uint32_t next = written;
      write_frame(number(kind), encode(table, written, next));
      written = next;
    }
  };
  flush_table(FrameKind::strings, dictionary_->strings, dictionary_->strings_written);
  flush_table(FrameKind::kernel_shapes, dictionary_->shapes, dictionary_->shapes_written);
  flush_table(FrameKind::queues, dictionary_->queues, dictionary_->queues_written);
}

void Writer::write_frame(std::uint32_t kind, const std::string& payload) {
  if (!usable() || append(kind, payload)) return;
  // Cutting the failed frame off usually frees enough room for a few bytes that say why the trace ends here.
  if (::ftruncate(fd_, static_cast<off_t>(offset_)) != 0) return;
  const std::string notice = encode(NoticeRecord{NoticeCode::write_failed, realtime_ns(), ::strerror(error_)});
  const int first_error = error_;
  if (!append(number(FrameKind::notice), notice) && ::ftruncate(fd_, static_cast<off_t>(offset_)) != 0) {
    // The reader finds the torn frame by its checksum.
  }
  error_ = first_error;
}

bool Writer::append(std::uint32_t kind, const std::string& payload) {
  if (payload.size() > std::numeric_limits<std::uint32_t>::max()) {
    error_ = EFBIG;
    return false;
  }
  const auto header =
      encode_frame_header({static_cast<std::uint32_t>(payload.size()), kind, frame_checksum(kind, payload)});
  std::string& frame = batches_->frame;
  frame.assign(header.data(), header.size());
  frame += payload;
  error_ = within_file_size_limit(offset_ + frame.size()) ? write_all(fd_, offset_, frame.data(), frame.size()) : EFBIG;
  if (error_ != 0) return false;
  offset_ += frame.size();
  return true;
}

}  // namespace gpuprof::trace
