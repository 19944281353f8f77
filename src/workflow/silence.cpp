// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/silence.hpp"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "workflow/settings.hpp"

namespace gpuprof::workflow {
namespace {

namespace fs = std::filesystem;

// Programs that start others without our environment, with what to do about each.
struct Launcher {
  const char* name;
  const char* remedy;
};

constexpr Launcher kLaunchers[] = {
    {"sudo", "Profile inside it: sudo gpuprof run PROGRAM."},
    {"doas", "Profile inside it: doas gpuprof run PROGRAM."},
    {"su", "Profile inside it: su -c 'gpuprof run PROGRAM'."},
    {"ssh", "Run gpuprof on the other machine: ssh HOST gpuprof run PROGRAM."},
    {"srun", "Profile inside it: srun gpuprof run PROGRAM, or let it export the environment (--export=ALL)."},
    {"docker", "Run gpuprof inside the container."},
    {"podman", "Run gpuprof inside the container."},
    {"nerdctl", "Run gpuprof inside the container."},
    {"kubectl", "Run gpuprof inside the container."},
    {"apptainer", "Run gpuprof inside the container, or drop --cleanenv and bind gpuprof's directory."},
    {"singularity", "Run gpuprof inside the container, or drop --cleanenv and bind gpuprof's directory."},
};

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  std::istringstream folders(read_settings().program_path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

// True for a 64-bit ELF program without an interpreter: no dynamic linker, so libcuda cannot load anything into it.
bool is_static_program(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return false;
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) return false;
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    file.seekg(static_cast<std::streamoff>(header.e_phoff + static_cast<Elf64_Off>(i) * sizeof segment));
    if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment)) return false;
    if (segment.p_type == PT_INTERP) return false;
  }
  return header.e_phnum > 0;
}

bool clears_environment(const std::vector<std::string>& command) {
  for (std::size_t i = 1; i < command.size(); ++i) {
    const std::string& argument = command[i];
    if (argument == "-i" || argument == "-" || argument == "--ignore-environment") return true;
    if (argument.empty() || argument[0] != '-') return false;
  }
  return false;
}

}  // namespace

Notice silence_notice(const std::vector<std::string>& command) {
  Notice notice;
  notice.severity = Severity::error;
  notice.code = "collector.not_loaded";
  notice.text = "no process loaded the collector, so nothing was recorded";
  const std::string program = command.empty() ? std::string() : command[0];
  const std::string name = fs::path(program).filename().string();
  for (const Launcher& launcher : kLaunchers) {
    if (name != launcher.name) continue;
    notice.text += ": " + name + " may start the program without the variables that load the collector";
    notice.hint = launcher.remedy;
    return notice;
  }
  if (name == "env" && clears_environment(command)) {
    notice.text += ": env -i removes the variables that load the collector";
    notice.hint = "Profile inside it: env -i ... gpuprof run PROGRAM.";
    return notice;
  }
  const std::string path = find_program(program);
  struct stat status {};
  if (stat(path.c_str(), &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0) {
    notice.text += ": " + path + " is set-user-id or set-group-id, and such programs ignore the variables that load it";
    notice.hint = "Profile a copy of the program without that bit.";
  } else if (is_static_program(path)) {
    notice.text += ": " + path + " is statically linked, and such programs cannot load a library";
    notice.hint = "Link the program dynamically (at least libcuda and libc).";
  } else {
    notice.text += ": no process of the command initialised CUDA, or the collector could not be loaded there";
    notice.hint =
        "Check that the program uses the GPU; `gpuprof doctor` tells whether the collector can be loaded here.";
  }
  return notice;
}

}  // namespace gpuprof::workflow
