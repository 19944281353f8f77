// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/silence.hpp"

#include <elf.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "support/catch2_compat.hpp"
#include "unit/workflow/scratch_directory.hpp"

using namespace gpuprof;
using namespace gpuprof::workflow;

TEST_CASE("launchers that drop the environment are named with their remedy") {
  const Notice sudo = silence_notice({"/usr/bin/sudo", "./app"});
  CHECK(sudo.severity == Severity::error);
  CHECK(sudo.code == "collector.not_loaded");
  CHECK_THAT(sudo.text, ContainsSubstring("sudo may start the program without"));
  CHECK_THAT(sudo.hint, ContainsSubstring("sudo gpuprof run"));
  CHECK_THAT(silence_notice({"docker", "run", "x"}).hint, ContainsSubstring("inside the container"));
  CHECK_THAT(silence_notice({"env", "-u", "X", "-i", "./app"}).text, ContainsSubstring("initialised CUDA"));
  CHECK_THAT(silence_notice({"env", "-i", "./app"}).text, ContainsSubstring("env -i removes"));
}

TEST_CASE("a set-user-id program is recognised") {
  const testing::ScratchDirectory scratch;
  std::filesystem::copy_file("/proc/self/exe", "app");
  REQUIRE(chmod("app", 04755) == 0);
  CHECK_THAT(silence_notice({"./app"}).text, ContainsSubstring("set-user-id"));
}

TEST_CASE("a program without a dynamic linker is recognised") {
  const testing::ScratchDirectory scratch;
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_phoff = sizeof header;
  header.e_phnum = 1;
  Elf64_Phdr segment{};
  segment.p_type = PT_LOAD;
  const auto write_program = [&] {
    std::ofstream file("app", std::ios::binary);
    file.write(reinterpret_cast<const char*>(&header), sizeof header);
    file.write(reinterpret_cast<const char*>(&segment), sizeof segment);
  };
  write_program();
  CHECK_THAT(silence_notice({"./app"}).text, ContainsSubstring("statically linked"));
  segment.p_type = PT_INTERP;
  write_program();
  CHECK_THAT(silence_notice({"./app"}).text, ContainsSubstring("initialised CUDA"));
}

TEST_CASE("an ordinary program is said not to have initialised CUDA") {
  const Notice notice = silence_notice({"sh", "-c", "true"});
  CHECK_THAT(notice.text, ContainsSubstring("no process of the command initialised CUDA"));
  CHECK_THAT(notice.hint, ContainsSubstring("gpuprof doctor"));
}
