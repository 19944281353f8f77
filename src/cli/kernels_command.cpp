// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/session_argument.hpp"
#include "cli/terminal.hpp"
#include "render/render.hpp"

namespace gpuprof::cli {
namespace {

struct Options {
  std::string session;
  std::uint64_t top = 10;
  std::string sort = "time";
  std::string format = "text";
  std::string color = "auto";
};

render::KernelTable table_of(const Options& options) {
  render::KernelTable table;
  table.top = options.top;
  if (options.sort == "launches") table.order = render::KernelOrder::launches;
  if (options.sort == "mean") table.order = render::KernelOrder::mean;
  return table;
}

int show(const Options& options) {
  const Report report = report_of(options.session);
  const render::KernelTable table = table_of(options);
  if (options.format == "json") {
    write_output("-", render::kernels_json(report, table));
  } else if (options.format == "csv") {
    write_output("-", render::kernels_csv(report, table));
  } else {
    write_output("-", render::kernels_text(report, table, style_for(STDOUT_FILENO, color_mode(options.color))));
  }
  return 0;
}

}  // namespace

Command add_kernels_command(CLI::App& application) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = application.add_subcommand("kernels", "Show the hot kernels of a session with their counters");
  app->allow_extras();
  add_session_argument(*app, options->session);
  app->add_option("--top", options->top, "Number of kernels, 0 for all")->type_name("N")->capture_default_str();
  app->add_option("--sort", options->sort, "Order: total time, launches, or mean time of a launch")
      ->type_name("time|launches|mean")
      ->check(CLI::IsMember({"time", "launches", "mean"}))
      ->capture_default_str();
  app->add_option("--format", options->format, "Output format")
      ->type_name("text|json|csv")
      ->check(CLI::IsMember({"text", "json", "csv"}))
      ->capture_default_str();
  add_color_option(*app, options->color);
  return {app, [options](const std::vector<std::string>&) { return show(*options); }};
}

}  // namespace gpuprof::cli
