// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "base/file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "support/catch2_compat.hpp"

using namespace gpuprof;
namespace fs = std::filesystem;

namespace {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (fs::temp_directory_path() / "gpuprof-file-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string hint_of_writing(const std::string& path) {
  try {
    write_file_atomically(path, "x");
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "no error";
}

TEST_CASE("a file is read as it was written") {
  const TemporaryDirectory directory;
  const std::string path = directory / "report.json";
  std::string contents(200'000, '\0');
  for (std::size_t i = 0; i < contents.size(); ++i) contents[i] = static_cast<char>(i * 7);
  write_file_atomically(path, contents);
  CHECK(read_file(path) == contents);
  write_file_atomically(path, "");
  CHECK(read_file(path).empty());
  CHECK(list_files(directory.path(), "").size() == 1);  // no temporary file is left
}

TEST_CASE("replacing a file keeps its mode and the symbolic link to it") {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "real", "old");
  REQUIRE(chmod((directory / "real").c_str(), 0640) == 0);
  fs::create_symlink(directory / "real", directory / "link");
  write_file_atomically(directory / "link", "new");
  CHECK(fs::is_symlink(directory / "link"));
  CHECK(read_file(directory / "real") == "new");
  CHECK(fs::status(directory / "real").permissions() == fs::perms(0640));
}

TEST_CASE("devices are written to, not replaced") {
  write_file_atomically("/dev/null", "x");
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("failures name the file, the cause and the remedy") {
  const TemporaryDirectory directory;
  CHECK_THAT(hint_of_writing("/dev/full"),
             ContainsSubstring("/dev/full: No space left on device") && ContainsSubstring("| Free some space"));
  CHECK_THAT(hint_of_writing(directory / "missing/report.json"),
             ContainsSubstring("missing/report.json: No such file") && ContainsSubstring("| Check the path"));
  CHECK_THAT(hint_of_writing(directory.path()), ContainsSubstring("Is a directory"));
  CHECK_THROWS_AS(read_file(directory / "missing"), Error);
  CHECK_THROWS_AS(read_file(directory.path()), Error);
}

TEST_CASE("files are listed by suffix and name") {
  const TemporaryDirectory directory;
  for (const char* name : {"b.trace", "a.trace", "c.json", ".trace"}) write_file_atomically(directory / name, "");
  fs::create_directory(directory / "d.trace");
  CHECK(list_files(directory.path(), ".trace") ==
        std::vector<std::string>{directory / ".trace", directory / "a.trace", directory / "b.trace"});
  CHECK(list_files(directory / "missing", ".trace").empty());
}

}  // namespace
