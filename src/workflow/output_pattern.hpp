// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The name given with `gpuprof run -o`, in which %h, %p, %q{VARIABLE}, %n and %% stand for other text, so that every
// rank of a job can be started with the same command line.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuprof::workflow {

// What the patterns stand for.
struct PatternValues {
  std::string host;                                                           // %h
  std::uint64_t pid = 0;                                                      // %p: of gpuprof
  std::function<std::optional<std::string>(const std::string&)> environment;  // %q{NAME}; empty: not set
};

// Those of this process.
PatternValues pattern_values();

// A name that may have gaps for a number.
class OutputName {
 public:
  // Throws UsageError for an unknown pattern and for a variable that is not set or empty, and names it.
  OutputName(std::string_view pattern, const PatternValues& values);

  bool numbered() const { return parts_.size() > 1; }
  std::string with_number(int number) const;

 private:
  std::vector<std::string> parts_;  // around each %n
};

}  // namespace gpuprof::workflow
