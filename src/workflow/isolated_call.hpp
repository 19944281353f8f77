// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Questions to libraries that may crash, hang or change the process that asks: asked in a child.

#include <chrono>
#include <functional>
#include <string>

namespace gpuprof::workflow {

struct IsolatedAnswer {
  bool answered = false;
  std::string text;     // what the call returned
  std::string failure;  // when it did not answer: "the asking process was killed by SIGSEGV", "no answer within 30 s"
};

// Calls `question` in a forked child whose output is discarded and returns its text. Throws Error when fork fails.
IsolatedAnswer ask_in_child(const std::function<std::string()>& question, std::chrono::seconds limit);

}  // namespace gpuprof::workflow
