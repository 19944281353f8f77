// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/text.hpp"
#include "base/units.hpp"
#include "cli/commands.hpp"
#include "cli/session_argument.hpp"
#include "cli/terminal.hpp"
#include "model/report_json.hpp"
#include "render/render.hpp"
#include "workflow/export_trace.hpp"

namespace gpuprof::cli {
namespace {

struct Options {
  std::string session;
  std::string format = "text";
  std::string table = "kernels";
  std::string output = "-";
  std::string color = "auto";
};

constexpr int kNoTerminal = -1;

std::string csv_of(const Report& report, const std::string& table) {
  if (table == "copies") return render::copies_csv(report);
  if (table == "ranges") return render::ranges_csv(report);
  return render::kernels_csv(report, {0, render::KernelOrder::time});
}

// `output` is empty when no file was named.
int write_perfetto(const std::string& session, const std::string& output) {
  const workflow::ExportedTrace exported = workflow::export_perfetto(session, output);
  if (exported.chosen) {
    std::fprintf(stderr, "gpuprof: newest session here: %s\n", printable(exported.session).c_str());
  }
  for (const std::string& warning : exported.warnings) {
    std::fprintf(stderr, "gpuprof: warning: %s\n", printable(warning).c_str());
  }
  if (exported.path != "-") {
    std::fprintf(stderr, "gpuprof: wrote %s (%s, %s events); open it at https://ui.perfetto.dev\n",
                 printable(exported.path).c_str(), format_bytes(static_cast<double>(exported.bytes)).c_str(),
                 format_count(exported.events).c_str());
  }
  return 0;
}

int show(const Options& options) {
  const Report report = report_of(options.session);
  if (options.format == "json") {
    write_output(options.output, model::report_to_json(report));
    return 0;
  }
  if (options.format == "csv") {
    write_output(options.output, csv_of(report, options.table));
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
      ->type_name("text|json|csv|perfetto")
      ->check(CLI::IsMember({"text", "json", "csv", "perfetto"}))
      ->capture_default_str();
  app->add_option("--table", options->table, "Table that --format csv writes")
      ->type_name("kernels|copies|ranges")
      ->check(CLI::IsMember({"kernels", "copies", "ranges"}))
      ->capture_default_str();
  app->add_option("-o,--output", options->output,
                  "File to write, - for standard output; perfetto: SESSION.perfetto-trace")
      ->type_name("FILE")
      ->capture_default_str();
  add_color_option(*app, options->color);
  return {app, [options, app](const std::vector<std::string>&) {
            if (options->format != "perfetto") return show(*options);
            return write_perfetto(options->session, app->count("--output") > 0 ? options->output : std::string());
          }};
}

}  // namespace gpuprof::cli
