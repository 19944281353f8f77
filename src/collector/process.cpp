// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace gpuprof::collector {
namespace {

// Attempts at a free file name before giving up.
constexpr int kMaxSuffix = 100;
// More than this of a command line tells nobody anything.
constexpr std::size_t kMaxCommandLineBytes = 64 << 10;

std::string read_proc(const char* path, std::size_t limit) {
  std::string content;
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return content;
  char block[4096];
  while (content.size() < limit) {
    const ssize_t got = ::read(fd, block, sizeof(block));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    content.append(block, static_cast<std::size_t>(got));
  }
  ::close(fd);
  return content;
}

std::uint64_t start_ticks() {
  const std::string stat = read_proc("/proc/self/stat", 4096);
  // The command in field 2 may hold blanks and parentheses; field 3 starts after the last ')'.
  const std::size_t close = stat.rfind(')');
  if (close == std::string::npos) return 0;
  const char* p = stat.c_str() + close + 1;
  for (int field = 2; field < 21 && p != nullptr; ++field) {
    p = std::strchr(p, ' ');
    if (p != nullptr) ++p;
  }
  // p is at field 21; the next blank precedes field 22, starttime.
  if (p != nullptr) p = std::strchr(p, ' ');
  return p != nullptr ? std::strtoull(p, nullptr, 10) : 0;
}

std::uint64_t clock_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

std::uint64_t realtime_ns() {
  return clock_ns(CLOCK_REALTIME);
}
std::uint64_t monotonic_ns() {
  return clock_ns(CLOCK_MONOTONIC);
}

trace::ProcessInfo current_process(const std::string& stage) {
  trace::ProcessInfo info;
  info.pid = static_cast<std::uint32_t>(getpid());
  info.parent_pid = static_cast<std::uint32_t>(getppid());
  info.start_ticks = start_ticks();
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  if (length > 0) info.executable.assign(path, static_cast<std::size_t>(length));
  const std::string command_line = read_proc("/proc/self/cmdline", kMaxCommandLineBytes);
  for (std::size_t begin = 0; begin < command_line.size();) {
    std::size_t end = command_line.find('\0', begin);
    if (end == std::string::npos) end = command_line.size();
    info.arguments.push_back(command_line.substr(begin, end - begin));
    begin = end + 1;
  }
  char host[256] = {};
  if (gethostname(host, sizeof(host) - 1) == 0) info.hostname = host;
  info.stage = stage;
  info.collector_version = GPUPROF_VERSION;
  info.time_ns = realtime_ns();
  return info;
}

std::unique_ptr<trace::Writer> create_trace(const std::string& directory, const trace::ProcessInfo& process) {
  const std::string stem = directory + "/" + std::to_string(process.pid) + "-" + std::to_string(process.start_ticks);
  for (int suffix = 1; suffix <= kMaxSuffix; ++suffix) {
    auto writer = trace::Writer::create(stem + (suffix == 1 ? "" : "-" + std::to_string(suffix)) + ".trace");
    if (writer != nullptr) {
      writer->write(process);
      return writer;
    }
    if (errno != EEXIST) return nullptr;
  }
  return nullptr;
}

}  // namespace gpuprof::collector
