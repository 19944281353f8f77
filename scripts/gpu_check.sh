#!/usr/bin/env bash
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
#
# gpu_check.sh OUT BUILD [SECTION...]: everything that needs a GPU, on a build made before with the examples. Builds
# nothing. Each section writes OUT/SECTION.log and its tables (OUT/*.md, OUT/*.json); sessions go to OUT/sessions. It
# goes on after a failure; the last lines give every section's result, and the exit status is 1 when one failed.
#
#   tests      the tests of tests/gpu
#   examples   every example under gpuprof, with its report and hot kernels
#   accuracy   counters against ncu
#   overhead   cost of tracing against a bare CUPTI client, nsys and torch.profiler
#   ddp        one session of a two-rank training: torchrun with examples/ddp.py
#   thirty     30 million kernels of CUDA graphs in one run: the ledger and the collector's memory
#   whole      cost of the whole workflow on a 30 s training
#   kill       what SIGKILL costs
#   sizes      trace bytes a kernel
set -uo pipefail

all_sections=(tests examples accuracy overhead ddp thirty whole kill sizes)
if [ $# -lt 2 ]; then
  echo "usage: gpu_check.sh OUT BUILD [SECTION...]   (sections: ${all_sections[*]}; default all)" >&2
  exit 2
fi
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "$1" || exit 2
out=$(cd "$1" && pwd)
build=$(cd "$2" && pwd) || exit 2
shift 2
sections=("$@")
if [ ${#sections[@]} -eq 0 ]; then
  sections=("${all_sections[@]}")
fi
gpuprof=$build/bin/gpuprof
if [ ! -x "$gpuprof" ]; then
  echo "gpu_check.sh: $gpuprof does not exist; build gpuprof with -DGPUPROF_BUILD_EXAMPLES=ON first" >&2
  exit 2
fi
export GPUPROF_BINARY_DIR=$build GPUPROF_SOURCE_DIR=$source_dir PYTHONDONTWRITEBYTECODE=1
mkdir -p "$out/sessions"

bench() {
  local name=$1
  shift
  timeout 900 python3 "$source_dir/bench/$name.py" --build "$build" --work "$out/sessions" -o "$out/$name" "$@"
}

run_tests() {
  local failed=0 script status
  for script in "$source_dir"/tests/gpu/test_*.py; do
    echo "== $(basename "$script")"
    timeout 600 python3 "$script"
    status=$?
    case $status in
      0) echo "== $(basename "$script"): passed" ;;
      77) echo "== $(basename "$script"): SKIPPED" ;;
      *)
        echo "== $(basename "$script"): FAILED with status $status"
        failed=1
        ;;
    esac
  done
  return $failed
}

profile_example() {
  local name=$1
  shift
  echo "== $name"
  timeout 300 "$gpuprof" run -f -o "$out/sessions/$name.gpuprof" -- "$@" &&
    "$gpuprof" report "$out/sessions/$name.gpuprof" &&
    "$gpuprof" kernels "$out/sessions/$name.gpuprof" --top 5 &&
    "$gpuprof" kernels "$out/sessions/$name.gpuprof" --top 5 --format json
}

run_examples() {
  local failed=0 name
  "$gpuprof" doctor || echo "doctor: status $?"
  for name in memory_bound strided compute_bound launch_bound graph_replay pageable_copies; do
    profile_example "$name" "$build/examples/$name" || failed=1
  done
  for name in strided launch_bound pageable_copies; do
    profile_example "$name-fixed" "$build/examples/$name" --fixed || failed=1
  done
  profile_example pytorch_kernels python3 "$source_dir/examples/pytorch_kernels.py" || failed=1
  profile_example train python3 "$source_dir/examples/train.py" --steps 300 || failed=1
  return $failed
}

run_ddp() {
  local session=$out/sessions/ddp.gpuprof
  timeout 300 "$gpuprof" run -f -o "$session" --stages timeline -- \
    torchrun --nproc_per_node=2 "$source_dir/examples/ddp.py" "$@" &&
    "$gpuprof" report "$session" &&
    "$gpuprof" report "$session" --format perfetto -o "$out/ddp.perfetto-trace"
}

run_thirty() {
  local session=$out/sessions/thirty.gpuprof loop=("$build/bench/workloads" graph --empty --nodes 1000 --launches 30000)
  "${loop[@]}" && timeout 600 "$gpuprof" run -f -o "$session" --stages timeline -- "${loop[@]}" &&
    "$gpuprof" report "$session"
}

run_section() {
  case $1 in
    tests) run_tests ;;
    examples) run_examples ;;
    accuracy) bench accuracy ;;
    # shellcheck disable=SC2086
    overhead) bench overhead ${GPUPROF_OVERHEAD_FLAGS:-} ;;
    ddp) run_ddp ;;
    thirty) run_thirty ;;
    whole) bench whole_run ;;
    kill) bench kill_loss ;;
    sizes) bench trace_size ;;
    *)
      echo "unknown section $1 (sections: ${all_sections[*]})"
      return 2
      ;;
  esac
}

results=()
failed=0
for section in "${sections[@]}"; do
  start=$SECONDS
  run_section "$section" >"$out/$section.log" 2>&1 </dev/null
  status=$?
  if [ $status -eq 0 ]; then
    results+=("$section: ok, $((SECONDS - start)) s")
  else
    results+=("$section: FAILED with status $status, $((SECONDS - start)) s; see $section.log")
    failed=1
  fi
  echo "${results[-1]}"
done
printf '%s\n' "${results[@]}" >"$out/status.txt"
exit $failed
