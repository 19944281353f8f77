// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one exception gpuprof throws on purpose: a failure the caller cannot handle, told to the user with its remedy.

#include <stdexcept>
#include <string>

namespace gpuprof {

class Error : public std::runtime_error {
 public:
  // `what` says what happened, `hint` what to do next. Both are single sentences without a trailing newline.
  explicit Error(const std::string& what, std::string hint = {}) : std::runtime_error(what), hint_(std::move(hint)) {}

  const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

// The command line or its input was wrong: exit status 2 instead of the command's failure status.
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace gpuprof
