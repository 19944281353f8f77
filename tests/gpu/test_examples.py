#!/usr/bin/env python3
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Each example under both stages: exact launch counts, exact books, all metrics of the selected kernels."""

import device

MIB = 1 << 20


class Examples(device.DeviceTest):
    def record_example(self, *command, options=()):
        done, report = self.record([device.example(command[0]), *command[1:]], options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"{command[0]}:", done.stdout)
        self.assert_exact_ledger(report)
        self.assertEqual([stage["end"] for stage in report["stages"]],
                         [{"kind": "exited", "code": 0}] * len(report["stages"]))
        return report

    def test_memory_bound(self):
        # Arrays of 1 GiB: what stays in the L2 between two launches is less than the tolerance.
        elements = 256 * MIB
        report = self.record_example("memory_bound", "--size", str(elements), "--launches", "300")
        self.assertEqual(self.launches(report), {"saxpy": 300, "fill": 1})
        self.assert_all_metrics(report)
        saxpy = next(kernel for kernel in report["kernels"] if kernel["short_name"] == "saxpy")
        self.assertTrue(saxpy["selected"], saxpy["selection_reason"])
        self.assertAlmostEqual(saxpy["counters"]["dram__bytes.sum"]["mean"] / (12 * elements), 1, delta=0.05)

    def test_strided(self):
        report = self.record_example("strided")
        self.assertEqual(self.launches(report), {"transpose_strided": 300, "number_elements": 1})
        self.assert_all_metrics(report)

    def test_compute_bound(self):
        report = self.record_example("compute_bound")
        self.assertEqual(self.launches(report), {"fma_bank": 300})
        self.assert_all_metrics(report)

    def test_launch_bound(self):
        report = self.record_example("launch_bound")
        self.assertEqual(self.launches(report), {"tiny_add": 20000})
        self.assert_all_metrics(report)

    def test_pageable_copies(self):
        report = self.record_example("pageable_copies")
        self.assertEqual(self.launches(report), {"scale": 60})
        self.assert_all_metrics(report)
        for kind in ("HtoD", "DtoH"):
            copied = [copy for copy in report["copies"] if copy["kind"] == kind]
            self.assertEqual(sum(copy["bytes"] for copy in copied), 60 * 64 * MIB, copied)
        host_side = {copy["source_memory"] for copy in report["copies"] if copy["kind"] == "HtoD"}
        self.assertEqual(host_side, {"pageable"})

    def test_graph_replay(self):
        report = self.record_example("graph_replay")
        self.assertEqual(self.launches(report), {"graph_step": 10000, "stream_step": 10})
        for kernel in report["kernels"]:
            expected = kernel["launches"] if kernel["short_name"] == "graph_step" else 0
            self.assertEqual(kernel["graph_launches"], expected, kernel["short_name"])

    def test_timeline_only(self):
        report = self.record_example("compute_bound", "--launches", "50", options=["--stages", "timeline"])
        self.assertEqual(self.launches(report), {"fma_bank": 50})
        self.assertFalse(report["counters"]["attempted"])
        self.assertEqual([stage["name"] for stage in report["stages"]], ["timeline"])


if __name__ == "__main__":
    device.main()
