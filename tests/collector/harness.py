# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the fake target with the collector loaded as the CUDA driver loads it, and reads the traces it leaves."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from trace_file import Schema, Trace

SKIPPED = 77
SOURCE_DIR = Path(os.environ.get("GPUPROF_SOURCE_DIR", Path(__file__).resolve().parents[2]))
BINARY_DIR = Path(os.environ.get("GPUPROF_BINARY_DIR", SOURCE_DIR / "build" / "dev"))
SANITIZED = bool(os.environ.get("GPUPROF_SANITIZE"))
COLLECTOR = BINARY_DIR / "lib" / "gpuprof" / "libgpuprof_collector.so"
FAKE_DIR = BINARY_DIR / "tests" / "fake_cupti"
FAKE_CUPTI = FAKE_DIR / "libcupti.so.13"
FAKE_TARGET = FAKE_DIR / "fake_target"
WRITE_PLAN = FAKE_DIR / "write_counter_plan"
GPUPROF = BINARY_DIR / "bin" / "gpuprof"

# Every wait in the tests is bounded by this; the machine may be busy and the build instrumented.
TIMEOUT_S = 120

# Codes of trace::NoticeCode.
CUPTI_NOT_FOUND = 1
CUPTI_SUBSCRIBER_HELD = 2
CUPTI_ERROR = 3
NO_DRIVER = 4
COUNTERS_PERMISSION = 5
COUNTERS_BUSY = 6
COUNTERS_UNSUPPORTED = 7
COUNTERS_ERROR = 8
FATAL_ERROR = 10
SECOND_CUPTI = 11
STREAM_TAKEN_OVER = 12
WINDOW_DISCARDED = 13


class Outcome:
    """What a run of the fake target left behind."""

    def __init__(self, returncode, stdout, stderr, wall_s, traces):
        self.returncode = returncode
        self.stdout = stdout
        self.stderr = stderr
        self.wall_s = wall_s
        self.traces = traces

    @property
    def trace(self):
        if len(self.traces) != 1:
            raise AssertionError(f"expected one trace, found {[t.path.name for t in self.traces]}; {self.stderr}")
        return self.traces[0]

    def total(self, label):
        """A number the target printed, such as total("launched"); the sum when several processes did."""
        lines = [line for line in self.stdout.splitlines() if line.rsplit(" ", 1)[0] == label]
        return sum(int(line.rsplit(" ", 1)[1]) for line in lines)


class CollectorTest(unittest.TestCase):
    """Gives each test an empty trace directory."""

    longMessage = True

    def setUp(self):
        self.directory = Path(tempfile.mkdtemp(prefix="gpuprof-test-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.trace_dir = self.directory / "traces"
        self.trace_dir.mkdir()

    def environment(self, stage="timeline", fake="", plan=None, extra=None):
        result = {name: value for name, value in os.environ.items() if not name.startswith(("GPUPROF_", "FAKE_CUPTI"))}
        result["CUDA_INJECTION64_PATH"] = str(COLLECTOR)
        result["GPUPROF_TRACE_DIR"] = str(self.trace_dir)
        result["GPUPROF_STAGE"] = stage
        result["FAKE_CUPTI"] = fake
        # What a guest library keeps until the process is gone is no leak, and the leak checker crashes on the thread-local
        # storage of libraries that were opened at run time.
        result["ASAN_OPTIONS"] = ":".join(filter(None, (result.get("ASAN_OPTIONS"), "detect_leaks=0")))
        if plan is not None:
            result["GPUPROF_COUNTER_PLAN"] = str(plan)
        result.update(extra or {})
        return result

    def start(self, script, **options):
        """Starts the fake target without waiting for it."""
        process = subprocess.Popen(
            [str(FAKE_TARGET), *script.split()],
            env=self.environment(**options),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        return process

    def finish(self, process, started=None):
        stdout, stderr = process.communicate(timeout=TIMEOUT_S)
        wall_s = time.monotonic() - started if started is not None else 0.0
        return Outcome(process.returncode, stdout, stderr, wall_s, self.read_traces())

    def run_target(self, script, **options):
        started = time.monotonic()
        return self.finish(self.start(script, **options), started)

    def read_traces(self):
        schema = Schema(SOURCE_DIR / "include" / "gpuprof" / "trace.proto")
        traces = [Trace(path, schema) for path in sorted(self.trace_dir.glob("*.trace"))]
        return sorted(traces, key=lambda trace: trace.process.time_ns)

    def write_plan(self, *arguments):
        path = self.directory / "plan"
        subprocess.run([str(WRITE_PLAN), str(path), *arguments], check=True, timeout=TIMEOUT_S)
        return path

    def assert_unharmed(self, outcome, launched):
        """The program did all it would have done alone, and said nothing of its own about us."""
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertEqual(outcome.total("launched"), launched, outcome.stdout)

    def assert_books_balance(self, trace):
        """launched = stored + dropped."""
        ledger = trace.ledger
        self.assertEqual(
            ledger.kernel_launches + ledger.graph_kernel_nodes,
            ledger.kernel_records + ledger.dropped_by_cupti,
            ledger,
        )
        self.assertEqual(ledger.kernel_records, len(trace.kernels), ledger)


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def main():
    """Runs the calling module's tests, or skips all of them when something they need is missing."""
    for path in (COLLECTOR, FAKE_CUPTI, FAKE_TARGET, WRITE_PLAN):
        if not path.exists():
            skip(f"{path} is missing; build the collector with GPUPROF_COLLECTOR=ON")
    unittest.main(module="__main__", verbosity=2)
