// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What gpuprof says on stderr while a program runs. The program keeps stdout.

#include <string>

namespace gpuprof::workflow {

class Progress {
 public:
  // Quiet: only errors are shown.
  explicit Progress(bool quiet);

  // A line that is rewritten in place; shown on a terminal only.
  void update(const std::string& text);
  // A line that stays.
  void line(const std::string& text);
  // An error and its remedy; shown even when quiet.
  void error(const std::string& text, const std::string& hint);
  // Text of several lines as it is.
  void block(const std::string& text);

 private:
  void erase_updated();

  bool quiet_;
  bool terminal_;
  bool updated_ = false;
};

}  // namespace gpuprof::workflow
