// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/session.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"

namespace gpuprof::workflow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".gpuprof";
// Everything gpuprof writes into a session: the only things -f removes.
constexpr const char* kSessionEntries[] = {"session.json", "report.json", "timeline", "telemetry.trace", "counters"};
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

// A merged session has telemetry-<host>.trace of each host.
void remove_telemetry_of_hosts(const std::string& directory) {
  for (const std::string& path : list_files(directory, ".trace")) {
    if (fs::path(path).filename().string().starts_with("telemetry-")) unlink(path.c_str());
  }
}

void remove_session_files(const std::string& directory) {
  for (const char* entry : kSessionEntries) {
    std::error_code error;
    fs::remove_all(fs::path(directory) / entry, error);
    if (error) throw Error("cannot replace " + directory + "/" + entry + ": " + error.message(), "Use another -o DIR.");
  }
  remove_telemetry_of_hosts(directory);
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

// The first directory of these names that does not exist yet.
std::string create_numbered(const std::function<std::string(int)>& name_of) {
  for (int number = 1; number <= kMaxSessionNumber; ++number) {
    std::string name = name_of(number);
    if (mkdir(name.c_str(), 0777) == 0) return name;
    if (errno != EEXIST) fail(name, errno);
  }
  throw Error(
      "there are " + std::to_string(kMaxSessionNumber) + " sessions up to " + name_of(kMaxSessionNumber) + " already",
      "Remove old ones, or name a directory with -o DIR.");
}

std::string without_trailing_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

// The paths of a session in a directory that exists, with its sub-directories created.
SessionPaths with_folders(const std::string& directory) {
  SessionPaths session;
  session.directory = without_trailing_slashes(fs::absolute(directory).lexically_normal().string());
  for (const std::string& folder : {session.timeline(), session.counters()}) {
    if (mkdir(folder.c_str(), 0777) != 0) fail(folder, errno);
  }
  return session;
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
  std::string directory = without_trailing_slashes(requested);
  if (directory.empty()) {
    const std::string stem = session_stem(command);
    directory = create_numbered([&stem](int number) { return stem + "-" + std::to_string(number) + kSuffix; });
  } else if (mkdir(directory.c_str(), 0777) != 0) {
    if (errno != EEXIST) fail(directory, errno);
    reuse_directory(directory, overwrite);
  }
  return with_folders(directory);
}

SessionPaths create_session(const OutputName& requested, const std::vector<std::string>& command, Overwrite overwrite) {
  if (!requested.numbered()) return create_session(requested.with_number(0), command, overwrite);
  return with_folders(create_numbered([&requested](int number) { return requested.with_number(number); }));
}

void discard_session(const SessionPaths& session) {
  std::error_code ignored;
  for (const char* entry : kSessionEntries) fs::remove_all(fs::path(session.directory) / entry, ignored);
  remove_telemetry_of_hosts(session.directory);
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
