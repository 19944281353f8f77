// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "state.hpp"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <set>

#include "settings.hpp"

namespace fake_cupti {
namespace {

std::atomic<pid_t> owner{0};
std::atomic<bool> down{false};
std::atomic<bool> fatal{false};
std::atomic<std::uint32_t> correlations{0};
std::atomic<bool> system_thread_ids{false};

}  // namespace

std::mutex& library_lock() {
  static std::mutex* const kLock = new std::mutex;
  return *kLock;
}

CUptiResult enter() {
  pid_t expected = 0;
  if (!owner.compare_exchange_strong(expected, getpid()) && expected != getpid()) {
    std::fprintf(stderr, "fake libcupti: process %d called it after a fork; the real one would hang\n", getpid());
    std::abort();
  }
  if (fatal) {
    std::fprintf(stderr, "fake libcupti: called after a fatal error\n");
    return CUPTI_ERROR_NOT_INITIALIZED;
  }
  return down ? CUPTI_ERROR_NOT_INITIALIZED : CUPTI_SUCCESS;
}

void shut_down() {
  down = true;
}
bool is_shut_down() {
  return down;
}
void report_fatal() {
  fatal = true;
}

std::uint64_t now_ns() {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint32_t next_correlation() {
  return ++correlations;
}

std::uint32_t thread_id() {
  if (system_thread_ids) return static_cast<std::uint32_t>(gettid());
  return static_cast<std::uint32_t>(pthread_self());
}

void use_system_thread_ids() {
  system_thread_ids = true;
}

CUstream stream_handle(std::uint32_t stream) {
  return reinterpret_cast<CUstream>(static_cast<std::uintptr_t>(stream) * 16);
}

std::uint32_t stream_id(CUstream stream) {
  const auto number = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(stream) / 16);
  return number == 0 ? 7 : number + 12;
}

CUfunction function_handle(const std::string& name) {
  static std::mutex* const kLock = new std::mutex;
  static auto* const kNames = new std::set<std::string>;
  const std::lock_guard<std::mutex> guard(*kLock);
  return reinterpret_cast<CUfunction>(const_cast<std::string*>(&*kNames->insert(name).first));
}

const char* function_name(CUfunction function) {
  return reinterpret_cast<const std::string*>(function)->c_str();
}

}  // namespace fake_cupti

extern "C" {

void fake_cupti_teardown() {
  if (fake_cupti::settings().teardown != 0) fake_cupti::shut_down();
}
}
