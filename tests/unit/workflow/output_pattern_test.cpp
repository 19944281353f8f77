// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "workflow/output_pattern.hpp"

#include "base/error.hpp"
#include "support/catch2_compat.hpp"

using namespace gpuprof;
using namespace gpuprof::workflow;

namespace {

PatternValues values() {
  return {"node7", 4711, [](const std::string& name) -> std::optional<std::string> {
            if (name == "RANK") return "3";
            if (name == "PATTERN") return "%n%h";
            if (name == "EMPTY") return "";
            return std::nullopt;
          }};
}

std::string name_of(const std::string& pattern, int number = 5) {
  return OutputName(pattern, values()).with_number(number);
}

}  // namespace

TEST_CASE("patterns in an output name") {
  CHECK(name_of("plain.gpuprof") == "plain.gpuprof");
  CHECK(name_of("").empty());
  CHECK(name_of("dir/%h-%p-%q{RANK}.gpuprof") == "dir/node7-4711-3.gpuprof");
  CHECK(name_of("100%%-%%n") == "100%-%n");
  CHECK(name_of("%n/%n") == "5/5");
  CHECK(name_of("%q{PATTERN}") == "%n%h");
  CHECK_FALSE(OutputName("%q{PATTERN}%%n", values()).numbered());
  CHECK(OutputName("a%n", values()).numbered());
}

TEST_CASE("patterns that mean nothing are refused") {
  for (const char* pattern : {"%", "a%", "%z", "%%%", "% h", "%q", "%q{", "%q{}", "%qRANK", "%q{RANK", "%q{EMPTY}"}) {
    CHECK_THROWS_AS(name_of(pattern), UsageError);
  }
  CHECK_THROWS_WITH(name_of("%q{MISSING}"), ContainsSubstring("MISSING"));
}
