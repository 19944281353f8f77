# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of the command line share: the real binary, a directory of its own for each test, and golden reports.

The programs that are profiled here never start CUDA, so an empty file serves as the collector: nothing loads it."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SKIPPED = 77
BINARY_DIR = Path(os.environ.get("GPUPROF_BINARY_DIR", "build/release")).resolve()
SOURCE_DIR = Path(os.environ.get("GPUPROF_SOURCE_DIR", Path(__file__).resolve().parents[2]))
GPUPROF = BINARY_DIR / "bin" / "gpuprof"
GOLDEN = SOURCE_DIR / "tests" / "golden" / "report"

# Variables that would change what gpuprof does or how its output looks.
INHERITED_NOISE = ("CUDA_INJECTION64_PATH", "CUDA_MPS_PIPE_DIRECTORY", "GPUPROF_CUPTI_LIB", "GPUPROF_NVML_LIB", "NO_COLOR",
                   "FORCE_COLOR", "CLICOLOR_FORCE", "COLUMNS")


def skip(reason):
    """Ends the test program with the status that ctest counts as skipped."""
    print(f"SKIPPED: {reason}", flush=True)
    sys.exit(SKIPPED)


def main():
    if not GPUPROF.exists():
        sys.exit(f"{GPUPROF} does not exist; set GPUPROF_BINARY_DIR to gpuprof's build directory")
    unittest.main(verbosity=2)


class CommandLineTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="gpuprof-test-")
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        self.collector = self.directory / "collector.so"
        self.collector.touch()
        self.environment = {name: value for name, value in os.environ.items() if name not in INHERITED_NOISE}
        self.environment["GPUPROF_COLLECTOR"] = str(self.collector)

    def gpuprof(self, *arguments, env=None, stdin=subprocess.DEVNULL, **options):
        """Runs gpuprof in the test's directory and returns the finished process, its output as text."""
        return subprocess.run([str(GPUPROF), *arguments], cwd=self.directory, env={**self.environment, **(env or {})},
                              stdin=stdin, timeout=120, check=False,
                              **{"capture_output": True, "encoding": "utf-8", "errors": "surrogateescape", **options})

    def run_program(self, *program, options=(), **keywords):
        """gpuprof run with the session in test.gpuprof."""
        return self.gpuprof("run", "-o", "test.gpuprof", *options, "--", *program, **keywords)

    def report(self, session="test.gpuprof"):
        return json.loads((self.directory / session / "report.json").read_text(encoding="utf-8"))

    def notice_codes(self, session="test.gpuprof"):
        return [notice["code"] for notice in self.report(session)["notices"]]

    def assert_status(self, done, status):
        self.assertEqual(done.returncode, status, f"stdout:\n{done.stdout}\nstderr:\n{done.stderr}")

    def assert_error(self, done, status, *texts):
        """One error with a hint on stderr, nothing on stdout."""
        self.assert_status(done, status)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("gpuprof: error: "), 1, done.stderr)
        self.assertIn("\n  hint: ", done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)
