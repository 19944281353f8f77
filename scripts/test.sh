#!/usr/bin/env bash
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds and runs all tests, from nothing: an optimised build with warnings as errors, then one under the address and
# undefined-behaviour sanitizers. Tests that need a GPU say that they were skipped where there is none. The last lines
# are ctest's summary; the exit status is 0 when every test passed.
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
  ctest --test-dir "$sanitized" --output-on-failure -j "$jobs" || status=1
fi
exit $status
