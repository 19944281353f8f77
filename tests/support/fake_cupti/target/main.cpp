// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// A program that uses CUDA as far as an injected library can tell: it plays the script in its arguments (script.hpp).

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <thread>

#include "gpu_steps.hpp"
#include "nvtx_steps.hpp"
#include "script.hpp"

extern char** environ;

namespace fake_target {
namespace {

void play(const std::vector<Step>& steps);

void wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("child %d %s %d\n", child, WIFSIGNALED(status) ? "signal" : "exit",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  std::fflush(stdout);
}

void run_threads(const Step& step) {
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < step.number(0, 1); ++i) threads.emplace_back([&] { play(step.body); });
  for (std::thread& thread : threads) thread.join();
}

// The thread goes on until the process is gone.
void run_in_background(const Step& step) {
  auto* body = new std::vector<Step>(step.body);
  std::thread([body] {
    while (true) play(*body);
  }).detach();
}

void run_forked(const Step& step) {
  const pid_t child = fork();
  if (child != 0) return wait_for(child);
  play(step.body);
  std::exit(0);
}

void run_spawned(const Step& step) {
  std::vector<char*> arguments{const_cast<char*>("fake_target")};
  for (const std::string& argument : step.body_arguments) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments.data(), environ) == 0) wait_for(child);
}

void sleep_ms(std::uint64_t milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

// The program's own handler, which it may install at any time.
void handle_signal(int signal) {
  _exit(100 + signal);
}

[[noreturn]] void leave(const Step& step) {
  print_totals();
  const int number = static_cast<int>(step.number(0, 0));
  if (step.name == "_exit") _exit(number);
  if (step.name == "quick_exit") std::quick_exit(number);
  if (step.name == "abort") std::abort();
  if (step.name == "kill") {
    kill(getpid(), number);
    sleep_ms(10'000);
  }
  std::exit(number);
}

void play_step(const Step& step) {
  if (play_gpu_step(step) || play_nvtx_step(step)) return;
  if (step.name == "sleep") return sleep_ms(step.number(0, 0));
  if (step.name == "repeat") {
    for (std::uint64_t i = 0; i < step.number(0, 1); ++i) play(step.body);
    return;
  }
  if (step.name == "threads") return run_threads(step);
  if (step.name == "background") return run_in_background(step);
  if (step.name == "fork") return run_forked(step);
  if (step.name == "spawn") return run_spawned(step);
  if (step.name == "handle") {
    std::signal(static_cast<int>(step.number(0, SIGTERM)), handle_signal);
    return;
  }
  if (step.name == "exit" || step.name == "_exit" || step.name == "quick_exit" || step.name == "abort" ||
      step.name == "kill") {
    leave(step);
  }
  throw std::runtime_error("unknown step '" + step.name + "'");
}

void play(const std::vector<Step>& steps) {
  for (const Step& step : steps) play_step(step);
}

}  // namespace
}  // namespace fake_target

int main(int argc, char** argv) {
  try {
    fake_target::play(fake_target::parse_script({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fake_target: %s\n", error.what());
    return 98;
  }
  fake_target::print_totals();
  return 0;
}
