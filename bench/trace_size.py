#!/usr/bin/env python3
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Bytes of trace a kernel of examples/train.py costs, with its launch record and everything else in the file."""

import sys

import measure

GOAL_BYTES = 20


def main():
    parser = measure.parser(__doc__)
    parser.add_argument("--steps", type=int, default=500, help="training steps (default 500)")
    arguments = parser.parse_args()
    build = measure.prepare(arguments)
    session = arguments.work / "trace-size.gpuprof"
    measure.run([build.gpuprof, "run", "-f", "-o", session, "--stages", "timeline", "--", sys.executable,
                 measure.EXAMPLES_DIR / "train.py", "--steps", str(arguments.steps)]).require_success("gpuprof run")
    report = measure.read_report(session)
    ledger = report["ledger"]
    launches = report["totals"]["kernel_launches"]
    if launches == 0:
        sys.exit("the report holds no kernel; run `gpuprof doctor` to see why")
    size = sum(file.stat().st_size for file in (session / "timeline").glob("*.trace"))
    per_kernel = size / launches
    passed = per_kernel <= GOAL_BYTES
    table = measure.markdown_table(
        ["trace bytes", "kernels", "API calls", "copies", "sets", "synchronizations", "bytes/kernel"],
        [[size, launches, ledger["api_calls"], ledger["copies"], ledger["sets"], ledger["synchronizations"],
          measure.number(per_kernel)]])
    measure.publish(arguments, f"{table}\n\n- goal <= {GOAL_BYTES} bytes a kernel: {'pass' if passed else 'fail'}",
                    {"trace_bytes": size, "kernels": launches, "bytes_per_kernel": per_kernel, "ledger": ledger})
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
