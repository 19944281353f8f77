# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds the libraries gpuprof builds on. Installed packages come first; GPUPROF_FETCH_DEPS=ON fetches what is missing,
# pinned to a full commit; otherwise one message names everything that is missing and how to install it.
set(gpuprof_missing "")

function(gpuprof_fetch name repository commit)
  include(FetchContent)
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${commit})
  FetchContent_MakeAvailable(${name})
endfunction()

# gpuprof_dependency(<package> <version> <target> <apt name> <repository> <commit>)
macro(gpuprof_dependency package version target apt repository commit)
  find_package(${package} ${version} CONFIG QUIET)
  if(NOT TARGET ${target})
    if(GPUPROF_FETCH_DEPS)
      string(TOLOWER ${package} gpuprof_fetch_name)
      gpuprof_fetch(${gpuprof_fetch_name} ${repository} ${commit})
    else()
      list(APPEND gpuprof_missing ${apt})
    endif()
  endif()
endmacro()

gpuprof_dependency(CLI11 2.1 CLI11::CLI11 libcli11-dev
  https://github.com/CLIUtils/CLI11.git 6c7b07a878ad834957b98d0f9ce1dbe0cb204fc9)
gpuprof_dependency(fmt 8.1 fmt::fmt libfmt-dev
  https://github.com/fmtlib/fmt.git 40626af88bd7df9a5fb80be7b25ac85b122d6c21)
gpuprof_dependency(nlohmann_json 3.10 nlohmann_json::nlohmann_json nlohmann-json3-dev
  https://github.com/nlohmann/json.git 9cca280a4d0ccf0c08f47a99aa71d1b0e52f8d03)

# Header-only libraries without a CMake package.
find_path(GPUPROF_PROTOZERO_INCLUDE protozero/pbf_writer.hpp)
if(NOT GPUPROF_PROTOZERO_INCLUDE)
  list(APPEND gpuprof_missing libprotozero-dev)
endif()
find_path(GPUPROF_XXHASH_INCLUDE xxhash.h)
if(NOT GPUPROF_XXHASH_INCLUDE)
  list(APPEND gpuprof_missing libxxhash-dev)
endif()

if(GPUPROF_BUILD_TESTS)
  find_package(Catch2 3 CONFIG QUIET)
  if(NOT TARGET Catch2::Catch2)
    find_package(Catch2 2.13 CONFIG QUIET)
  endif()
  if(NOT TARGET Catch2::Catch2 AND GPUPROF_FETCH_DEPS)
    gpuprof_fetch(catch2 https://github.com/catchorg/Catch2.git fa43b77429ba76c462b1898d6cd2f2d7a9416b14)
    list(APPEND CMAKE_MODULE_PATH ${catch2_SOURCE_DIR}/extras)
  elseif(NOT TARGET Catch2::Catch2)
    list(APPEND gpuprof_missing catch2)
  endif()
endif()

if(gpuprof_missing)
  list(JOIN gpuprof_missing " " gpuprof_missing_text)
  message(FATAL_ERROR
    "Missing libraries. On Debian or Ubuntu run scripts/bootstrap.sh, or:\n"
    "  apt-get install ${gpuprof_missing_text}\n"
    "or configure with -DGPUPROF_FETCH_DEPS=ON (CLI11, fmt, nlohmann-json and Catch2 only; needs internet access).")
endif()

find_package(Threads REQUIRED)

add_library(gpuprof_protozero INTERFACE)
target_include_directories(gpuprof_protozero SYSTEM INTERFACE ${GPUPROF_PROTOZERO_INCLUDE})
add_library(gpuprof_xxhash INTERFACE)
target_include_directories(gpuprof_xxhash SYSTEM INTERFACE ${GPUPROF_XXHASH_INCLUDE})
