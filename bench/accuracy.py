#!/usr/bin/env python3
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Compares gpuprof's counters with Nsight Compute's on the example programs, kernel by kernel.

Each program runs under `gpuprof run` and then under ncu, once for each of gpuprof's groups, with caches and clocks left
alone. A group is a single pass, so ncu has nothing to replay either and both see the caches as the program left them.
Kernels are matched by name, grid and block. gpuprof's value is the mean over the launches measured in windows, ncu's the
median over its launches. Rows marked "timeline" hold the timeline's median duration; it is not judged, because there
launches follow each other without a pause, as they do in the program, while ncu lets the device run empty in between.

  instructions executed                       equal
  warps active, issue active, L1 hit rate     within 2 %, or within 0.5 points for percentages near zero, or within the
                                              last digit that ncu prints
  DRAM bytes                                  within 2 % for kernels that move more than twice the L2 cache; below that
                                              ncu's saving and restoring changes what is in the cache: not judged
  durations                                   within 3 %
  everything else                             shown, not judged

The exit status is 1 when a judged row fails or a program could not be measured.
"""

import statistics
import sys
from dataclasses import dataclass

import measure
import ncu

INSTRUCTIONS = "smsp__inst_executed.sum"
DURATION = "gpu__time_duration.sum"
DRAM_BYTES = "dram__bytes.sum"
# Largest relative difference, by metric.
LIMITS = {
    "sm__warps_active.avg.pct_of_peak_sustained_active": 0.02,
    "smsp__issue_active.avg.per_cycle_active": 0.02,
    "l1tex__t_sector_hit_rate.pct": 0.02,
    DRAM_BYTES: 0.02,
    DURATION: 0.03,
}
PERCENT_FLOOR = 0.5  # percentage points: below this a difference of a hit rate near zero means nothing
MEASURED = ("measured", "derived")

EXAMPLES = ["memory_bound", "strided", "compute_bound", "launch_bound", "graph_replay", "pageable_copies"]
PYTORCH = "pytorch_kernels.py"


@dataclass
class Row:
    kernel: dict  # of gpuprof's report
    metric: str  # what is shown
    ours: float | None
    samples: int
    theirs: list
    launches: int  # that ncu profiled
    step: float = 0  # the last digit ncu prints
    verdict: str = ""
    note: str = ""

    @property
    def reference(self):
        return statistics.median(self.theirs) if self.theirs else None

    @property
    def difference(self):
        if self.ours is None or self.reference is None:
            return None
        if self.reference == 0:
            return 0.0 if self.ours == 0 else None
        return self.ours / self.reference - 1

    def set(self, verdict, note=""):
        self.verdict, self.note = verdict, note
        return self


def judge(row, metric, l2_bytes):
    """Fills in the verdict of a row: pass, fail or not judged, with the reason for the last two."""
    judged = metric in LIMITS or metric == INSTRUCTIONS
    if row.reference is None:
        return row.set("fail" if judged else "not judged", "ncu gave no value" if row.launches else "not seen by ncu")
    if row.ours is None:
        return row.set("fail" if judged else "not judged", row.note)
    if metric == INSTRUCTIONS:
        if min(row.theirs) != max(row.theirs):
            return row.set("not judged", "varies from launch to launch under ncu")
        return row.set("pass" if abs(row.ours - row.reference) < 0.5 else "fail", "must be equal")
    if metric not in LIMITS:
        return row.set("not judged", "shown only")
    if metric == DRAM_BYTES and (not l2_bytes or row.reference <= 2 * l2_bytes):
        return row.set("not judged", "moves less than twice the L2")
    limit = LIMITS[metric]
    close = row.difference is not None and abs(row.difference) <= limit
    if metric.endswith(".pct") or "pct_of_peak" in metric:
        close = close or abs(row.ours - row.reference) <= PERCENT_FLOOR
    # A whole number is printed in full; anything else is rounded to its last digit.
    close = close or (row.step < 1 and abs(row.ours - row.reference) <= row.step / 2)
    return row.set("pass" if close else "fail", f"limit {limit:.0%}")


def shape(dimensions):
    return "x".join(str(value) for value in dimensions)


def matching(kernel, launches):
    key = kernel["key"]
    return [launch for launch in launches if launch.name == key["mangled_name"]
            and launch.grid == tuple(key["grid"]) and launch.block == tuple(key["block"])]


def rows_for(kernel, launches, metrics, l2_bytes):
    theirs = matching(kernel, launches)
    rows = []
    for metric in metrics:
        values = [launch.values[metric] for launch in theirs if metric in launch.values]
        counter = kernel["counters"].get(metric, {})
        measured = counter.get("state") in MEASURED
        row = Row(kernel, metric, counter.get("mean") if measured else None, counter.get("n", 0), values,
                  len(theirs))
        row.note = counter.get("reason") or "gpuprof did not measure it"
        row.step = max((launch.steps[metric] for launch in theirs if metric in launch.steps), default=0)
        if kernel["graph_launches"] > 0:
            rows.append(row.set("not judged", "launched inside a graph"))
        else:
            rows.append(judge(row, metric, l2_bytes))
        if metric == DURATION:
            timeline = Row(kernel, f"{DURATION} (timeline)", kernel["time_ns"]["median"], kernel["launches"], values,
                           len(theirs))
            if kernel["graph_launches"] > 0:
                rows.append(timeline.set("not judged", "launched inside a graph; ncu measures each node alone"))
            else:
                rows.append(timeline.set("not judged", "shown only: launches back to back"))
    return rows


def compare_program(arguments, build, tool, name, command):
    """Rows for one program, or the reason why there are none."""
    session = arguments.work / f"accuracy-{name}.gpuprof"
    measure.run([build.gpuprof, "run", "-f", "-o", session, "--", *command]).require_success(f"gpuprof run -- {name}")
    report = measure.read_report(session)
    kernels = [kernel for kernel in report["kernels"] if kernel["selected"] and kernel["launches"] >= arguments.least]
    if not kernels:
        return [], f"no selected kernel with at least {arguments.least} launches"
    groups = report["counters"]["groups"]
    metrics = list(dict.fromkeys([metric for group in groups for metric in group] + [INSTRUCTIONS, *LIMITS]))
    names = list(dict.fromkeys(kernel["key"]["mangled_name"] for kernel in kernels))
    log = arguments.work / f"accuracy-{name}-ncu.csv"
    launches = []
    for group in groups:
        measured, output = ncu.profile(tool, names, group, arguments.skip * len(kernels), arguments.count * len(kernels),
                                       command, log)
        # Kernels that do not take turns can use up the launches asked for; those left without any get a run of their own.
        for kernel in kernels:
            if not matching(kernel, measured):
                more, output = ncu.profile(tool, [kernel["key"]["mangled_name"]], group, arguments.skip, arguments.count,
                                           command, log)
                measured += more
        launches += measured
    if not launches:
        return [], f"ncu measured nothing: {output[-500:].strip()}"
    l2_bytes = max((gpu["l2_bytes"] or 0 for gpu in report["environment"]["gpus"]), default=0)
    return [row for kernel in kernels for row in rows_for(kernel, launches, metrics, l2_bytes)], ""


def render(results):
    lines = []
    for name, (rows, problem) in results.items():
        lines += [f"### {name}", ""]
        if problem:
            lines += [f"FAIL: {problem}", ""]
            continue
        cells = [[row.kernel["short_name"], shape(row.kernel["key"]["grid"]), shape(row.kernel["key"]["block"]),
                  row.metric, measure.number(row.ours, 4), row.samples, measure.number(row.reference, 4),
                  len(row.theirs), measure.number(row.difference and row.difference * 100, 2, " %"), row.verdict,
                  row.note] for row in rows]
        lines += [measure.markdown_table(["kernel", "grid", "block", "metric", "gpuprof", "n", "ncu", "n",
                                          "difference", "verdict", "note"], cells), ""]
    counts = {verdict: sum(row.verdict == verdict for rows, _ in results.values() for row in rows)
              for verdict in ("pass", "fail", "not judged")}
    lines.append(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return "\n".join(lines)


def main():
    parser = measure.parser(__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", metavar="PROGRAM",
                        help=f"of {', '.join([*EXAMPLES, PYTORCH])}; default all")
    parser.add_argument("--count", type=int, default=15, help="launches ncu measures of each kernel (default 15)")
    parser.add_argument("--skip", type=int, default=5, help="launches of each kernel ncu lets pass first (default 5)")
    parser.add_argument("--least", type=int, default=30, help="leave out kernels with fewer launches (default 30)")
    arguments = parser.parse_args()
    build = measure.prepare(arguments)
    tool = ncu.find()
    if tool is None:
        sys.exit("ncu was not found; install Nsight Compute or put it on PATH")
    unknown = set(arguments.programs) - {*EXAMPLES, PYTORCH}
    if unknown:
        parser.error(f"unknown program {', '.join(sorted(unknown))}")

    results = {}
    for name in arguments.programs or [*EXAMPLES, PYTORCH]:
        command = [sys.executable, measure.EXAMPLES_DIR / name] if name == PYTORCH else [build.example(name)]
        results[name] = compare_program(arguments, build, tool, name, command)
        print(f"{name}: {len(results[name][0])} rows", file=sys.stderr, flush=True)
    document = {name: {"problem": problem, "rows": [
        {"kernel": row.kernel["key"], "metric": row.metric, "gpuprof": row.ours, "n": row.samples, "ncu": row.theirs,
         "difference": row.difference, "verdict": row.verdict, "note": row.note} for row in rows]}
        for name, (rows, problem) in results.items()}
    measure.publish(arguments, render(results), document)
    failed = any(problem or any(row.verdict == "fail" for row in rows) for rows, problem in results.values())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
