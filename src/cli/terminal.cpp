// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/error.hpp"
#include "base/file.hpp"

namespace gpuprof::cli {
namespace {

constexpr std::size_t kDefaultWidth = 100;
constexpr std::size_t kMinWidth = 60;
constexpr std::size_t kMaxWidth = 400;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool forces_color(const std::string& value) {
  return !value.empty() && value != "0";
}

bool automatic_color(int fd) {
  if (!variable("NO_COLOR").empty()) return false;
  if (forces_color(variable("CLICOLOR_FORCE")) || forces_color(variable("FORCE_COLOR"))) return true;
  return isatty(fd) == 1 && variable("TERM") != "dumb";
}

std::size_t width_of(int fd) {
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const unsigned long columns = std::strtoul(variable("COLUMNS").c_str(), nullptr, 10);
  return columns > 0 ? columns : kDefaultWidth;
}

}  // namespace

void add_color_option(CLI::App& app, std::string& text) {
  app.add_option("--color", text, "Colours: auto, always or never")
      ->type_name("WHEN")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
}

ColorMode color_mode(const std::string& text) {
  if (text == "always") return ColorMode::always;
  return text == "never" ? ColorMode::never : ColorMode::automatic;
}

render::TextStyle style_for(int fd, ColorMode mode) {
  render::TextStyle style;
  style.width = std::clamp(width_of(fd), kMinWidth, kMaxWidth);
  style.color = mode == ColorMode::automatic ? automatic_color(fd) : mode == ColorMode::always;
  return style;
}

void write_output(const std::string& path, const std::string& text) {
  if (!path.empty() && path != "-") return write_file_atomically(path, text);
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    throw Error(std::string("cannot write to standard output: ") + std::strerror(errno), "Check where it leads to.");
  }
}

}  // namespace gpuprof::cli
