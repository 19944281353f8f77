// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whole files in and out.

#include <string>
#include <string_view>
#include <vector>

namespace gpuprof {

// The whole content of a file. Throws Error when it does not exist or cannot be read.
std::string read_file(const std::string& path);

// A file that is written piece by piece and appears under its name only when it is whole. Until commit() it is called
// <path>.<pid>.tmp; without commit() it goes away with the object, and what was at `path` stays as it was. A path that
// is something else than a regular file (/dev/stdout, a pipe) is written to directly. Every method throws Error on
// failure.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  // Writes to a descriptor of the caller's, which stays open; `name` is used in messages.
  OutputFile(int fd, std::string name);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  std::string path_;
  std::string target_;     // the file a link leads to
  std::string temporary_;  // empty: written to directly
  int fd_ = -1;
  bool owned_ = true;
  unsigned mode_ = 0;  // of the file that is replaced; 0: there is none
};

// Replaces `path` by a file with these contents so that a reader sees the old or the new content, never half of it. A
// path that is something else than a regular file (/dev/stdout, a pipe) is written to directly. Throws Error on
// failure; the old file is then untouched.
void write_file_atomically(const std::string& path, std::string_view contents);

// Paths of the regular files directly in `directory` whose names end with `suffix`, sorted by name. Empty when the
// directory does not exist or cannot be read.
std::vector<std::string> list_files(const std::string& directory, std::string_view suffix);

}  // namespace gpuprof
