# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""When CUPTI refuses, the trace says why and the program does not notice."""

import os
import shutil
import subprocess
import time
import unittest

import harness

# The places the collector looks for libcupti in, apart from the ones the tests control.
TOOLKIT = "/usr/local"


class TimelineRefusalTest(harness.CollectorTest):
    def assert_refused(self, outcome, code, words):
        self.assert_unharmed(outcome, 20)
        trace = outcome.trace
        self.assertEqual(trace.notice_codes(), [code])
        self.assertIn(words, trace.notices[0].detail.decode())
        self.assertEqual(trace.kernels, [])

    def test_another_subscriber(self):
        outcome = self.run_target("init launch=k,20 sync", fake="subscribe_error=39")
        self.assert_refused(outcome, harness.CUPTI_SUBSCRIBER_HELD, "")

    @unittest.skipIf(harness.SANITIZED, "the sanitizers want to be loaded before anything else")
    def test_two_libcupti_files_in_one_process_are_told(self):
        other = self.directory / "libcupti.so.12"
        shutil.copy(harness.FAKE_CUPTI, other)
        outcome = self.run_target("init launch=k,20 sync", extra={"LD_PRELOAD": str(other)})
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        notice = outcome.trace.notices[0]
        self.assertEqual(notice.code, harness.SECOND_CUPTI)
        self.assertIn(str(other), notice.detail.decode())
        self.assertIn("libcupti.so.13", notice.detail.decode())

    def test_no_usable_driver(self):
        outcome = self.run_target("init launch=k,20 sync", fake="subscribe_error=999")
        self.assert_refused(outcome, harness.NO_DRIVER, "999")

    def test_activity_cannot_be_enabled(self):
        outcome = self.run_target("init launch=k,20 sync", fake="enable_error=999")
        self.assert_refused(outcome, harness.CUPTI_ERROR, "cuptiActivityEnable")

    def test_a_fatal_error_ends_the_recording_but_keeps_what_was_recorded(self):
        outcome = self.run_target("init launch=k,10 sync sleep=500 fatal launch=k,10 sleep=500")
        self.assert_unharmed(outcome, 20)
        self.assertEqual(outcome.stderr, "", "CUPTI was called after it had shut itself down")
        self.assertEqual(outcome.trace.notice_codes(), [harness.FATAL_ERROR])
        self.assertEqual(len(outcome.trace.kernels), 10)

    def test_no_libcupti_at_all(self):
        mount = f"mount -t tmpfs none {TOOLKIT} && exec \"$0\" \"$@\""
        command = ["unshare", "--mount", "sh", "-c", mount, str(harness.FAKE_TARGET), "init=absent", "launch=k,20"]
        if not str(harness.FAKE_TARGET).startswith(TOOLKIT) and can_hide_toolkit():
            started = time.monotonic()
            process = subprocess.Popen(
                command,
                env=self.environment(extra={"GPUPROF_CUPTI_LIB": "/nowhere/libcupti.so", "LD_LIBRARY_PATH": ""}),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            outcome = self.finish(process, started)
            self.assert_refused(outcome, harness.CUPTI_NOT_FOUND, "/nowhere/libcupti.so")
        else:
            self.skipTest("hiding the CUDA Toolkit takes root and mount namespaces")


class CounterRefusalTest(harness.CollectorTest):
    def run_counters(self, fake="", metrics="sm__warps_active.avg"):
        plan = self.write_plan("samples=10", f"group={metrics}", "kernel=k,4,1,1,128,1,1")
        return self.run_target("init launch=k,100 sync", stage="counters", plan=plan, fake=fake)

    def assert_refused(self, outcome, code, words):
        self.assert_unharmed(outcome, 100)
        trace = outcome.trace
        self.assertEqual(trace.notice_codes(), [code])
        self.assertIn(words, trace.notices[0].detail.decode())
        self.assertEqual(trace.windows, [])
        self.assertEqual(trace.ledger.kernel_launches, 100)

    def test_no_permission(self):
        outcome = self.run_counters("range_enable_error=35")
        self.assert_refused(outcome, harness.COUNTERS_PERMISSION, "cuptiRangeProfilerEnable")

    def test_counters_in_use(self):
        self.assert_refused(self.run_counters("range_enable_error=26"), harness.COUNTERS_BUSY, "26")

    def test_device_without_counters(self):
        self.assert_refused(self.run_counters("range_enable_error=27"), harness.COUNTERS_UNSUPPORTED, "27")

    def test_unknown_metric(self):
        outcome = self.run_counters(metrics="bogus__metric.sum")
        self.assert_refused(outcome, harness.COUNTERS_ERROR, "cuptiProfilerHostConfigAddMetrics")

    def test_subscriber_held(self):
        self.assert_refused_before_start(self.run_counters("subscribe_error=39"), harness.CUPTI_SUBSCRIBER_HELD)

    def test_no_plan(self):
        outcome = self.run_target(
            "init launch=k,100 sync", stage="counters", plan=self.directory / "missing"
        )
        self.assert_refused_before_start(outcome, harness.COUNTERS_ERROR)
        self.assertIn("missing", outcome.trace.notices[0].detail.decode())

    def test_a_damaged_plan(self):
        plan = self.write_plan("samples=10", "group=sm__warps_active.avg", "kernel=k,4,1,1,128,1,1")
        content = plan.read_bytes()
        plan.write_bytes(content[:-3])
        outcome = self.run_target("init launch=k,100 sync", stage="counters", plan=plan)
        self.assert_refused_before_start(outcome, harness.COUNTERS_ERROR)

    def assert_refused_before_start(self, outcome, code):
        self.assert_unharmed(outcome, 100)
        self.assertEqual(outcome.trace.notice_codes(), [code])
        self.assertEqual(outcome.trace.windows, [])


def can_hide_toolkit():
    if os.geteuid() != 0:
        return False
    # Distribution packages put libcupti where it cannot be hidden.
    known = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=False).stdout
    if any("libcupti" in line and TOOLKIT not in line for line in known.splitlines()):
        return False
    probe = ["unshare", "--mount", "sh", "-c", f"mount -t tmpfs none {TOOLKIT}"]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    harness.main()
