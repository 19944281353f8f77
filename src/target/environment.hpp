// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The environment and argument blocks that exec wants.

#include <string>
#include <utility>
#include <vector>

namespace gpuprof::target {

// Our environment as NAME=value lines, with `changes` set on top. Later changes win; the order of the rest is kept.
std::vector<std::string> merged_environment(const std::vector<std::pair<std::string, std::string>>& changes);

// Pointers to the strings and a final null. Valid as long as `strings` is neither changed nor destroyed.
std::vector<char*> pointers(std::vector<std::string>& strings);

}  // namespace gpuprof::target
