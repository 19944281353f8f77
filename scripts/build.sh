#!/usr/bin/env bash
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
#
# build.sh DIRECTORY [CMAKE-ARGUMENT...]: configures this checkout in DIRECTORY and builds it with all cores. Prints the
# build's output only when it fails. Uses ccache when it is installed. GPUPROF_BUILD_TARGETS names the targets to build,
# separated by blanks; all without it.
set -euo pipefail

if [ $# -eq 0 ]; then
  echo "usage: build.sh DIRECTORY [CMAKE-ARGUMENT...]" >&2
  exit 2
fi
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build_dir=$1
shift

launcher=()
if command -v ccache >/dev/null; then
  launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi

targets=()
if [ -n "${GPUPROF_BUILD_TARGETS:-}" ]; then
  read -r -a targets <<<"--target $GPUPROF_BUILD_TARGETS"
fi

mkdir -p "$build_dir"
log=$build_dir/build.log
start=$SECONDS
echo "building in $build_dir" >&2
configure_and_build() {
  cmake -S "$source_dir" -B "$build_dir" -G Ninja "${launcher[@]}" "$@" && cmake --build "$build_dir" "${targets[@]}"
}
if ! configure_and_build "$@" >"$log" 2>&1; then
  cat "$log" >&2
  echo "build.sh: the build failed; its output is above and in $log" >&2
  exit 1
fi
# CMake's warnings about missing parts (no CUDA Toolkit, say) matter to whoever reads the tests' result.
grep -E '^-- CUDA Toolkit|warning:' "$log" >&2 || true
echo "built in $((SECONDS - start)) s" >&2
