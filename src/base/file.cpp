// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "base/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace gpuprof {
namespace {

std::string hint_for(int error) {
  switch (error) {
    case ENOENT:
      return "Check the path.";
    case EACCES:
    case EPERM:
    case EROFS:
      return "Choose a place that you may access.";
    case ENOSPC:
    case EDQUOT:
      return "Free some space, or choose a place on another disk.";
    case EFBIG:
      return "Raise the limit on the size of files (ulimit -f), or choose another file system.";
    case EISDIR:
      return "Name a file, not a directory.";
    default:
      return {};
  }
}

[[noreturn]] void fail(const std::string& action, const std::string& path, int error) {
  throw Error("cannot " + action + " " + printable(path) + ": " + std::generic_category().message(error),
              hint_for(error));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }

 private:
  int fd_;
};

// Returns 0 or errno.
int write_all(int fd, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t written = ::write(fd, contents.data(), contents.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    contents.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

// The file a path leads to, so that replacing it leaves symbolic links alone.
std::string resolve(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr), &std::free);
  return resolved ? std::string(resolved.get()) : path;
}

}  // namespace

std::string read_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail("read", path, errno);
  std::string contents;
  struct stat status {};
  if (::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode)) {
    contents.reserve(static_cast<std::size_t>(status.st_size));
  }
  std::vector<char> buffer(std::size_t{64} * 1024);
  while (true) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("read", path, errno);
    if (count == 0) return contents;
    contents.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

OutputFile::OutputFile(const std::string& path) : path_(path), target_(path) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    if (exists) {
      target_ = resolve(path);
      mode_ = status.st_mode & 07777;
    }
    // In the same directory, because rename() does not cross file systems.
    temporary_ = target_ + "." + std::to_string(::getpid()) + ".tmp";
    fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  }
  if (fd_ < 0) fail("write", path_, errno);
}

OutputFile::OutputFile(int fd, std::string name) : path_(std::move(name)), fd_(fd), owned_(false) {}

OutputFile::~OutputFile() {
  if (fd_ < 0) return;
  if (owned_) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  if (const int error = write_all(fd_, bytes)) fail("write", path_, error);
}

void OutputFile::commit() {
  if (!owned_) return;
  int error = 0;
  if (mode_ != 0) ::fchmod(fd_, mode_);
  // A full disk may be reported only here.
  if (::close(std::exchange(fd_, -1)) != 0) error = errno;
  if (temporary_.empty()) {
    if (error != 0) fail("write", path_, error);
    return;
  }
  if (error == 0 && ::rename(temporary_.c_str(), target_.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary_.c_str());
    fail("write", path_, error);
  }
}

void write_file_atomically(const std::string& path, std::string_view contents) {
  OutputFile file(path);
  file.write(contents);
  file.commit();
}

std::vector<std::string> list_files(const std::string& directory, std::string_view suffix) {
  std::vector<std::string> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code status_error;
    if (!entry->is_regular_file(status_error)) continue;
    if (entry->path().filename().native().ends_with(suffix)) paths.push_back(entry->path().native());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace gpuprof
