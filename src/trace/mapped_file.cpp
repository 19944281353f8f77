// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace gpuprof::trace {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw Error("cannot read the trace file '" + path + "': " + std::strerror(error),
              "Check that the file exists and that you may read it.");
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
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

MappedFile::~MappedFile() {
  if (size_ > 0) ::munmap(data_, size_);
}

void MappedFile::release() {
  ::madvise(data_, size_, MADV_DONTNEED);
  used_ = 0;
}

}  // namespace gpuprof::trace
