// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "target/standard_input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuprof::target {

StandardInput::StandardInput() {
  struct stat status {};
  if (fstat(STDIN_FILENO, &status) != 0) return;
  if (S_ISREG(status.st_mode)) {
    kind_ = Kind::regular_file;
    const off_t offset = lseek(STDIN_FILENO, 0, SEEK_CUR);
    offset_ = offset > 0 ? offset : 0;
  } else if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) {
    kind_ = Kind::stream;
  }
}

int StandardInput::reopen() const {
  if (kind_ != Kind::regular_file) return -1;
  // A duplicate would share the offset that the first run has moved; /proc gives a new open file, even of a deleted
  // one.
  const int fd = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
  if (fd >= 0) lseek(fd, offset_, SEEK_SET);
  return fd;
}

}  // namespace gpuprof::target
