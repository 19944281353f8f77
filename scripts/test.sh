#!/usr/bin/env bash
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds and runs all tests, from nothing: an optimised build with warnings as errors, then the collector under the
# thread sanitizer, then everything under the address and undefined-behaviour sanitizers. Tests that need a GPU say that
# they were skipped where there is none. The last lines are ctest's summary; the exit status is 0 when every test passed.
#
#   --fast   only the optimised build
set -euo pipefail

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
fast=0
for argument in "$@"; do
  case $argument in
    --fast) fast=1 ;;
    *)
      echo "usage: test.sh [--fast]" >&2
      exit 2
      ;;
  esac
done

"$source_dir/scripts/bootstrap.sh"

release=$source_dir/build/test-release
sanitized=$source_dir/build/test-sanitized
threads=$source_dir/build/test-threads
"$source_dir/scripts/build.sh" "$release" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DGPUPROF_WARNINGS_AS_ERRORS=ON
if [ $fast -eq 0 ]; then
  "$source_dir/scripts/build.sh" "$sanitized" -DCMAKE_BUILD_TYPE=Debug -DGPUPROF_WARNINGS_AS_ERRORS=ON \
    -DGPUPROF_SANITIZE=address,undefined
fi

# Both test runs are made whatever the first one says, so that one push shows all failures.
status=0
jobs=$(nproc)
ctest --test-dir "$release" --output-on-failure -j "$jobs" || status=1
if [ $fast -eq 0 ]; then
  if [ $status -ne 0 ]; then
    echo "test.sh: tests failed in the optimised build (see above); now the sanitizers" >&2
  fi
  if [ -e "$release/lib/gpuprof/libgpuprof_collector.so" ]; then
    GPUPROF_BUILD_TARGETS="gpuprof gpuprof_collector fake_cupti fake_target write_counter_plan" \
      "$source_dir/scripts/build.sh" "$threads" -DCMAKE_BUILD_TYPE=Debug -DGPUPROF_WARNINGS_AS_ERRORS=ON \
      -DGPUPROF_SANITIZE=thread
    # Some kernels place memory where this sanitizer cannot start.
    if "$threads/bin/gpuprof" --version >/dev/null 2>&1; then
      ctest --test-dir "$threads" --output-on-failure -R '^collector/' || status=1
    else
      echo "test.sh: the thread sanitizer does not run on this kernel: its tests are skipped" >&2
    fi
  fi
  ctest --test-dir "$sanitized" --output-on-failure -j "$jobs" || status=1
fi
exit $status
