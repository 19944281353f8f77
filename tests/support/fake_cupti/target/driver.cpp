// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "driver.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace fake_target {
namespace {

void* fake = nullptr;
int (*entry)() = nullptr;

void open_fake() {
  const char* path = std::getenv("FAKE_CUPTI_PATH");
  fake = dlopen(path != nullptr ? path : FAKE_CUPTI_PATH, RTLD_NOW | RTLD_LOCAL);
  if (fake != nullptr) return;
  std::fprintf(stderr, "fake_target: %s\n", dlerror());
  std::exit(97);
}

void inject() {
  const char* path = std::getenv("CUDA_INJECTION64_PATH");
  void* library = path != nullptr ? dlopen(path, RTLD_NOW) : nullptr;
  if (library == nullptr) return;
  entry = reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"));
  if (entry != nullptr) entry();
}

}  // namespace

void initialise(Cupti cupti) {
  if (cupti == Cupti::mapped) open_fake();
  inject();
  if (cupti == Cupti::unmapped) open_fake();
  // The driver's own exit handler: registered after the injection, so it runs first.
  if (void* teardown = find_control("fake_cupti_teardown")) std::atexit(reinterpret_cast<void (*)()>(teardown));
}

void inject_again() {
  if (entry != nullptr) entry();
}

void* find_control(const char* name) {
  return fake != nullptr ? dlsym(fake, name) : nullptr;
}

}  // namespace fake_target
