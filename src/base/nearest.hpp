// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Suggestions for mistyped names.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpuprof {

// Smallest number of characters to insert, remove or replace to turn one name into the other, upper and lower case
// being equal.
std::size_t edit_distance(std::string_view left, std::string_view right);

// The at most `count` names most like `wanted`, the best first, equals by name. Names that share less than half of
// `wanted` are left out, so the list may be empty.
std::vector<std::string> nearest(std::string_view wanted, const std::vector<std::string>& names, std::size_t count);

// "did you mean a, b or c?", or an empty text for an empty list.
std::string suggestion(const std::vector<std::string>& names);

}  // namespace gpuprof
