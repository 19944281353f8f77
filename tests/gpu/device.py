# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests that need a GPU share: saying why they are skipped, recording a session, and checking a report."""

import ctypes
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SKIPPED = 77
BINARY_DIR = Path(os.environ.get("GPUPROF_BINARY_DIR", "build/release")).resolve()
SOURCE_DIR = Path(__file__).resolve().parent.parent.parent
GPUPROF = BINARY_DIR / "bin" / "gpuprof"
MEASURED = ("measured", "derived")


def skip(reason):
    """Ends the test program with the status that ctest counts as skipped."""
    print(f"SKIPPED: {reason}", flush=True)
    sys.exit(SKIPPED)


def device_count():
    """Number of CUDA devices the driver offers; 0 without a driver. Runs outside this process, which must be able to
    start CUDA programs without holding a context itself."""
    probe = ("import ctypes, sys\n"
             "cuda = ctypes.CDLL('libcuda.so.1')\n"
             "count = ctypes.c_int(0)\n"
             "usable = cuda.cuInit(0) == 0 and cuda.cuDeviceGetCount(ctypes.byref(count)) == 0\n"
             "sys.exit(count.value if usable else 0)\n")
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    return subprocess.run([sys.executable, "-c", probe], check=False, stderr=subprocess.DEVNULL).returncode


def example(name):
    return str(BINARY_DIR / "examples" / name)


def main(needs_torch=False):
    """Runs the unit tests of the calling module, or skips them."""
    if device_count() == 0:
        skip("no GPU: the NVIDIA driver is missing or offers no device")
    if os.environ.get("GPUPROF_SANITIZE"):
        skip("the collector of a sanitizer build cannot be loaded into other programs")
    if not GPUPROF.exists():
        sys.exit(f"{GPUPROF} does not exist; set GPUPROF_BINARY_DIR to gpuprof's build directory")
    if needs_torch:
        probe = "import sys, torch; sys.exit(not torch.cuda.is_available())"
        if subprocess.run([sys.executable, "-c", probe], check=False, stderr=subprocess.DEVNULL).returncode != 0:
            skip("PyTorch with CUDA is not installed for this Python")
    elif not Path(example("memory_bound")).exists():
        skip("the examples are not built: configure with -DGPUPROF_BUILD_EXAMPLES=ON")
    unittest.main(verbosity=2)


class DeviceTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="gpuprof-test-")
        self.addCleanup(directory.cleanup)
        self.session = Path(directory.name) / "test.gpuprof"

    def record_command(self, command, options=()):
        return [str(GPUPROF), "run", "-o", str(self.session), *options, "--", *command]

    def record(self, command, options=(), timeout_s=240):
        """Runs `command` under gpuprof; returns the finished process and the report."""
        done = subprocess.run(self.record_command(command, options), capture_output=True, text=True, timeout=timeout_s,
                              stdin=subprocess.DEVNULL, check=False)
        self.assertTrue((self.session / "report.json").exists(), f"no report; gpuprof said:\n{done.stderr}")
        return done, self.report()

    def report(self):
        return json.loads((self.session / "report.json").read_text(encoding="utf-8"))

    def launches(self, report):
        """Launches by short function name, over all launch shapes."""
        result = {}
        for kernel in report["kernels"]:
            result[kernel["short_name"]] = result.get(kernel["short_name"], 0) + kernel["launches"]
        return result

    def assert_exact_ledger(self, report):
        books = report["ledger"]["kernels"]
        self.assertEqual(books["launched"], books["stored"] + books["dropped"] + books["invalid"], books)
        self.assertEqual(books["unaccounted"], 0, books)
        self.assertEqual(books["stored"], sum(kernel["launches"] for kernel in report["kernels"]), books)
        self.assertEqual(books["stored"], report["totals"]["kernel_launches"], books)

    def assert_all_metrics(self, report, least_launches=30, least_samples=10):
        """Every selected kernel launched often enough on a stream has every metric of the plan, often enough."""
        planned = [metric for group in report["counters"]["groups"] for metric in group]
        self.assertGreater(len(planned), 0, report["counters"])
        checked = 0
        for kernel in report["kernels"]:
            if not kernel["selected"] or kernel["launches"] < least_launches or kernel["graph_launches"] > 0:
                continue
            for metric in planned:
                value = kernel["counters"].get(metric)
                where = f"{kernel['short_name']} {metric}: {value}"
                self.assertIsNotNone(value, where)
                self.assertIn(value["state"], MEASURED, where)
                self.assertGreaterEqual(value["n"], least_samples, where)
                self.assertIsNotNone(value["mean"], where)
            checked += 1
        self.assertGreater(checked, 0, "no selected kernel was launched often enough to be checked")
