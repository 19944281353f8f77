// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a second run of a program can read the same standard input as the first.

#include <cstdint>

namespace gpuprof::target {

// How standard input looked when the object was made, which has to be before the first run.
class StandardInput {
 public:
  StandardInput();

  // False for a pipe or socket: what the first run has read is gone. Terminals, /dev/null and regular files can be read
  // again, and so can a closed standard input.
  bool repeatable() const { return kind_ != Kind::stream; }

  // For a regular file: a descriptor (close-on-exec) of its own at the offset where the first run began; the caller
  // closes it. -1: the second run takes our standard input as it is.
  int reopen() const;

 private:
  enum class Kind { as_it_is, regular_file, stream };
  Kind kind_ = Kind::as_it_is;
  std::int64_t offset_ = 0;
};

}  // namespace gpuprof::target
