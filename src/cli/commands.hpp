// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The commands. Each add function declares one on the application: name, options, help, and what to do.

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gpuprof::cli {

struct Command {
  CLI::App* app = nullptr;
  // Called after parsing; returns the exit status. `program` is the program's argv for a command that takes one.
  std::function<int(const std::vector<std::string>& program)> run;
};

Command add_run_command(CLI::App& application);
Command add_kernels_command(CLI::App& application);
Command add_report_command(CLI::App& application);
Command add_merge_command(CLI::App& application);
Command add_metrics_command(CLI::App& application);
Command add_doctor_command(CLI::App& application);

}  // namespace gpuprof::cli
