// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/metrics_output.hpp"
#include "cli/terminal.hpp"
#include "workflow/metric_list.hpp"

namespace gpuprof::cli {
namespace {

struct Options {
  workflow::MetricQuestion question;
  std::string format = "text";
};

int show(const Options& options) {
  const workflow::MetricListing listing = workflow::list_metrics(options.question);
  write_output("-", options.format == "json" ? workflow::to_json(listing) : metrics_text(listing));
  return 0;
}

}  // namespace

Command add_metrics_command(CLI::App& application) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = application.add_subcommand("metrics", "List what can be measured on a chip; needs CUPTI but no GPU");
  app->allow_extras();
  app->add_option("--chip", options->question.chip,
                  std::string("Chip as CUPTI names it; without it the chips are listed, and the tiers of ") +
                      workflow::kDefaultChip)
      ->type_name("NAME");
  CLI::Option* tier = app->add_option("--tier", options->question.tier, "Only this tier")->type_name("NAME");
  app->add_flag("--all", options->question.all, "List all of CUPTI's base metrics instead of the tiers")
      ->excludes(tier);
  app->add_option("--format", options->format, "Output format")
      ->type_name("text|json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  return {app, [options](const std::vector<std::string>&) { return show(*options); }};
}

}  // namespace gpuprof::cli
