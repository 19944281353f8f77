#!/usr/bin/env python3
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""What tracing costs: loops alone, under a bare CUPTI client, gpuprof, nsys and torch.profiler.

Workloads: empty launches from one and from four threads, a PyTorch training (examples/train.py), a GEMM-bound loop, and
replays of a CUDA graph. The variants take turns within each repeat, so that a machine that slows down slows all of them;
native runs twice a repeat, and the ratio of the two shows what the machine's noise alone does. Times are those of the
loop, measured inside the program; CPU time is that of the program's process with all its threads.
"""

import json
import re
import statistics
import sys
from dataclasses import dataclass, field

import measure

NATIVE, AGAIN, BARE = "native", "native again", "bare CUPTI client"
GPUPROF, WHOLE, SHARE = "gpuprof", "gpuprof --graphs whole", "gpuprof --trace-share 10%"
NSYS, TORCH = "nsys", "torch.profiler"
# Variants that take long to start and stop run in the first repeats only.
SLOW = {NSYS, TORCH}


@dataclass
class Workload:
    key: str
    title: str
    command: list
    variants: list
    python: bool = False
    launches: int = 0  # for the cost of a launch; 0: not of interest


@dataclass
class Samples:
    wall_ms: list = field(default_factory=list)  # one entry a repeat; None when it failed or was left out
    cpu_ms: list = field(default_factory=list)
    extra: list = field(default_factory=list)  # the program's own figures and the report's totals
    failures: list = field(default_factory=list)


def workloads(arguments, build):
    program = build.directory / "bench" / "workloads"
    n = arguments.launches
    usual = [NATIVE, BARE, GPUPROF, NSYS, AGAIN]
    chosen = [
        Workload("launches_1", f"(a) {n:,} empty launches, 1 thread",
                 [program, "launches", "--threads", "1", "--launches", n], usual, launches=n),
        Workload("launches_4", f"(a) {n:,} empty launches, 4 threads",
                 [program, "launches", "--threads", "4", "--launches", n], usual, launches=n),
        Workload("train", f"(b) examples/train.py, {arguments.steps} steps",
                 [sys.executable, measure.EXAMPLES_DIR / "train.py", "--steps", arguments.steps],
                 [NATIVE, BARE, GPUPROF, SHARE, NSYS, TORCH, AGAIN], python=True),
        Workload("gemm", "(c) GEMM-bound loop", [program, "gemm", "--launches", arguments.products], usual),
        Workload("graph", "(d) CUDA-graph replays, 200 nodes",
                 [program, "graph", "--nodes", "200", "--launches", arguments.replays],
                 [NATIVE, BARE, WHOLE, GPUPROF, NSYS, AGAIN]),
    ]
    return [workload for workload in chosen if not arguments.only or workload.key in arguments.only]


def command_of(variant, workload, build, work, nsys):
    """The words in front of the program's, its environment, and flags behind; None when the variant cannot run."""
    session = work / "overhead.gpuprof"
    gpuprof = [build.gpuprof, "run", "-q", "-f", "-o", session, "--stages", "timeline"]
    if variant in (NATIVE, AGAIN):
        return [], {}, []
    if variant == BARE:
        return ([], {"CUDA_INJECTION64_PATH": str(build.bare_client)}, []) if build.bare_client.exists() else None
    if variant in (GPUPROF, WHOLE, SHARE):
        flags = {GPUPROF: [], WHOLE: ["--graphs", "whole"], SHARE: ["--trace-share", "10%"]}[variant]
        return [*gpuprof, *flags, "--"], {}, []
    if variant == NSYS:
        if nsys is None:
            return None
        return [nsys, "profile", "-t", "cuda,nvtx", "-s", "none", "--cpuctxsw=none", "-f", "true",
                "-o", work / "overhead-nsys"], {}, []
    return ([], {}, ["--profile", "torch"]) if workload.python else None


