#!/usr/bin/env python3
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""What SIGKILL costs: a program that launches a kernel every 10 ms is killed; how many ms are not in the trace.

examples/ticker prints a line with the time for every kernel that has finished. The trace holds the first N of them; the
loss is the time from the N-th to the last printed one.
"""

import os
import signal
import subprocess
import sys
import threading
import time

import measure

GOAL_MS = 500


def kill_one(build, session, seconds):
    """Runs the ticker under gpuprof, kills it after `seconds`, and returns the tick times and gpuprof's exit status."""
    command = [str(build.gpuprof), "run", "-f", "-o", str(session), "--stages", "timeline", "--",
               build.example("ticker"), "--period-ms", "10"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL) as process:
        pid = None
        ticks = []

        def kill_later():
            time.sleep(seconds)
            os.kill(pid, signal.SIGKILL)

        for line in process.stdout:
            words = line.split()
            if words and words[0] == "pid":
                pid = int(words[1])
            elif len(words) == 3 and words[0] == "tick":
                if not ticks:
                    threading.Thread(target=kill_later, daemon=True).start()
                ticks.append(int(words[2]))
        return ticks, process.wait(timeout=60)


def main():
    parser = measure.parser(__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3, help="how often the program is killed (default 3)")
    parser.add_argument("--seconds", type=float, default=3, help="time from its first kernel to the kill (default 3)")
    arguments = parser.parse_args()
    build = measure.prepare(arguments)

    rows = []
    runs = []
    failed = False
    for repeat in range(arguments.repeats):
        session = arguments.work / f"killed-{repeat + 1}.gpuprof"
        # Not a multiple of the flush period, so that the repeats hit different points of it.
        ticks, status = kill_one(build, session, arguments.seconds + 0.13 * repeat)
        if len(ticks) < 10:
            sys.exit(f"ticker made {len(ticks)} launches only; run it alone to see what is wrong")
        report = measure.read_report(session)
        stored = sum(kernel["launches"] for kernel in report["kernels"] if kernel["short_name"] == "tick")
        end = report["stages"][0]["end"]
        # A kernel can have finished without its line having been printed.
        last_stored = min(stored, len(ticks))
        lost_ms = (ticks[-1] - (ticks[last_stored - 1] if last_stored > 0 else ticks[0])) / 1e6
        said = end == {"kind": "signalled", "code": int(signal.SIGKILL)}
        passed = stored > 0 and lost_ms <= GOAL_MS and said and status == 128 + signal.SIGKILL
        failed = failed or not passed
        runs.append({"finished": len(ticks), "stored": stored, "lost_ms": lost_ms, "end": end, "status": status})
        rows.append([repeat + 1, len(ticks), stored, measure.number(lost_ms, 0), f"{end['kind']} {end.get('code')}",
                     status, "pass" if passed else "fail"])
    table = measure.markdown_table(["run", "kernels finished", "in the trace", "lost ms", "report says", "exit status",
                                    f"goal <= {GOAL_MS} ms"], rows)
    measure.publish(arguments, table, {"goal_ms": GOAL_MS, "runs": runs})
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
