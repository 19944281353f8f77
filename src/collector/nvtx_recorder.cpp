// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/nvtx_recorder.hpp"

#include <unistd.h>

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "collector/nvtx_callbacks.hpp"
#include "collector/process.hpp"

namespace gpuprof::collector {
namespace {

// Names of threads and categories that wait for the collector's thread.
constexpr std::size_t kMaxWaitingNameBytes = std::size_t{4} << 20;
constexpr std::size_t kNameEntryBytes = 64;

// What is known about an open push range.
enum RangeFlag : std::uint8_t { range_is_stored = 1, range_is_watched = 2 };

// The low bits of the id of a start/end range carry the same, for the end may come on another thread.
constexpr unsigned kRangeIdShift = 2;
constexpr std::uint64_t kDroppedId = 1;
constexpr std::uint64_t kWatchedId = 2;

// Written by one thread only.
void increment(std::atomic<std::uint64_t>& counter) {
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace

struct NvtxRecorder::Thread {
  Thread(NvtxMemory& memory, std::uint32_t thread_id) : buffer(memory), id(thread_id) {}

  std::vector<std::uint8_t>& open_ranges(std::uint32_t domain) {
    if (domain >= ranges.size()) ranges.resize(domain + 1);
    return ranges[domain];
  }

  void count_loss() {
    increment(events);
    increment(dropped);
  }

  NvtxBuffer buffer;
  std::uint32_t id;
  std::vector<std::vector<std::uint8_t>> ranges;  // by domain: the flags of each open push range
  std::atomic<std::uint64_t> events{0};
  std::atomic<std::uint64_t> dropped{0};
  std::atomic<bool> ended{false};
};

// Ids of the writer's dictionary by our index.
struct NvtxRecorder::Reader {
  using Ids = std::vector<std::optional<std::uint32_t>>;
  Ids domains;
  Ids strings;
  std::vector<Thread*> threads;
  std::vector<Thread*> ended;
};

namespace {

struct CurrentThread {
  void* state = nullptr;
  // A call is under way: another one can only come from what it calls, an allocator for example, or from a signal
  // handler.
  bool busy = false;
};
thread_local CurrentThread current;

}  // namespace

// One call of the program into the recorder.
class NvtxRecorder::Use {
 public:
  explicit Use(NvtxRecorder& recorder) {
    CurrentThread& here = current;
    if (!here.busy) {
      here.busy = true;
      owner_ = true;
      if (here.state == nullptr) here.state = recorder.enlist();
      thread_ = static_cast<Thread*>(here.state);
    }
    if (thread_ == nullptr) recorder.refused_.fetch_add(1, std::memory_order_relaxed);
  }
  ~Use() {
    if (owner_) current.busy = false;
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

  // Null when the call is refused.
  Thread* thread() const { return thread_; }

 private:
  bool owner_ = false;
  Thread* thread_ = nullptr;
};

NvtxRecorder& NvtxRecorder::instance() {
  static auto* const recorder = new NvtxRecorder;
  return *recorder;
}

NvtxRecorder::NvtxRecorder() : ready_(pthread_key_create(&thread_exit_key_, on_thread_exit) == 0) {}

int NvtxRecorder::install(const void* (*get_export_table)(std::uint32_t)) {
  return ready_ && install_nvtx_callbacks(get_export_table) ? 1 : 0;
}

NvtxRecorder::Thread* NvtxRecorder::enlist() {
  try {
    auto thread = std::make_unique<Thread>(memory_, static_cast<std::uint32_t>(gettid()));
    const std::lock_guard lock(mutex_);
    threads_.push_back(thread.get());
    pthread_setspecific(thread_exit_key_, thread.get());
    return thread.release();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void NvtxRecorder::on_thread_exit(void* thread) {
  // The program's own exit functions may still call NVTX on this thread: it would enlist again.
  current.state = nullptr;
  instance().retire(static_cast<Thread*>(thread));
}

void NvtxRecorder::retire(Thread* thread) {
  if (recording_) {
    // Freed by the collector's thread when it is empty.
    thread->ended.store(true, std::memory_order_release);
    return;
  }
  const std::lock_guard lock(mutex_);
  std::erase(threads_, thread);
  delete thread;
}

// The default domain for a handle that was never given out.
std::uint32_t NvtxRecorder::known_domain(std::uint32_t domain) const {
  return domain < domain_count_.load(std::memory_order_relaxed) ? domain : 0;
}

bool NvtxRecorder::record(Thread& thread, const NvtxCall& call, NvtxUrgency urgency) {
  increment(thread.events);
  if (recording_.load(std::memory_order_relaxed) && thread.buffer.append(call, realtime_ns(), urgency)) return true;
  increment(thread.dropped);
  return false;
}

int NvtxRecorder::push(NvtxCall call) {
  const Use use(*this);
  if (use.thread() == nullptr) return 0;
  call.kind = trace::NvtxKind::push;
  call.domain = known_domain(call.domain);
  std::vector<std::uint8_t>& ranges = use.thread()->open_ranges(call.domain);
  const auto level = static_cast<int>(ranges.size());
  ranges.push_back(0);
  if (record(*use.thread(), call, NvtxUrgency::normal)) ranges.back() |= range_is_stored;
  if (watch_.matches(call.domain, call.name)) {
    ranges.back() |= range_is_watched;
    watch_.opened(0);
  }
  return level;
}

int NvtxRecorder::pop(std::uint32_t domain) {
  const Use use(*this);
  if (use.thread() == nullptr) return 0;
  NvtxCall call;
  call.kind = trace::NvtxKind::pop;
  call.domain = known_domain(domain);
  std::vector<std::uint8_t>& ranges = use.thread()->open_ranges(call.domain);
  if (ranges.empty()) {
    record(*use.thread(), call, NvtxUrgency::normal);
    return -1;
  }
  const std::uint8_t flags = ranges.back();
  ranges.pop_back();
  if ((flags & range_is_stored) != 0) {
    record(*use.thread(), call, NvtxUrgency::closes_stored_range);
  } else {
    use.thread()->count_loss();
  }
  if ((flags & range_is_watched) != 0) watch_.closed(0);
  return static_cast<int>(ranges.size());
}

std::uint64_t NvtxRecorder::start(NvtxCall call) {
  call.kind = trace::NvtxKind::start;
  call.domain = known_domain(call.domain);
  call.range = next_range_.fetch_add(1, std::memory_order_relaxed) << kRangeIdShift;
  const Use use(*this);
  if (use.thread() == nullptr) return call.range | kDroppedId;
  const bool watched = watch_.matches(call.domain, call.name);
  if (watched) call.range |= kWatchedId;
  if (!record(*use.thread(), call, NvtxUrgency::normal)) call.range |= kDroppedId;
  if (watched) watch_.opened(call.range);
  return call.range;
}

void NvtxRecorder::end(std::uint32_t domain, std::uint64_t range) {
  const Use use(*this);
  if (use.thread() == nullptr) return;
  if ((range & kDroppedId) != 0) {
    use.thread()->count_loss();
  } else {
    NvtxCall call;
    call.kind = trace::NvtxKind::end;
    call.domain = known_domain(domain);
    call.range = range;
    record(*use.thread(), call, NvtxUrgency::closes_stored_range);
  }
  if ((range & kWatchedId) != 0) watch_.closed(range);
}

void NvtxRecorder::mark(NvtxCall call) {
  const Use use(*this);
  if (use.thread() == nullptr) return;
  call.kind = trace::NvtxKind::mark;
  call.domain = known_domain(call.domain);
  record(*use.thread(), call, NvtxUrgency::normal);
}

std::uint32_t NvtxRecorder::index_of(NvtxNames& names, const NvtxText& name, Thread& thread) {
  const std::string bytes = to_bytes(name);
  const std::lock_guard lock(mutex_);
  const std::uint32_t index = names.index_of(bytes);
  if (index == 0 && !bytes.empty()) thread.count_loss();
  return index;
}

std::uint32_t NvtxRecorder::create_domain(const NvtxText& name) {
  const Use use(*this);
  if (use.thread() == nullptr) return 0;
  const std::uint32_t index = index_of(domains_, name, *use.thread());
  std::uint32_t count = domain_count_.load(std::memory_order_relaxed);
  while (count <= index && !domain_count_.compare_exchange_weak(count, index + 1, std::memory_order_relaxed)) {
  }
  return index;
}

std::uint32_t NvtxRecorder::register_string(const NvtxText& name) {
  const Use use(*this);
  return use.thread() != nullptr ? index_of(strings_, name, *use.thread()) : 0;
}

// Under the lock.
bool NvtxRecorder::room_for_name(std::size_t bytes, Thread& thread) {
  if (!recording_ || waiting_name_bytes_ + bytes + kNameEntryBytes > kMaxWaitingNameBytes) {
    thread.count_loss();
    return false;
  }
  waiting_name_bytes_ += bytes + kNameEntryBytes;
  return true;
}

void NvtxRecorder::name_category(std::uint32_t domain, std::uint32_t category, const NvtxText& name) {
  const Use use(*this);
  if (use.thread() == nullptr) return;
  std::string bytes = to_bytes(name);
  const std::lock_guard lock(mutex_);
  if (!room_for_name(bytes.size(), *use.thread())) return;
  categories_.push_back({std::string(domains_[domain]), category, std::move(bytes)});
}

void NvtxRecorder::name_thread(std::uint32_t thread, const NvtxText& name) {
  const Use use(*this);
  if (use.thread() == nullptr) return;
  std::string bytes = to_bytes(name);
  const std::lock_guard lock(mutex_);
  if (room_for_name(bytes.size(), *use.thread())) thread_names_.push_back({thread, std::move(bytes)});
}

void NvtxRecorder::watch(const std::string& name, void (*changed)(void* user, bool open), void* user) {
  NvtxWatch::Target target;
  target.whole = name;
  target.changed = changed;
  target.user = user;
  const std::size_t at = name.rfind('@');
  const std::lock_guard lock(mutex_);
  target.whole_registered = strings_.index_of(name);
  if (at != std::string::npos) {
    target.name = name.substr(0, at);
    target.name_registered = strings_.index_of(target.name);
    target.domain = domains_.index_of(name.substr(at + 1));
    domain_count_ = domains_.size();
  }
  watch_.set(std::move(target));
}

void NvtxRecorder::drain(trace::Writer& writer) {
  if (reader_is_stale_.exchange(false)) {
    // The parent's thread may have been changing it when the process forked.
    static_cast<void>(reader_.release());
  }
  resume();
  if (reader_ == nullptr) reader_ = std::make_unique<Reader>();
  write_names(writer);
  {
    const std::lock_guard lock(mutex_);
    reader_->threads = threads_;
  }
  reader_->ended.clear();
  for (Thread* thread : reader_->threads) {
    // Asked first: what such a thread has recorded is all there now.
    const bool ended = thread->ended.load(std::memory_order_acquire);
    thread->buffer.take([&](const NvtxStoredCall& call) { write_call(writer, thread->id, call); });
    if (ended) reader_->ended.push_back(thread);
  }
  const std::lock_guard lock(mutex_);
  for (Thread* thread : reader_->ended) {
    past_events_ += thread->events;
    past_dropped_ += thread->dropped;
    std::erase(threads_, thread);
    delete thread;
  }
}

void NvtxRecorder::write_names(trace::Writer& writer) {
  std::vector<trace::ThreadName> thread_names;
  std::vector<trace::NvtxCategory> categories;
  {
    const std::lock_guard lock(mutex_);
    thread_names.swap(thread_names_);
    categories.swap(categories_);
    waiting_name_bytes_ = 0;
  }
  for (const auto& name : thread_names) writer.write(name);
  for (const auto& category : categories) writer.write(category);
}

void NvtxRecorder::write_call(trace::Writer& writer, std::uint32_t thread, const NvtxStoredCall& call) {
  const auto id_of = [&](Reader::Ids& ids, const NvtxNames& names, std::uint32_t index) {
    if (index < ids.size() && ids[index]) return *ids[index];
    const std::lock_guard lock(mutex_);
    if (index >= names.size()) index = 0;
    if (index >= ids.size()) ids.resize(index + 1);
    ids[index] = writer.string_id(names[index]);
    return *ids[index];
  };
  trace::NvtxEvent event;
  event.time_ns = call.time_ns;
  event.kind = call.kind;
  event.thread = thread;
  event.name = call.registered != 0 ? id_of(reader_->strings, strings_, call.registered) : writer.string_id(call.name);
  event.domain = id_of(reader_->domains, domains_, call.domain);
  event.range = call.range;
  event.category = call.category;
  event.color = call.color;
  event.payload_type = call.payload_type;
  event.payload = call.payload;
  writer.add(event);
}

std::uint64_t NvtxRecorder::events() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t sum = past_events_ + refused_;
  for (const Thread* thread : threads_) sum += thread->events;
  return sum;
}

std::uint64_t NvtxRecorder::dropped() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t sum = past_dropped_ + refused_;
  for (const Thread* thread : threads_) sum += thread->dropped;
  return sum;
}

void NvtxRecorder::abandon() {
  recording_ = false;
  reader_is_stale_ = true;
  watch_.forget();
  // The other threads do not exist here. What they recorded stays where it is: the parent writes it.
  auto* own = static_cast<Thread*>(current.state);
  threads_.clear();
  if (own != nullptr) {
    own->buffer.restart();
    own->id = static_cast<std::uint32_t>(gettid());
    own->events = 0;
    own->dropped = 0;
    for (auto& ranges : own->ranges) std::fill(ranges.begin(), ranges.end(), std::uint8_t{0});
    threads_.push_back(own);
  }
  memory_.forget(own != nullptr ? own->buffer.held() : 0);
  past_events_ = 0;
  past_dropped_ = 0;
  refused_ = 0;
  thread_names_.clear();
  categories_.clear();
  waiting_name_bytes_ = 0;
  mutex_.unlock();
}

void NvtxRecorder::resume() {
  recording_ = true;
}

}  // namespace gpuprof::collector
