// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "cupti/library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstring>

namespace gpuprof::cupti {
namespace {

// The majors this build was tried with or expects to work, newest first.
constexpr const char* kSonames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};

constexpr const char* kToolkitPaths[] = {"/usr/local/cuda/extras/CUPTI/lib64/libcupti.so",
                                         "/usr/local/cuda/lib64/libcupti.so", "/usr/local/cuda/lib/libcupti.so",
                                         "/usr/local/cuda/targets/x86_64-linux/lib/libcupti.so",
                                         "/usr/local/cuda/targets/sbsa-linux/lib/libcupti.so"};

bool names_libcupti(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return std::strncmp(slash ? slash + 1 : path, "libcupti.so", std::strlen("libcupti.so")) == 0;
}

bool resolve(void* handle, Api& api, std::string& missing) {
  bool complete = true;
#define GPUPROF_RESOLVE(name, required)                                  \
  api.name = reinterpret_cast<decltype(api.name)>(dlsym(handle, #name)); \
  if (required && api.name == nullptr) {                                 \
    missing += missing.empty() ? #name : ", " #name;                     \
    complete = false;                                                    \
  }
  GPUPROF_CUPTI_FUNCTIONS(GPUPROF_RESOLVE)
#undef GPUPROF_RESOLVE
  return complete;
}

bool try_open(const std::string& candidate, int flags, Library& library, std::string& tried) {
  void* handle = dlopen(candidate.c_str(), flags);
  std::string reason;
  if (handle == nullptr) {
    const char* text = dlerror();
    reason = text ? text : "cannot be opened";
  } else if (std::string missing; !resolve(handle, library.api, missing)) {
    reason = candidate + ": lacks " + missing;
  } else {
    link_map* map = nullptr;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr && map->l_name != nullptr && map->l_name[0] != 0) {
      library.path = map->l_name;
    } else {
      library.path = candidate;
    }
    library.api.cuptiGetVersion(&library.version);
    return true;  // The handle stays open: CUPTI must never be unloaded.
  }
  if (!tried.empty()) tried += "; ";
  tried += reason;
  return false;
}

int add_if_libcupti(dl_phdr_info* info, std::size_t, void* list) {
  if (info->dlpi_name != nullptr && names_libcupti(info->dlpi_name)) {
    static_cast<std::vector<std::string>*>(list)->emplace_back(info->dlpi_name);
  }
  return 0;
}

}  // namespace

std::vector<std::string> mapped_libraries() {
  std::vector<std::string> paths;
  dl_iterate_phdr(add_if_libcupti, &paths);
  return paths;
}

bool open_library(const std::string& preferred_path, Library& library, std::string& tried) {
  // A second copy would have its own state and would see none of the program's work.
  for (const std::string& path : mapped_libraries()) {
    if (try_open(path, RTLD_NOW | RTLD_NOLOAD, library, tried)) return true;
  }
  if (!preferred_path.empty() && try_open(preferred_path, RTLD_NOW | RTLD_LOCAL, library, tried)) return true;
  for (const char* soname : kSonames) {
    if (try_open(soname, RTLD_NOW | RTLD_LOCAL, library, tried)) return true;
  }
  for (const char* path : kToolkitPaths) {
    if (try_open(path, RTLD_NOW | RTLD_LOCAL, library, tried)) return true;
  }
  return false;
}

std::string describe(const Api& api, const char* name, CUptiResult result) {
  const char* text = nullptr;
  if (api.cuptiGetResultString != nullptr) api.cuptiGetResultString(result, &text);
  return std::string(name) + ": " + (text ? text : "unknown error") + " (" + std::to_string(static_cast<int>(result)) +
         ")";
}

}  // namespace gpuprof::cupti
