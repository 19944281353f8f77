#!/usr/bin/env bash
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
#
# Shows gpuprof at work, from nothing: installs what the build needs, builds, and profiles a training run. Where there
# is no GPU it shows the report of a session recorded on an NVIDIA H200.
set -euo pipefail

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build_dir=$source_dir/build/release

find_nvcc() {
  command -v nvcc || { test -x /usr/local/cuda/bin/nvcc && echo /usr/local/cuda/bin/nvcc; }
}
have_gpu() {
  command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q '^GPU '
}
have_torch() {
  python3 -c 'import sys, torch; sys.exit(not torch.cuda.is_available())' 2>/dev/null
}
show() {
  printf '\n$ %s\n' "$*" >&2
  "$@"
}

"$source_dir/scripts/bootstrap.sh"
options=(-DCMAKE_BUILD_TYPE=RelWithDebInfo)
if have_gpu && find_nvcc >/dev/null; then
  options+=(-DGPUPROF_BUILD_EXAMPLES=ON)
fi
"$source_dir/scripts/build.sh" "$build_dir" "${options[@]}"
gpuprof=$build_dir/bin/gpuprof

if have_gpu; then
  session=$build_dir/demo.gpuprof
  if have_torch; then
    program=(python3 "$source_dir/examples/train.py" --steps 300)
  elif [ -x "$build_dir/examples/memory_bound" ]; then
    program=("$build_dir/examples/memory_bound")
  else
    echo "demo.sh: there is a GPU, but neither PyTorch with CUDA nor nvcc, so nothing to profile." >&2
    echo "Install one of them, or try: $gpuprof run -- YOUR-PROGRAM" >&2
    exit 1
  fi
  show "$gpuprof" run -f -o "$session" -- "${program[@]}"
else
  session=$(find "$source_dir/examples/recorded" -maxdepth 1 -name '*.gpuprof' 2>/dev/null | sort | head -n 1)
  if [ -z "$session" ]; then
    echo "demo.sh: no GPU here, and examples/recorded holds no session; is the checkout complete?" >&2
    exit 1
  fi
  echo
  echo "No GPU here: this is a session recorded on an NVIDIA H200."
  show "$gpuprof" report "$session"
fi
show "$gpuprof" kernels "$session" --top 5
