// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/session.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"

namespace gpuprof::workflow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".gpuprof";
// Everything gpuprof writes into a session: the only things -f removes.
constexpr const char* kSessionEntries[] = {"session.json", "report.json", "timeline", "counters"};
constexpr std::size_t kMaxStem = 64;
constexpr int kMaxSessionNumber = 100000;

[[noreturn]] void fail(const std::string& directory, int error) {
  throw Error("cannot create the session directory " + directory + ": " + std::strerror(error),
              "Name a writable place with -o DIR.");
}

std::string stem_of_python_target(const std::vector<std::string>& command) {
  for (std::size_t i = 1; i < command.size(); ++i) {
    if (command[i] == "-m" && i + 1 < command.size()) return command[i + 1];
    if (command[i].ends_with(".py")) return fs::path(command[i]).stem().string();
  }
  return {};
}

void remove_session_files(const std::string& directory) {
  for (const char* entry : kSessionEntries) {
    std::error_code error;
    fs::remove_all(fs::path(directory) / entry, error);
    if (error) throw Error("cannot replace " + directory + "/" + entry + ": " + error.message(), "Use another -o DIR.");
  }
}

// Takes over an existing directory or says why not.
void reuse_directory(const std::string& directory, Overwrite overwrite) {
  struct stat status {};
  if (stat(directory.c_str(), &status) != 0) fail(directory, errno);
  if (!S_ISDIR(status.st_mode)) {
    throw UsageError(directory + " exists and is not a directory", "Choose another name with -o DIR.");
  }
  if (overwrite == Overwrite::no) {
    throw UsageError(directory + " exists already", "Choose another name with -o DIR, or replace it with -f.");
  }
  std::error_code error;
  const bool empty = fs::is_empty(directory, error);
  if (error) fail(directory, error.value());
  if (!empty && !is_session(directory)) {
    throw UsageError(directory + " is neither empty nor a gpuprof session, so -f does not replace it",
                     "Choose another name with -o DIR, or remove the directory yourself.");
  }
  remove_session_files(directory);
}

std::string create_numbered(const std::string& stem) {
  for (int number = 1; number <= kMaxSessionNumber; ++number) {
    std::string name = stem + "-" + std::to_string(number) + kSuffix;
    if (mkdir(name.c_str(), 0777) == 0) return name;
    if (errno != EEXIST) fail(name, errno);
  }
  throw Error("there are " + std::to_string(kMaxSessionNumber) + " sessions of " + stem + " here already",
              "Remove old ones, or name a directory with -o DIR.");
}

}  // namespace

std::string SessionPaths::name() const {
  return fs::path(directory).filename().string();
}

std::string session_stem(const std::vector<std::string>& command) {
  std::string stem = command.empty() ? std::string() : fs::path(command[0]).filename().string();
  if (stem.starts_with("python")) {
    if (std::string target = stem_of_python_target(command); !target.empty()) stem = std::move(target);
  }
  for (char& c : stem) {
    const bool kept =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    if (!kept) c = '_';
  }
  stem.resize(std::min(stem.size(), kMaxStem));
  if (stem.empty()) stem = "program";
  // A leading dash would be taken for an option by every tool, a leading dot hides the directory.
  if (stem[0] == '-' || stem[0] == '.') stem[0] = '_';
  return stem;
}

SessionPaths create_session(const std::string& requested, const std::vector<std::string>& command,
                            Overwrite overwrite) {
  std::string directory = requested;
  while (directory.size() > 1 && directory.back() == '/') directory.pop_back();
  if (directory.empty()) {
    directory = create_numbered(session_stem(command));
  } else if (mkdir(directory.c_str(), 0777) != 0) {
    if (errno != EEXIST) fail(directory, errno);
    reuse_directory(directory, overwrite);
  }
  SessionPaths session;
  session.directory = fs::absolute(directory).lexically_normal().string();
  for (const std::string& folder : {session.timeline(), session.counters()}) {
    if (mkdir(folder.c_str(), 0777) != 0) fail(folder, errno);
  }
  return session;
}

void discard_session(const SessionPaths& session) {
  std::error_code ignored;
  for (const char* entry : kSessionEntries) fs::remove_all(fs::path(session.directory) / entry, ignored);
  rmdir(session.directory.c_str());
}

bool is_session(const std::string& directory) {
  for (const char* name : {"session.json", "report.json"}) {
    std::error_code ignored;
    const std::string path = directory + "/" + name;
    if (!fs::is_regular_file(path, ignored)) continue;
    if (read_file(path).find("\"gpuprof.") != std::string::npos) return true;
  }
  return false;
}

std::string newest_session(const std::string& directory) {
  std::pair<fs::file_time_type, std::string> newest;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(kSuffix) || !entry.is_directory(error)) continue;
    fs::file_time_type written{};
    bool found = false;
    for (const char* name : {"session.json", "report.json"}) {
      const fs::file_time_type time = fs::last_write_time(entry.path() / name, error);
      if (error) continue;
      written = found ? std::max(written, time) : time;
      found = true;
    }
    const std::pair candidate{written, path};
    if (found && (newest.second.empty() || candidate > newest)) newest = candidate;
  }
  return newest.second;
}

}  // namespace gpuprof::workflow
