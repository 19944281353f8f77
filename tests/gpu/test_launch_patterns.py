#!/usr/bin/env python3
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Programs that launch in unusual ways: not at all, from several threads, inside graphs only, or with a failing end."""

import subprocess

import device


class LaunchPatterns(device.DeviceTest):
    def test_no_kernel(self):
        done, report = self.record([device.example("ticker"), "--launches", "0"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(report["kernels"], [])
        self.assertEqual(report["totals"]["kernel_launches"], 0)
        self.assert_exact_ledger(report)
        self.assertGreaterEqual(len(report["processes"]), 1)
        self.assertGreater(len(report["notices"]), 0, "a report without kernels must say so")

    def test_threads_and_streams(self):
        command = [device.example("ticker"), "--threads", "4", "--launches", "5000", "--period-ms", "0"]
        done, report = self.record(command, ["--stages", "timeline"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.launches(report), {"tick": 20000})
        self.assert_exact_ledger(report)

    def test_counters_with_two_threads(self):
        command = [device.example("ticker"), "--threads", "2", "--launches", "5000", "--period-ms", "0"]
        done, report = self.record(command)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.launches(report), {"tick": 10000})
        self.assert_exact_ledger(report)
        self.assert_all_metrics(report)

    def test_graphs(self):
        done, report = self.record([device.example("graph_replay"), "--nodes", "7", "--launches", "31"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.launches(report), {"graph_step": 217, "stream_step": 10})
        self.assert_exact_ledger(report)
        self.assertEqual([graph["kernel_nodes"] for graph in report["graphs"]], [7])

    def test_graph_with_other_nodes(self):
        command = [device.example("graph_replay"), "--nodes", "7", "--launches", "31", "--mixed"]
        done, report = self.record(command, ["--stages", "timeline"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.launches(report), {"graph_step": 217, "stream_step": 10})
        self.assert_exact_ledger(report)

    def test_exit_status_is_the_programs(self):
        done = subprocess.run(self.record_command([device.example("memory_bound"), "--unknown-flag"]),
                              capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("unknown argument --unknown-flag", done.stderr)


if __name__ == "__main__":
    device.main()
