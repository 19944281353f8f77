// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The SESSION argument that several commands share.

#include <string>

#include "gpuprof/report.hpp"

namespace CLI {
class App;
}

namespace gpuprof::cli {

void add_session_argument(CLI::App& app, std::string& session);

// The report of the session; says on stderr which one was taken when none was named.
Report report_of(const std::string& session);

}  // namespace gpuprof::cli
