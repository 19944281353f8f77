// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "target/standard_input.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "support/catch2_compat.hpp"

using gpuprof::target::StandardInput;

namespace {

// Puts a descriptor in the place of standard input for the length of a test.
class ReplacedInput {
 public:
  explicit ReplacedInput(int fd) : saved_(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10)) { dup2(fd, STDIN_FILENO); }
  ~ReplacedInput() {
    if (saved_ < 0) {
      close(STDIN_FILENO);
      return;
    }
    dup2(saved_, STDIN_FILENO);
    close(saved_);
  }
  ReplacedInput(const ReplacedInput&) = delete;
  ReplacedInput& operator=(const ReplacedInput&) = delete;

 private:
  int saved_;
};

}  // namespace

TEST_CASE("a regular file is read again from where the first run began") {
  std::FILE* file = std::tmpfile();
  REQUIRE(file != nullptr);
  const int fd = fileno(file);
  REQUIRE(write(fd, "header\nrest", 11) == 11);
  REQUIRE(lseek(fd, 7, SEEK_SET) == 7);
  {
    const ReplacedInput replaced(fd);
    const StandardInput input;
    CHECK(input.repeatable());
    char buffer[16];
    CHECK(read(STDIN_FILENO, buffer, sizeof buffer) == 4);  // the first run reads everything
    const int again = input.reopen();
    REQUIRE(again >= 0);
    CHECK(read(again, buffer, sizeof buffer) == 4);
    CHECK(std::string(buffer, 4) == "rest");
    close(again);
  }
  std::fclose(file);
}

TEST_CASE("a pipe cannot be read twice") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  {
    const ReplacedInput replaced(ends[0]);
    CHECK_FALSE(StandardInput().repeatable());
  }
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("the null device is passed on as it is") {
  const int fd = open("/dev/null", O_RDONLY);
  REQUIRE(fd >= 0);
  {
    const ReplacedInput replaced(fd);
    const StandardInput input;
    CHECK(input.repeatable());
    CHECK(input.reopen() == -1);
  }
  close(fd);
}