def figures_of(workload, done, result_file):
    if workload.python:
        if not result_file.exists():
            return None
        figures = json.loads(result_file.read_text(encoding="utf-8"))
        return {"wall_ms": statistics.median(figures["block_ms"]), "cpu_ms": figures["cpu_ms_per_step"]}
    match = re.search(r"measured (.*)", done.stdout)
    if match is None:
        return None
    return {key: float(value) for key, value in (word.split("=") for word in match.group(1).split())}


def run_once(variant, workload, build, work, nsys):
    prepared = command_of(variant, workload, build, work, nsys)
    if prepared is None:
        return None, "not available here"
    prefix, environment, flags = prepared
    result_file = work / "overhead-result.json"
    result_file.unlink(missing_ok=True)
    behind = [*flags, "--json", result_file] if workload.python else flags
    done = measure.run([*prefix, *workload.command, *behind], environment)
    # nsys may fail to convert its file after a good run, so the program's figures decide, not the status.
    figures = figures_of(workload, done, result_file)
    if figures is None:
        return None, f"status {done.status}: {(done.stderr or done.stdout)[-500:].strip()}"
    if variant == BARE and "bytes of records" not in done.stderr:
        return None, "the bare client did not report: it was not loaded"
    if variant in (GPUPROF, WHOLE, SHARE):
        report = measure.read_report(work / "overhead.gpuprof")
        estimated = [k["estimated_time_ns"] for k in report["kernels"] if k.get("estimated_time_ns") is not None]
        books = report["ledger"]["kernels"]
        figures["report"] = {
            "kernel_time_ns": report["totals"]["kernel_time_ns"], "launches": report["totals"]["kernel_launches"],
            "estimated_time_ns": sum(estimated) if estimated else None,
            "uncaptured_launches": report["capture"]["uncaptured_launches"],
            "unaccounted": books["unaccounted"], "trace_bytes": report["ledger"]["trace_bytes"]}
    return figures, None


def measure_workload(workload, arguments, build, nsys):
    samples = {variant: Samples() for variant in workload.variants}
    repeats = arguments.train_repeats if workload.python else arguments.repeats
    for repeat in range(repeats):
        for variant in workload.variants:
            slow_repeats = arguments.slow_repeats
            figures, failure = (None, None)
            if variant not in SLOW or repeat < slow_repeats:
                figures, failure = run_once(variant, workload, build, arguments.work, nsys)
            of = samples[variant]
            of.wall_ms.append(figures and figures["wall_ms"])
            of.cpu_ms.append(figures and figures["cpu_ms"])
            of.extra.append(figures)
            if failure:
                of.failures.append(failure)
                print(f"{workload.key} repeat {repeat + 1}: {variant}: {failure}", file=sys.stderr, flush=True)
            elif figures:
                print(f"{workload.key} repeat {repeat + 1}: {variant}: {figures['wall_ms']:.2f} ms, "
                      f"CPU {figures['cpu_ms']:.2f} ms", file=sys.stderr, flush=True)
    return samples


def median(values):
    present = [value for value in values if value is not None]
    return statistics.median(present) if present else None


def spread(values):
    present = [value for value in values if value is not None]
    return f"{min(present):.2f} .. {max(present):.2f}" if present else None


def table_of(workload, samples):
    native = samples[NATIVE]
    rows = []
    for variant, of in samples.items():
        count = sum(value is not None for value in of.wall_ms)
        rows.append([variant, count, measure.number(median(of.wall_ms)), spread(of.wall_ms),
                     measure.number(measure.median_ratio(of.wall_ms, native.wall_ms), 3),
                     measure.number(median(of.cpu_ms)),
                     measure.number(measure.median_ratio(of.cpu_ms, native.cpu_ms), 3)])
    unit = "ms/step" if workload.python else "ms"
    return measure.markdown_table(["variant", "runs", f"{unit}, median", "min .. max", "/ native",
                                   "CPU ms, median", "CPU / native"], rows)


def goal(text, value, limit, digits=3):
    if value is None:
        return f"- {text}: not measured"
    verdict = "reached" if value <= limit else "MISSED"
    return f"- {text}: {value:.{digits}f}, goal <= {limit:g}: {verdict}"


