// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/session_argument.hpp"
#include "cli/terminal.hpp"
#include "model/report_json.hpp"
#include "render/render.hpp"

namespace gpuprof::cli {
namespace {

struct Options {
  std::string session;
  std::string format = "text";
  std::string output = "-";
  std::string color = "auto";
};

constexpr int kNoTerminal = -1;

int show(const Options& options) {
  const Report report = report_of(options.session);
  if (options.format == "json") {
    write_output(options.output, model::report_to_json(report));
    return 0;
  }
  const int fd = options.output == "-" ? STDOUT_FILENO : kNoTerminal;
  write_output(options.output, render::text(report, style_for(fd, color_mode(options.color))));
  return 0;
}

}  // namespace

Command add_report_command(CLI::App& application) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = application.add_subcommand("report", "Show or export the report of a session");
  app->allow_extras();
  add_session_argument(*app, options->session);
  app->add_option("--format", options->format, "Output format")
      ->type_name("text|json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app->add_option("-o,--output", options->output, "File to write, - for standard output")
      ->type_name("FILE")
      ->capture_default_str();
  add_color_option(*app, options->color);
  return {app, [options](const std::vector<std::string>&) { return show(*options); }};
}

}  // namespace gpuprof::cli
