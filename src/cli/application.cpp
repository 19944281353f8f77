// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/application.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/suggestion.hpp"

namespace gpuprof::cli {
namespace {

constexpr int kOwnFailure = 125;

constexpr Command (*kCommands[])(CLI::App&) = {add_run_command, add_kernels_command, add_report_command,
                                               add_merge_command, add_metrics_command, add_doctor_command};

// CLI11 before 2.2 cannot set a usage line, and does not know that `run` takes a program.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string usage = CLI::Formatter::make_usage(app, std::move(name));
    if (app->get_parent() == nullptr) return "Usage: gpuprof COMMAND [OPTIONS]\n";
    if (!app->get_prefix_command()) return usage;
    usage.resize(usage.find_last_not_of('\n') + 1);
    return usage + " [--] PROGRAM [ARGUMENT]...\n";
  }
};

std::string help_hint(const std::string& command) {
  return "`gpuprof " + (command.empty() ? "" : command + " ") + "--help` shows what there is.";
}

std::vector<std::string> command_names(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.app->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

void refuse_unknown_command(const std::string& name, const std::vector<Command>& commands) {
  const std::vector<std::string> names = command_names(commands);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  throw UsageError("there is no command \"" + printable(name) + "\"", did_you_mean(name, names) + help_hint(""));
}

[[noreturn]] void refuse_argument(const CLI::App& app, const std::string& argument) {
  const bool option = argument.starts_with('-');
  const std::string suggestion = option ? did_you_mean(argument.substr(0, argument.find('=')), option_names(app)) : "";
  throw UsageError((option ? "unknown option " : "unexpected argument ") + printable(argument),
                   suggestion + help_hint(app.get_name()));
}

// The program to run: what CLI11 left alone and what followed a `--`.
std::vector<std::string> program_of(const CLI::App& app, const Arguments& arguments) {
  std::vector<std::string> program = app.remaining();
  if (!program.empty() && program[0].size() > 1 && program[0][0] == '-') refuse_argument(app, program[0]);
  if (arguments.separated) {
    if (!program.empty()) program.emplace_back("--");
    program.insert(program.end(), arguments.rest.begin(), arguments.rest.end());
  }
  if (program.empty() || program[0].empty()) {
    throw UsageError("no program to run", "Name it after the options: gpuprof run [OPTIONS] -- PROGRAM [ARGUMENT]...");
  }
  return program;
}

// Parses; true when help or the version was asked for and has been printed.
bool parse(CLI::App& app, std::vector<std::string> front, const std::string& command) {
  std::reverse(front.begin(), front.end());
  try {
    app.parse(front);
  } catch (const CLI::Success& request) {
    app.exit(request);
    return true;
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what(), help_hint(command));
  }
  return false;
}

}  // namespace

int run_application(const std::vector<std::string>& arguments) {
  CLI::App app("Profiles CUDA programs in stages: a timeline, then hardware counters for the kernels that matter.",
               "gpuprof");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version", "gpuprof " GPUPROF_VERSION);
  app.require_subcommand(0, 1);
  app.footer("`gpuprof COMMAND --help` explains a command. Start with: gpuprof run PROGRAM");
  std::vector<Command> commands;
  for (const auto add : kCommands) commands.push_back(add(app));

  if (arguments.empty()) {
    std::fputs(app.help().c_str(), stderr);
    return kUsageStatus;
  }
  const std::string& name = arguments[0];
  if (!name.starts_with('-')) refuse_unknown_command(name, commands);
  const bool takes_program = std::any_of(commands.begin(), commands.end(), [&](const Command& command) {
    return command.app->get_name() == name && command.app->get_prefix_command();
  });
  const Arguments parts = takes_program ? split_at_separator(arguments) : Arguments{arguments, false, {}};
  if (parse(app, parts.front, name.starts_with('-') ? "" : name)) return 0;
  for (const Command& command : commands) {
    if (!app.got_subcommand(command.app)) continue;
    if (takes_program) return command.run(program_of(*command.app, parts));
    const std::vector<std::string> unexpected = command.app->remaining();
    if (!unexpected.empty()) refuse_argument(*command.app, unexpected[0]);
    return command.run({});
  }
  refuse_argument(app, name);
}

int failure_status(const std::vector<std::string>& arguments) {
  return !arguments.empty() && arguments[0] == "run" ? kOwnFailure : 1;
}

}  // namespace gpuprof::cli
