# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""The whole workflow, `gpuprof run` on the fake target: what it did is in the report, whatever went wrong."""

import json
import signal
import subprocess
from types import SimpleNamespace

import harness
from test_counters import expected_value

SCRIPT = "init repeat=60 { launch=saxpy,2,ns=3000 launch=gemm,1,grid=8x8x1,block=256,ns=50000 } sync"


class RunTest(harness.CollectorTest):
    def run_gpuprof(self, script, fake="", options=()):
        environment = self.environment(fake=fake)
        for name in ("CUDA_INJECTION64_PATH", "GPUPROF_TRACE_DIR", "GPUPROF_STAGE"):
            del environment[name]
        session = self.directory / "session.gpuprof"
        command = [harness.GPUPROF, "run", "-o", session, *options, "--", harness.FAKE_TARGET, *script.split()]
        done = subprocess.run(
            [str(part) for part in command],
            env=environment,
            cwd=self.directory,
            capture_output=True,
            text=True,
            timeout=harness.TIMEOUT_S,
            check=False,
        )
        report = json.loads((session / "report.json").read_text())
        return done, report

    def kernels(self, report):
        return {kernel["key"]["mangled_name"]: kernel for kernel in report["kernels"]}

    def notice_codes(self, report):
        return {notice["code"] for notice in report["notices"]}

    def test_timeline_selection_and_counters(self):
        done, report = self.run_gpuprof(SCRIPT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "launched 180\n", "the second run's output is not shown")
        ledger = report["ledger"]["kernels"]
        self.assertEqual((ledger["launched"], ledger["stored"], ledger["dropped"], ledger["invalid"]), (180, 180, 0, 0))
        kernels = self.kernels(report)
        self.assertEqual({name: kernel["launches"] for name, kernel in kernels.items()}, {"saxpy": 120, "gemm": 60})
        self.assertEqual(kernels["gemm"]["time_ns"]["sum"], 60 * 50_000)
        self.assertEqual(kernels["saxpy"]["time_ns"]["median"], 3_000)
        self.assertEqual(report["environment"]["gpus"][0]["name"], "NVIDIA Fake H200")
        self.assertTrue(kernels["gemm"]["selected"])
        self.check_counters(kernels["gemm"])

    def check_counters(self, kernel):
        shape = SimpleNamespace(
            name=kernel["key"]["mangled_name"], grid=kernel["key"]["grid"], block=kernel["key"]["block"]
        )
        measured = {name: value for name, value in kernel["counters"].items() if value["state"] == "measured"}
        self.assertGreater(len(measured), 5)
        for name, value in measured.items():
            self.assertEqual(value["mean"], expected_value(name, shape), name)
            self.assertEqual(value["stddev"], 0, name)
            self.assertGreaterEqual(value["n"], 10, name)

    def test_spoiled_records_are_counted_by_class(self):
        _, report = self.run_gpuprof(
            "init launch=k,1000 sync", fake="drop=100,untimed=7,negative=11,wrong_clock=13", options=["--stages", "timeline"]
        )
        ledger = report["ledger"]["kernels"]
        numbers = [number for number in range(1, 1001) if number % 100]
        untimed = [number for number in numbers if number % 7 == 0]
        negative = [number for number in numbers if number % 11 == 0 and number % 7]
        wrong_clock = [number for number in numbers if number % 13 == 0 and number % 7 and number % 11]
        self.assertEqual(ledger["launched"], 1000)
        self.assertEqual(ledger["dropped"], 10)
        self.assertEqual(ledger["untimed"], len(untimed))
        self.assertEqual(ledger["negative"], len(negative))
        self.assertEqual(ledger["wrong_clock"], len(wrong_clock))
        self.assertEqual(ledger["invalid"], len(untimed) + len(negative) + len(wrong_clock))
        self.assertEqual(ledger["stored"] + ledger["dropped"] + ledger["invalid"], 1000)
        self.assertEqual(ledger["unaccounted"], 0)
        kernel = self.kernels(report)["k"]
        self.assertEqual(kernel["time_ns"]["sum"], 1000 * ledger["stored"], "spoiled records are in no sum of times")

    def test_missing_counters_never_cost_the_timeline(self):
        for error, code in ((35, "counters.permission"), (26, "counters.busy"), (27, "counters.unsupported")):
            with self.subTest(error):
                done, report = self.run_gpuprof(SCRIPT, fake=f"range_enable_error={error}", options=["-f"])
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(code, self.notice_codes(report))
                self.assertEqual(report["ledger"]["kernels"]["stored"], 180)
                counters = self.kernels(report)["gemm"]["counters"]
                self.assertTrue(counters)
                for value in counters.values():
                    self.assertEqual((value["state"], value["mean"], value["n"]), ("not_measured", None, 0))
                    self.assertTrue(value["reason"])

    def test_discarded_windows_are_counted_and_give_no_values(self):
        _, report = self.run_gpuprof(SCRIPT, fake="missing_last_range=1")
        self.assertGreater(report["counters"]["windows_discarded"], 0)
        self.assertIn("counters.window_discarded", self.notice_codes(report))
        states = {value["state"] for value in self.kernels(report)["gemm"]["counters"].values()}
        self.assertEqual(states, {"not_measured"})

    def test_the_subscriber_is_held(self):
        done, report = self.run_gpuprof(SCRIPT, fake="subscribe_error=39")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("cupti.subscriber_held", self.notice_codes(report))
        self.assertEqual(report["kernels"], [])

    def test_a_killed_program_keeps_its_status_and_its_records(self):
        done, report = self.run_gpuprof("init repeat=120 { launch=k sleep=10 } kill=9")
        self.assertEqual(done.returncode, 128 + signal.SIGKILL)
        self.assertGreaterEqual(report["ledger"]["kernels"]["stored"], 70)
        self.assertIn("program.killed", self.notice_codes(report))
        self.assertEqual(report["stages"][0]["end"], {"kind": "signalled", "code": 9})

    def test_the_exit_status_is_the_programs(self):
        done, report = self.run_gpuprof("init launch=k,40 sync exit=23")
        self.assertEqual(done.returncode, 23)
        self.assertEqual(report["ledger"]["kernels"]["stored"], 40)

    def test_a_program_that_never_starts_cuda(self):
        done, report = self.run_gpuprof("sleep=1")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(report["processes"], [])
        self.assertTrue(report["notices"], "silence is explained")

    def test_every_process_is_listed(self):
        _, report = self.run_gpuprof(
            "init launch=k,40 sync spawn { init launch=k,30 sync } fork { exit=0 }", options=["--stages", "timeline"]
        )
        self.assertEqual(len(report["processes"]), 2)
        self.assertEqual(self.kernels(report)["k"]["launches"], 70)


if __name__ == "__main__":
    if not harness.GPUPROF.exists():
        harness.skip(f"{harness.GPUPROF} is missing")
    harness.main()
