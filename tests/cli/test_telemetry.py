# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""The state of the GPUs while a program runs, with an NVML that plays it (tests/support/fake_nvml/script.hpp)."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

from harness import BINARY_DIR, GPUPROF, CommandLineTest, main, skip

FAKE = BINARY_DIR / "tests" / "fake_nvml" / "libnvidia-ml.so.1"


class Telemetry(CommandLineTest):
    def fake(self, **script):
        return {"GPUPROF_NVML_LIB": str(FAKE), "FAKE_NVML": ";".join(f"{name}={text}" for name, text in script.items())}

    def record(self, *program, options=(), env=None, status=0):
        """The telemetry of the report about a program that sleeps for a second unless told otherwise."""
        done = self.run_program(*(program or ("sleep", "1")), options=["--stages", "timeline", "-f", *options], env=env)
        self.assert_status(done, status)
        self.said = done.stderr
        return self.report()["telemetry"]

    def assert_range(self, seen, low, median, high):
        self.assertEqual((seen["min"], seen["median"], seen["max"]), (low, median, high))

    def wait_for(self, path):
        deadline = time.monotonic() + 60
        while not path.exists():
            self.assertLess(time.monotonic(), deadline, f"{path} did not appear")
            time.sleep(0.01)

    def test_the_report_holds_what_nvml_said(self):
        seen = self.record(env=self.fake(sm_clock="1980,1200,1500", power="689500", temperature="70", reasons="0x4",
                                         memory_used="80000000000", ecc_corrected="7,9", xid="0@2:31"))
        self.assertTrue(seen["attempted"])
        self.assertNotIn("unavailable_reason", seen)
        [gpu] = seen["gpus"]
        self.assertEqual((gpu["index"], gpu["name"], gpu["uuid"]), (0, "NVIDIA Fake H200", "GPU-00000000"))
        self.assertEqual(gpu["max_sm_clock_mhz"], 1980)
        # Five a second; fewer on a busy machine.
        self.assertGreaterEqual(gpu["samples"], 3)
        self.assertLessEqual(gpu["samples"], 7)
        self.assert_range(gpu["sm_clock_mhz"], 1200, gpu["sm_clock_mhz"]["median"], 1980)
        self.assert_range(gpu["power_w"], 689.5, 689.5, 689.5)
        self.assert_range(gpu["memory_used_bytes"], 80e9, 80e9, 80e9)
        self.assert_range(gpu["pcie_tx_bytes_per_second"], 500e3, 500e3, 500e3)
        [throttle] = gpu["throttled"]
        self.assertEqual(throttle["reason"], "power cap")
        self.assertGreater(throttle["time_ns"], 500e6)
        self.assertLess(throttle["time_ns"], self.report()["totals"]["wall_time_ns"] + 100e6)
        self.assertEqual((gpu["xids"], gpu["ecc_corrected"], gpu["ecc_uncorrected"]), ([31], 2, 0))

    def test_the_report_is_the_same_when_it_is_made_again_from_the_session(self):
        self.record(env=self.fake(gpus=2, power="300000,400000"))
        written = self.report()
        (self.directory / "test.gpuprof" / "report.json").unlink()
        done = self.gpuprof("report", "test.gpuprof", "--format", "json")
        self.assert_status(done, 0)
        self.assertEqual(json.loads(done.stdout), written)

    def test_the_rate_is_an_option_and_0_switches_it_off(self):
        seen = self.record(options=["--telemetry", "50"], env=self.fake())
        self.assertGreater(seen["gpus"][0]["samples"], 7)
        self.assertFalse(self.record(options=["--telemetry", "0"], env=self.fake())["attempted"])
        self.assertFalse((self.directory / "test.gpuprof" / "telemetry.trace").exists())
        for rate in ("-1", "101", "1e-9", "often", "nan"):
            with self.subTest(rate=rate):
                self.assert_error(self.run_program("true", options=["-f", "--telemetry", rate]), 2, "--telemetry")

    def test_without_nvml_the_report_says_so_and_nothing_else_changes(self):
        seen = self.record("sh", "-c", "sleep 0.3; exit 3", env={"GPUPROF_NVML_LIB": "/no/such/libnvidia-ml.so.1"},
                           status=3)
        self.assertTrue(seen["attempted"])
        self.assertIn("/no/such/libnvidia-ml.so.1", seen["unavailable_reason"])
        self.assertEqual(seen["gpus"], [])
        self.assertNotIn("gpuprof: error", self.said)
        self.assertFalse([code for code in self.notice_codes() if code.startswith("telemetry.")])

    def test_a_driver_that_is_not_loaded(self):
        self.assertIn("Driver Not Loaded", self.record(env=self.fake(init=9))["unavailable_reason"])
        self.assertIn("no GPU", self.record(env=self.fake(gpus=0))["unavailable_reason"])

    def test_eight_gpus_with_slow_pcie(self):
        seen = self.record("sleep", "2", env=self.fake(gpus=8, pcie_tx_ms=20, pcie_rx_ms=20, **{"power@5": "500000"}))
        self.assertEqual([gpu["index"] for gpu in seen["gpus"]], list(range(8)))
        self.assertEqual([gpu["power_w"]["max"] for gpu in seen["gpus"]], [100] * 5 + [500] + [100] * 2)
        # The first sample takes 320 ms; after that the slow values do not hold the others up.
        self.assertGreaterEqual(min(gpu["samples"] for gpu in seen["gpus"]), 4)
        for gpu in seen["gpus"]:
            self.assert_range(gpu["pcie_rx_bytes_per_second"], 700e3, 700e3, 700e3)

    def test_a_gpu_that_is_lost_is_told_and_the_other_is_sampled_on(self):
        seen = self.record(env=self.fake(gpus=2, lost="1@14", xid="1@2:79"))
        self.assertEqual(seen["gpus"][1]["samples"], 1)
        self.assertEqual(seen["gpus"][1]["xids"], [79])
        self.assertGreater(seen["gpus"][0]["samples"], 1)
        [notice] = [notice for notice in self.report()["notices"] if notice["code"] == "telemetry.gpu_lost"]
        self.assertIn("GPU 1: GPU is lost", notice["text"])

    def test_values_that_are_not_available_are_left_out(self):
        [gpu] = self.record(env=self.fake(utilization="x", power="!4", pcie_tx="x", pcie_rx="x"))["gpus"]
        for name in ("gpu_utilization_pct", "power_w", "pcie_tx_bytes_per_second"):
            self.assertIsNone(gpu.get(name), name)
        self.assert_range(gpu["temperature_c"], 40, 40, 40)

    @unittest.skipIf(os.environ.get("GPUPROF_SANITIZE"), "the sanitizer turns a crash into an exit status")
    def test_a_crash_inside_nvml_is_a_line_of_the_report(self):
        seen = self.record(env=self.fake(crash=5))
        self.assertIn("crashed", seen["unavailable_reason"])
        self.record(env=self.fake(crash=30))
        self.assertIn("telemetry.incomplete", self.notice_codes())

    def test_signals_are_forwarded_at_once_while_nvml_is_slow(self):
        for script in ({"init_ms": 60000}, {"power_ms": 60000}, {"power_ms": 300, "gpus": 8}):
            with self.subTest(script=script):
                ready = self.directory / "ready"
                program = f"trap 'exit 3' TERM; : > {ready}; while :; do sleep 0.02; done"
                process = subprocess.Popen([str(GPUPROF), "run", "-f", "-o", "test.gpuprof", "sh", "-c", program],
                                           cwd=self.directory, env={**self.environment, **self.fake(**script)},
                                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL)
                self.wait_for(ready)
                time.sleep(0.3)
                before = time.monotonic()
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=60)
                self.assertEqual(process.returncode, 3)
                # A second at most for the sampling, the rest for the report on a busy machine.
                self.assertLess(time.monotonic() - before, 5)
                self.assertLess(self.report()["totals"]["wall_time_ns"], 5e9)
                ready.unlink()

    def test_the_program_has_no_child_and_no_file_of_the_sampling(self):
        script = ("import os; print(os.listdir('/proc/self/fd').__len__(), "
                  "open(f'/proc/{os.getpid()}/task/{os.getpid()}/children').read())")
        with_it = self.run_program(sys.executable, "-c", script, options=["-f"], env=self.fake())
        without = self.run_program(sys.executable, "-c", script, options=["-f", "--telemetry", "0"])
        self.assertEqual(with_it.stdout, without.stdout)

    def test_no_process_is_left_behind(self):
        self.record(env=self.fake(power_ms=60000))
        trace = str((self.directory / "test.gpuprof" / "telemetry.trace").resolve())
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                files = [os.readlink(f"/proc/{process}/fd/{file}") for file in os.listdir(f"/proc/{process}/fd")]
            except OSError:
                continue
            self.assertNotIn(trace, files)

    def test_a_session_is_replaced_and_discarded_with_its_telemetry(self):
        self.record(env=self.fake())
        self.assertTrue((self.directory / "test.gpuprof" / "telemetry.trace").exists())
        self.assert_status(self.run_program("/no/such/program", options=["-f"], env=self.fake()), 127)
        self.assertFalse((self.directory / "test.gpuprof").exists())

    def test_doctor_names_the_driver_and_the_gpus(self):
        done = self.gpuprof("doctor", "--format", "json", env=self.fake(gpus=2))
        check = {check["id"]: check for check in json.loads(done.stdout)["checks"]}["nvml"]
        self.assertEqual(check["status"], "ok")
        self.assertIn("driver 580.0.0-fake, 2 GPUs", check["found"])
        for script in ({"init": 18}, {"gpus": 0}, {"init_ms": 1, "init": 9}):
            done = self.gpuprof("doctor", "--format", "json", env=self.fake(**script))
            check = {check["id"]: check for check in json.loads(done.stdout)["checks"]}["nvml"]
            self.assertEqual(check["status"], "warning", check)
            self.assertIn("nvidia-smi", check["fix"])


if __name__ == "__main__":
    if not FAKE.exists():
        skip(f"{FAKE} was not built")
    main()