def goals_of(workload, samples):
    native = samples[NATIVE]

    def ratio(variant, base):
        if variant not in samples or base not in samples:
            return None
        return measure.median_ratio(samples[variant].wall_ms, samples[base].wall_ms)

    lines = []
    if workload.launches:
        pairs = [(ours - theirs) * 1e6 / workload.launches
                 for ours, theirs in zip(samples[GPUPROF].cpu_ms, samples[BARE].cpu_ms)
                 if ours is not None and theirs is not None]
        lines.append(goal("CPU above the bare client, ns a launch (median)", median(pairs), 150, 0))
    if workload.key == "train":
        lines.append(goal("gpuprof / bare client", ratio(GPUPROF, BARE), 1.02))
        lines.append(goal("gpuprof / nsys", ratio(GPUPROF, NSYS), 1.0))
        lines.append(goal("gpuprof / torch.profiler", ratio(GPUPROF, TORCH), 1.0))
        lines.append(goal("gpuprof --trace-share 10% / native", ratio(SHARE, NATIVE), 1.03))
        errors = []
        for full, share in zip(samples[GPUPROF].extra, samples[SHARE].extra):
            if full and share and share["report"]["estimated_time_ns"]:
                errors.append(abs(share["report"]["estimated_time_ns"] / full["report"]["kernel_time_ns"] - 1) * 100)
        lines.append(goal("kernel time estimated from the share against a full trace, % off (median)",
                          median(errors), 2))
    if workload.key == "gemm":
        lines.append(goal("gpuprof / native", ratio(GPUPROF, NATIVE), 1.005))
    if workload.key == "graph":
        lines.append(goal("gpuprof --graphs whole / native", ratio(WHOLE, NATIVE), 1.02))
        lines.append(goal("gpuprof per node / native", ratio(GPUPROF, NATIVE), 1.15))
    again = measure.median_ratio(samples[AGAIN].wall_ms, native.wall_ms)
    all_again = [b / a for a, b in zip(native.wall_ms, samples[AGAIN].wall_ms) if a and b]
    if again is not None:
        lines.append(f"- native against itself: {again:.3f}, {min(all_again):.3f} .. {max(all_again):.3f}")
    unaccounted = [e["report"]["unaccounted"] for of in samples.values() for e in of.extra if e and "report" in e]
    if unaccounted:
        lines.append(f"- kernels unaccounted for in gpuprof's ledgers: {sum(map(abs, unaccounted))}")
    return lines


def main():
    parser = measure.parser(__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=10, help="how often each variant runs (default 10)")
    parser.add_argument("--train-repeats", type=int, default=10, help="the same for train.py (default 10)")
    parser.add_argument("--slow-repeats", type=int, default=10, help="the same for nsys and torch.profiler (default 10)")
    parser.add_argument("--launches", type=int, default=1_000_000, help="empty launches (default 1,000,000)")
    parser.add_argument("--steps", type=int, default=300, help="training steps (default 300)")
    parser.add_argument("--products", type=int, default=1000, help="matrix products (default 1000)")
    parser.add_argument("--replays", type=int, default=1000, help="graph replays (default 1000)")
    parser.add_argument("--only", nargs="*", help="workloads: launches_1 launches_4 train gemm graph (default all)")
    arguments = parser.parse_args()
    build = measure.prepare(arguments)
    nsys = measure.find_nsys()
    parts, document = [], {"arguments": {k: str(v) for k, v in vars(arguments).items()}, "workloads": {}}
    for workload in workloads(arguments, build):
        samples = measure_workload(workload, arguments, build, nsys)
        parts += [f"**{workload.title}**", "", table_of(workload, samples), "", *goals_of(workload, samples), ""]
        document["workloads"][workload.key] = {
            variant: {"wall_ms": of.wall_ms, "cpu_ms": of.cpu_ms, "extra": of.extra, "failures": of.failures}
            for variant, of in samples.items()}
        # Published after each workload: a run that is cut short keeps what it has.
        measure.publish(arguments, "\n".join(parts), document)
    return 1 if "MISSED" in "\n".join(parts) else 0


if __name__ == "__main__":
    sys.exit(main())
