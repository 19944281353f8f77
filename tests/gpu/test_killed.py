#!/usr/bin/env python3
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""A program that launches a kernel every 10 ms is ended by a signal: at most the last half second is missing."""

import os
import signal
import subprocess
import threading
import time

import device

PERIOD_MS = 10
RUN_S = 2
LOSS_MS = 500


class Killed(device.DeviceTest):
    def run_until(self, send):
        """Runs the ticker and calls send(launcher, ticker pid) RUN_S after its first kernel.

        Returns the launcher's exit status and the times of the finished kernels in nanoseconds."""
        command = self.record_command([device.example("ticker"), "--period-ms", str(PERIOD_MS), "--seconds", "30"],
                                      ["--stages", "timeline"])
        with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as launcher:
            pid = None
            ticks = []

            def send_later():
                time.sleep(RUN_S)
                send(launcher, pid)

            for line in launcher.stdout:
                words = line.split()
                if words[:1] == ["pid"]:
                    pid = int(words[1])
                elif words[:1] == ["tick"]:
                    if not ticks:
                        threading.Thread(target=send_later, daemon=True).start()
                    ticks.append(int(words[2]))
            return launcher.wait(timeout=60), ticks

    def check(self, status, ticks, number):
        self.assertEqual(status, 128 + number)
        report = self.report()
        self.assertEqual(report["stages"][0]["end"], {"kind": "signalled", "code": int(number)})
        stored = self.launches(report).get("tick", 0)
        self.assertGreater(stored, 0)
        # A kernel can have finished without its line having been printed.
        self.assertLessEqual(stored, len(ticks) + 1)
        self.assertLessEqual((ticks[-1] - ticks[min(stored, len(ticks)) - 1]) / 1e6, LOSS_MS)
        listed = subprocess.run([str(device.GPUPROF), "kernels", str(self.session)], capture_output=True, text=True,
                                check=True)
        self.assertIn("tick", listed.stdout)
        return report

    def test_program_killed(self):
        status, ticks = self.run_until(lambda launcher, pid: os.kill(pid, signal.SIGKILL))
        report = self.check(status, ticks, signal.SIGKILL)
        self.assertFalse(report["processes"][0]["clean_exit"])

    def test_program_terminated(self):
        status, ticks = self.run_until(lambda launcher, pid: os.kill(pid, signal.SIGTERM))
        self.check(status, ticks, signal.SIGTERM)

    def test_launcher_terminated(self):
        status, ticks = self.run_until(lambda launcher, pid: launcher.send_signal(signal.SIGTERM))
        self.check(status, ticks, signal.SIGTERM)


if __name__ == "__main__":
    device.main()
