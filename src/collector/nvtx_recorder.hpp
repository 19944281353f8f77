// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Records the NVTX calls of this process: ranges, marks, and the names of domains, strings, categories and threads. The
// calls come on the program's threads; drain() moves them into the trace on the collector's.

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "collector/nvtx_buffer.hpp"
#include "collector/nvtx_names.hpp"
#include "collector/nvtx_watch.hpp"
#include "gpuprof/trace.hpp"
#include "trace/writer.hpp"

namespace gpuprof::collector {

class NvtxRecorder {
 public:
  // Never destroyed: NVTX may be called until the process is gone.
  static NvtxRecorder& instance();

  // Makes an instance of NVTX in this process call the recorder. `get_export_table` is what NVTX passes to the function
  // it looks for in an injected library. Returns 1 when done, as NVTX wants, else 0.
  int install(const void* (*get_export_table)(std::uint32_t id));

  // Bytes that one thread's calls may take until they are drained; all threads together get four times as much. Beyond
  // that, calls are dropped and counted: a range that is dropped is dropped with both its ends. 16 MB unless set.
  void set_limit(std::size_t bytes) { memory_.set_limit(bytes); }

  // Moves everything recorded so far into the writer. On the collector's thread only.
  void drain(trace::Writer& writer);

  // Calls seen, stored or not: pushes, pops, starts, ends and marks. After a drain with all threads at rest, the
  // events in the file are events() - dropped(). A name that was lost for lack of memory is in both counts.
  std::uint64_t events() const;
  std::uint64_t dropped() const;

  // Around fork, in the parent's thread, so that the child finds whole tables whatever the other threads are about.
  void before_fork() { mutex_.lock(); }
  void after_fork() { mutex_.unlock(); }

  // After fork, in the child, in place of after_fork(): recording stops, and what the parent has not drained yet is
  // forgotten. NVTX calls go on returning right values.
  void abandon();

  // Records again: a forked child has got a collector of its own. drain() does it too.
  void resume();

  // Tells `changed` about ranges called `name`: when the first one opens (open = true), and when the last one closes.
  // "NAME" means any domain, "NAME@DOMAIN" one domain. Called on the program's thread that opens or closes the range,
  // inside its NVTX call. Ranges that are open already do not count. Call it before threads make NVTX calls.
  void watch(const std::string& name, void (*changed)(void* user, bool open), void* user);

  // What NVTX calls. Levels count from 0, for each thread and domain; a pop without a push returns -1.
  int push(NvtxCall call);
  int pop(std::uint32_t domain);
  std::uint64_t start(NvtxCall call);
  void end(std::uint32_t domain, std::uint64_t range);
  void mark(NvtxCall call);
  std::uint32_t create_domain(const NvtxText& name);
  std::uint32_t register_string(const NvtxText& name);
  void name_category(std::uint32_t domain, std::uint32_t category, const NvtxText& name);
  void name_thread(std::uint32_t thread, const NvtxText& name);

 private:
  struct Thread;
  struct Reader;
  class Use;

  NvtxRecorder();
  ~NvtxRecorder() = delete;

  Thread* enlist();
  static void on_thread_exit(void* thread);
  void retire(Thread* thread);
  std::uint32_t known_domain(std::uint32_t domain) const;
  bool record(Thread& thread, const NvtxCall& call, NvtxUrgency urgency);
  std::uint32_t index_of(NvtxNames& names, const NvtxText& name, Thread& thread);
  bool room_for_name(std::size_t bytes, Thread& thread);
  void write_names(trace::Writer& writer);
  void write_call(trace::Writer& writer, std::uint32_t thread, const NvtxStoredCall& call);

  std::atomic<bool> recording_{true};
  std::atomic<std::uint64_t> next_range_{1};
  std::atomic<std::uint64_t> refused_{0};  // calls made inside another call, and those that found no memory
  std::atomic<std::uint32_t> domain_count_{1};
  NvtxMemory memory_;
  NvtxWatch watch_;
  pthread_key_t thread_exit_key_ = 0;
  bool ready_ = false;

  mutable std::mutex mutex_;  // held shortly, and while the process forks; guards what follows
  std::vector<Thread*> threads_;
  std::uint64_t past_events_ = 0;  // of threads that have ended
  std::uint64_t past_dropped_ = 0;
  NvtxNames domains_;
  NvtxNames strings_;
  std::vector<trace::ThreadName> thread_names_;  // not written yet, like the next
  std::vector<trace::NvtxCategory> categories_;
  std::size_t waiting_name_bytes_ = 0;

  std::unique_ptr<Reader> reader_;  // the collector's thread's own
  std::atomic<bool> reader_is_stale_{false};
};

}  // namespace gpuprof::collector
