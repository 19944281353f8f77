#!/usr/bin/env python3
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""What tracing costs: examples/train.py alone, under gpuprof's timeline, a bare CUPTI client, nsys and torch.profiler.

The variants take turns within each repeat, so that a machine that slows down slows all of them. A ratio is the median
over the repeats of time under the profiler divided by native time of the same repeat. Times are those of the training
loop, measured inside the program after its warm-up; CPU time is that of the program's process with all its threads.
"""

import glob
import json
import shutil
import statistics
import sys
from dataclasses import dataclass, field
from pathlib import Path

import measure

NATIVE, GPUPROF, BARE, NSYS, TORCH = "native", "gpuprof timeline", "bare CUPTI client", "nsys", "torch.profiler"


@dataclass
class Variant:
    name: str
    prefix: list
    environment: dict = field(default_factory=dict)
    program_flags: list = field(default_factory=list)
    step_ms: list = field(default_factory=list)  # one entry a repeat; None when the repeat failed
    cpu_ms: list = field(default_factory=list)
    bytes_per_kernel: list = field(default_factory=list)
    failures: list = field(default_factory=list)


def find_nsys():
    places = sorted(glob.glob("/opt/nvidia/nsight-systems/*/bin/nsys")
                    + glob.glob("/opt/nvidia/nsight-compute/*/host/target-linux-x64/nsys"))
    return shutil.which("nsys") or (places[-1] if places else None)


def variants(build, work):
    session = work / "overhead.gpuprof"
    result = [Variant(NATIVE, []),
              Variant(GPUPROF, [build.gpuprof, "run", "-f", "-o", session, "--stages", "timeline", "--"])]
    if build.bare_client.exists():
        result.append(Variant(BARE, [], {"CUDA_INJECTION64_PATH": str(build.bare_client)}))
    else:
        print(f"{build.bare_client} is missing (GPUPROF_BUILD_EXAMPLES=ON builds it): no bare client", file=sys.stderr)
    nsys = find_nsys()
    if nsys:
        result.append(Variant(NSYS, [nsys, "profile", "-t", "cuda,nvtx", "-s", "none", "--cpuctxsw=none", "-f", "true",
                                     "-o", work / "overhead-nsys"]))
    else:
        print("nsys was not found: no row for it", file=sys.stderr)
    result.append(Variant(TORCH, [], {}, ["--profile", "torch"]))
    return result


def run_once(variant, program, result_file):
    """Runs the program under the variant; returns its own figures or None."""
    result_file.unlink(missing_ok=True)
    done = measure.run([*variant.prefix, *program, *variant.program_flags, "--json", result_file], variant.environment)
    # nsys may fail to convert its file after a good run, so the program's figures decide, not the status.
    if not result_file.exists():
        variant.failures.append(f"status {done.status}: {(done.stderr or done.stdout)[-500:].strip()}")
        return None
    if variant.name == BARE and "bytes of records" not in done.stderr:
        variant.failures.append("the bare client did not report: it was not loaded")
        return None
    return json.loads(result_file.read_text(encoding="utf-8"))


def trace_bytes_per_kernel(variant, work, steps, launches_per_step):
    if variant.name == GPUPROF:
        report = measure.read_report(work / "overhead.gpuprof")
        launches = report["totals"]["kernel_launches"]
        return report["ledger"]["trace_bytes"] / launches if launches else None
    if variant.name == NSYS and launches_per_step:
        for suffix in (".nsys-rep", ".qdstrm"):
            file = work / f"overhead-nsys{suffix}"
            if file.exists():
                size = file.stat().st_size
                file.unlink()
                return size / (steps * launches_per_step)
    return None


def measure_all(arguments, build):
    chosen = variants(build, arguments.work)
    program = [sys.executable, measure.EXAMPLES_DIR / "train.py", "--seconds", str(arguments.seconds)]
    result_file = arguments.work / "overhead-step.json"
    launches_per_step = None
    for repeat in range(arguments.repeats):
        # Each repeat begins with another variant, so that none is always the one after a pause.
        order = chosen[repeat % len(chosen):] + chosen[:repeat % len(chosen)]
        for variant in order:
            figures = run_once(variant, program, result_file)
            variant.step_ms.append(figures and statistics.median(figures["block_ms"]))
            variant.cpu_ms.append(figures and figures["cpu_ms_per_step"])
            if figures is None:
                print(f"repeat {repeat + 1}: {variant.name} failed: {variant.failures[-1]}", file=sys.stderr)
                continue
            steps = figures["steps"] + figures["warm_up_steps"]
            if variant.name == GPUPROF:
                totals = measure.read_report(arguments.work / "overhead.gpuprof")["totals"]
                launches_per_step = totals["kernel_launches"] / steps
            size = trace_bytes_per_kernel(variant, arguments.work, steps, launches_per_step)
            if size is not None:
                variant.bytes_per_kernel.append(size)
            print(f"repeat {repeat + 1}: {variant.name}: {variant.step_ms[-1]:.2f} ms/step", file=sys.stderr,
                  flush=True)
    return chosen, launches_per_step


def median(values):
    present = [value for value in values if value is not None]
    return statistics.median(present) if present else None


def main():
    parser = measure.parser(__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5, help="how often each variant runs (default 5)")
    parser.add_argument("--seconds", type=float, default=10, help="length of each training loop (default 10)")
    arguments = parser.parse_args()
    build = measure.prepare(arguments)
    chosen, launches_per_step = measure_all(arguments, build)

    by_name = {variant.name: variant for variant in chosen}
    native = by_name[NATIVE]
    rows = []
    document = {"repeats": arguments.repeats, "seconds": arguments.seconds, "launches_per_step": launches_per_step,
                "variants": {}}
    for variant in chosen:
        wall_ratio = measure.median_ratio(variant.step_ms, native.step_ms)
        cpu_ratio = measure.median_ratio(variant.cpu_ms, native.cpu_ms)
        size = median(variant.bytes_per_kernel)
        present = [value for value in variant.step_ms if value is not None]
        spread = f"{min(present):.2f} .. {max(present):.2f}" if present else None
        rows.append([variant.name, measure.number(median(variant.step_ms)), spread, measure.number(wall_ratio, 3),
                     measure.number(median(variant.cpu_ms)), measure.number(cpu_ratio, 3), measure.number(size, 1)])
        document["variants"][variant.name] = {
            "step_ms": variant.step_ms, "cpu_ms_per_step": variant.cpu_ms, "wall_ratio": wall_ratio,
            "cpu_ratio": cpu_ratio, "trace_bytes_per_kernel": size, "failures": variant.failures}
    table = measure.markdown_table(["variant", "ms/step (median)", "range", "/ native", "CPU ms/step", "CPU / native",
                                    "trace bytes/kernel"], rows)
    lines = [f"examples/train.py, {arguments.repeats} interleaved repeats of {arguments.seconds:g} s, "
             f"{measure.number(launches_per_step, 0) or 'an unknown number of'} kernels a step", "", table, ""]
    failed = any(variant.failures for variant in (native, by_name[GPUPROF]))
    for other, limit in ((BARE, 1.05), (NSYS, 1.0)):
        if other not in by_name:
            lines.append(f"- gpuprof / {other}: not measured")
            continue
        ratio = measure.median_ratio(by_name[GPUPROF].step_ms, by_name[other].step_ms)
        document[f"gpuprof / {other}"] = ratio
        passed = ratio is not None and ratio <= limit
        failed = failed or not passed
        lines.append(f"- gpuprof / {other}: {measure.number(ratio, 3) or 'not measured'}, goal <= {limit}: "
                     f"{'pass' if passed else 'fail'}")
    measure.publish(arguments, "\n".join(lines), document)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
