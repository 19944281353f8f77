#!/usr/bin/env python3
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""A PyTorch training loop under both stages: coverage, metrics, books, and the program's own output."""

import subprocess
import sys

import device

STEPS = 200


class Training(device.DeviceTest):
    def test_training(self):
        program = str(device.SOURCE_DIR / "examples" / "train.py")
        done, report = self.record([sys.executable, program, "--steps", str(STEPS)])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"train.py: {STEPS} steps", done.stdout)
        self.assert_exact_ledger(report)
        self.assertGreaterEqual(report["selection"]["coverage_reached"], 0.9)
        covered = sum(kernel["share"] for kernel in report["kernels"] if kernel["selected"])
        self.assertAlmostEqual(covered, report["selection"]["coverage_reached"], places=6)
        self.assert_all_metrics(report)
        # 500 to 1,000 launches a step, the warm-up's included.
        self.assertGreater(report["totals"]["kernel_launches"], 300 * STEPS)

        listed = subprocess.run([str(device.GPUPROF), "kernels", str(self.session), "--top", "5"], capture_output=True,
                                text=True, check=True)
        self.assertIn(report["kernels"][0]["short_name"][:12], listed.stdout)


if __name__ == "__main__":
    device.main(needs_torch=True)
