// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "workflow/merge.hpp"

namespace gpuprof::cli {
namespace {

struct Options {
  workflow::MergeOptions merge;
  bool overwrite = false;
};

}  // namespace

Command add_merge_command(CLI::App& application) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = application.add_subcommand("merge", "Join the sessions of several processes or hosts into one");
  app->allow_extras();
  app->add_option("SESSION", options->merge.sessions, "Session directories, or directories that contain sessions")
      ->required();
  app->add_option("-o,--output", options->merge.directory, "Session directory; default merged-<n>.gpuprof here")
      ->type_name("DIR");
  app->add_flag("-f,--force", options->overwrite, "Replace the session in DIR if there is one");
  app->add_flag("-q,--quiet", options->merge.quiet, "Print errors only");
  app->footer(
      "The sessions are kept; the merged one holds links to their traces, or copies where links are not possible.\n"
      "Clocks of different hosts are not corrected. For one session a rank: gpuprof run -o "
      "shared/rank-%q{RANK}.gpuprof");
  return {app, [options](const std::vector<std::string>&) {
            options->merge.overwrite = options->overwrite ? workflow::Overwrite::yes : workflow::Overwrite::no;
            workflow::merge(options->merge);
            return 0;
          }};
}

}  // namespace gpuprof::cli
