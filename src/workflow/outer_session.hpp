// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// `gpuprof run` inside a program that another `gpuprof run` profiles: a launch script or a rank that profiles itself.
// CUDA loads one collector into a process, so what runs inside belongs to the outer session.

#include <string>
#include <vector>

namespace gpuprof::workflow {

// The directory of the session that programs started here are recorded in already by `collector`; empty when there is
// none, or when its gpuprof is done with the stage, as in a shell that outlived it.
std::string outer_session(const std::string& collector);

// Turns this process into the program, and says so in one line unless quiet. Returns an exit status only when the
// program could not be executed.
int join_outer_session(const std::string& session, const std::vector<std::string>& command, bool quiet);

}  // namespace gpuprof::workflow
