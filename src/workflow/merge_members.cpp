// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "workflow/merge_plan.hpp"
#include "workflow/session.hpp"

namespace gpuprof::workflow {
namespace {

namespace fs = std::filesystem;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The end of the digits from `at` on, which is moved behind leading zeros.
std::size_t end_of_number(const std::string& text, std::size_t& at) {
  while (at + 1 < text.size() && text[at] == '0' && is_digit(text[at + 1])) ++at;
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end;
}

std::string canonical(const std::string& path) {
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(path, error);
  return error ? path : resolved.string();
}

// Sorts what is in a directory into sessions and what was to become one.
std::vector<std::string> sessions_in(const std::string& directory, std::vector<std::string>& skipped) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    if (!entry->is_directory(ignored)) continue;
    const std::string path = entry->path().string();
    if (is_session(path)) {
      found.push_back(path);
    } else if (path.ends_with(".gpuprof")) {
      skipped.push_back(entry->path().filename().string());
    }
  }
  if (error) throw Error("cannot read " + printable(directory) + ": " + error.message(), "Check the permissions.");
  std::sort(found.begin(), found.end(), natural_less);
  std::sort(skipped.begin(), skipped.end(), natural_less);
  return found;
}

}  // namespace

bool natural_less(const std::string& a, const std::string& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::size_t a_end = end_of_number(a, i);
      const std::size_t b_end = end_of_number(b, j);
      if (a_end - i != b_end - j) return a_end - i < b_end - j;
      if (const int order = a.compare(i, a_end - i, b, j, b_end - j); order != 0) return order < 0;
      i = a_end;
      j = b_end;
      continue;
    }
    if (a[i] != b[j]) return a[i] < b[j];
    ++i;
    ++j;
  }
  const std::size_t a_left = a.size() - i;
  const std::size_t b_left = b.size() - j;
  return a_left != b_left ? a_left < b_left : a < b;
}

std::vector<std::string> find_members(const std::vector<std::string>& arguments, const std::string& output,
                                      std::vector<std::string>& skipped) {
  const std::string target = output.empty() ? std::string() : canonical(output);
  std::vector<std::string> members;
  std::set<std::string> seen;
  for (const std::string& argument : arguments) {
    std::error_code ignored;
    if (!fs::is_directory(argument, ignored)) {
      throw UsageError(
          printable(argument) + (fs::exists(argument, ignored) ? " is not a directory" : " does not exist"),
          "Name session directories, or a directory that contains some.");
    }
    const std::string path = canonical(argument);
    if (path == target) {
      throw UsageError(printable(argument) + " cannot be both a member and the merged session",
                       "Choose another name with -o DIR.");
    }
    if (is_session(path)) {
      if (seen.insert(path).second) members.push_back(path);
      continue;
    }
    const std::vector<std::string> inside = sessions_in(path, skipped);
    if (inside.empty()) {
      throw UsageError(printable(argument) + " is not a session and contains none",
                       "Name session directories written by gpuprof run, or a directory that contains some.");
    }
    for (const std::string& session : inside) {
      if (session != target && seen.insert(session).second) members.push_back(session);
    }
  }
  std::erase_if(skipped, [&](const std::string& name) { return name == fs::path(target).filename(); });
  if (members.empty()) {
    throw UsageError("there is nothing to merge but the merged session itself",
                     "Name the sessions it is to consist of.");
  }
  return members;
}

}  // namespace gpuprof::workflow
