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

// Replaces `path` by a file with these contents so that a reader sees the old or the new content, never half of it. A
// path that is something else than a regular file (/dev/stdout, a pipe) is written to directly. Throws Error on
// failure; the old file is then untouched.
void write_file_atomically(const std::string& path, std::string_view contents);

// Paths of the regular files directly in `directory` whose names end with `suffix`, sorted by name. Empty when the
// directory does not exist or cannot be read.
std::vector<std::string> list_files(const std::string& directory, std::string_view suffix);

}  // namespace gpuprof
