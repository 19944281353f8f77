// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "render/idle_causes.hpp"

#include "base/text.hpp"

namespace gpuprof::render {
namespace {

const char* plain_phrase(IdleCause cause) {
  switch (cause) {
    case IdleCause::not_captured:
      return "not recorded";
    case IdleCause::start_up:
      return "before the first operation";
    case IdleCause::shut_down:
      return "after the last operation";
    case IdleCause::communication_not_overlapped:
      return "communication alone";
    case IdleCause::copy_not_overlapped:
      return "copies alone";
    case IdleCause::input_pipeline:
      return "input pipeline";
    case IdleCause::synchronization:
      return "synchronising call";
    case IdleCause::launch_bound:
      return "launch-bound (host late)";
    case IdleCause::unexplained:
      break;
  }
  return "unexplained";
}

}  // namespace

std::string idle_phrase(const IdleTime& idle, std::size_t width) {
  const std::string detail = printable(idle.detail);
  if (detail.empty()) return shorten_middle(plain_phrase(idle.cause), width);
  const std::string before =
      idle.cause == IdleCause::synchronization ? "in " : std::string(plain_phrase(idle.cause)) + ": ";
  const std::size_t room = width > before.size() + 8 ? width - before.size() : 8;
  return shorten_middle(before + shorten_middle(detail, room), width);
}

}  // namespace gpuprof::render
