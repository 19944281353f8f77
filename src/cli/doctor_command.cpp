// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "workflow/doctor.hpp"

namespace gpuprof::cli {
namespace {

using workflow::Check;
using workflow::CheckStatus;

struct Options {
  std::string format = "text";
  std::string color = "auto";
};

constexpr std::size_t kStatusWidth = 16;
constexpr int kProblemStatus = 1;

const char* color_of(CheckStatus status) {
  switch (status) {
    case CheckStatus::ok:
      return "\x1b[32m";
    case CheckStatus::warning:
      return "\x1b[33m";
    case CheckStatus::problem:
      return "\x1b[1;31m";
    case CheckStatus::not_applicable:
      break;
  }
  return "\x1b[2m";
}

std::string as_text(const std::vector<Check>& checks, bool color) {
  std::string text;
  for (const Check& check : checks) {
    const std::string status = pad_right(to_string(check.status), kStatusWidth);
    text += color ? color_of(check.status) + status + "\x1b[0m" : status;
    text += check.title + ": " + printable(check.found) + "\n";
    if (!check.fix.empty()) text += std::string(kStatusWidth, ' ') + "fix: " + printable(check.fix) + "\n";
  }
  return text;
}

int examine(const Options& options) {
  const std::vector<Check> checks = workflow::examine();
  const bool color = style_for(STDOUT_FILENO, color_mode(options.color)).color;
  write_output("-", options.format == "json" ? workflow::to_json(checks) : as_text(checks, color));
  return workflow::has_problem(checks) ? kProblemStatus : 0;
}

}  // namespace

Command add_doctor_command(CLI::App& application) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = application.add_subcommand("doctor", "Tell what would fail on this machine, and the fix for each");
  app->allow_extras();
  app->add_option("--format", options->format, "Output format")
      ->type_name("text|json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  add_color_option(*app, options->color);
  app->footer("Exit status: 0 when nothing is wrong, 1 when there are problems.");
  return {app, [options](const std::vector<std::string>&) { return examine(*options); }};
}

}  // namespace gpuprof::cli
