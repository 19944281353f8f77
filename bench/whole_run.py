#!/usr/bin/env python3
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""What the whole workflow costs: `gpuprof run` (timeline and counters) on a training of about 30 s against native.

The number of steps is chosen once so that the native training takes about --seconds; then native and profiled runs take
turns. Times are wall times of the whole command, start of Python and writing of the report included.
"""

import json
import statistics
import sys

import measure

GOAL = 2.5


def choose_steps(arguments, program):
    """Steps for a training loop of arguments.seconds, from the step time of a short run."""
    result_file = arguments.work / "whole-run-step.json"
    measure.run([*program, "--steps", "200", "--json", result_file]).require_success("examples/train.py")
    step_ms = statistics.median(json.loads(result_file.read_text(encoding="utf-8"))["block_ms"])
    return max(10, round(arguments.seconds * 1e3 / step_ms))


def main():
    parser = measure.parser(__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3, help="runs of each kind (default 3)")
    parser.add_argument("--seconds", type=float, default=30, help="length of the native training (default 30)")
    parser.add_argument("--steps", type=int, help="steps of the training loop, instead of --seconds")
    arguments = parser.parse_args()
    build = measure.prepare(arguments)
    session = arguments.work / "whole-run.gpuprof"
    program = [sys.executable, measure.EXAMPLES_DIR / "train.py"]
    steps = arguments.steps or choose_steps(arguments, program)
    command = [*program, "--steps", str(steps)]

    rows = []
    runs = []
    for repeat in range(arguments.repeats):
        native = measure.run(command).require_success("examples/train.py")
        profiled = measure.run([build.gpuprof, "run", "-f", "-o", session, "--", *command])
        profiled.require_success("gpuprof run")
        report = measure.read_report(session)
        stages = {stage["name"]: stage["wall_time_ns"] / 1e9 for stage in report["stages"]}
        runs.append({"native_s": native.wall_s, "gpuprof_s": profiled.wall_s, "ratio": profiled.wall_s / native.wall_s,
                     "stages_s": stages, "native_cpu_s": native.cpu_s, "gpuprof_cpu_s": profiled.cpu_s,
                     "kernel_launches": report["totals"]["kernel_launches"],
                     "coverage_reached": report["selection"]["coverage_reached"]})
        rows.append([repeat + 1, measure.number(native.wall_s), measure.number(profiled.wall_s),
                     measure.number(stages.get("timeline")), measure.number(stages.get("counters")),
                     measure.number(profiled.wall_s - sum(stages.values())), measure.number(runs[-1]["ratio"], 3),
                     report["totals"]["kernel_launches"]])
        print(f"run {repeat + 1}: native {native.wall_s:.1f} s, gpuprof {profiled.wall_s:.1f} s", file=sys.stderr,
              flush=True)

    ratio = statistics.median(entry["ratio"] for entry in runs)
    passed = ratio <= GOAL
    table = measure.markdown_table(["run", "native s", "gpuprof run s", "timeline stage s", "counter stage s",
                                    "analysis s", "ratio", "kernels"], rows)
    measure.publish(arguments,
                    f"`gpuprof run -- python3 examples/train.py --steps {steps}` against native\n\n{table}\n\n"
                    f"- median ratio {ratio:.3f}, goal <= {GOAL}: {'pass' if passed else 'fail'}",
                    {"steps": steps, "runs": runs, "median_ratio": ratio, "goal": GOAL})
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
