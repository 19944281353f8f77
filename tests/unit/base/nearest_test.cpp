// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.hpp"

#include "support/catch2_compat.hpp"

using Names = std::vector<std::string>;

TEST_CASE("edit distance counts insertions, removals and replacements, not case") {
  CHECK(gpuprof::edit_distance("", "") == 0);
  CHECK(gpuprof::edit_distance("", "abc") == 3);
  CHECK(gpuprof::edit_distance("abc", "") == 3);
  CHECK(gpuprof::edit_distance("gh100", "GH100") == 0);
  CHECK(gpuprof::edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("nearest names come best first, and far ones not at all") {
  const Names chips = {"AD102", "GA100", "GH100", "TU117"};
  CHECK(gpuprof::nearest("gh100", chips, 3) == Names{"GH100", "GA100"});
  CHECK(gpuprof::nearest("gh100", chips, 1) == Names{"GH100"});
  CHECK(gpuprof::nearest("completely different", chips, 3).empty());
  CHECK(gpuprof::nearest("", chips, 3).empty());
}

TEST_CASE("a suggestion reads as a question") {
  CHECK(gpuprof::suggestion({}).empty());
  CHECK(gpuprof::suggestion({"GH100"}) == "did you mean GH100?");
  CHECK(gpuprof::suggestion({"A", "B", "C"}) == "did you mean A, B or C?");
}
