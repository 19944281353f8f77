#!/usr/bin/env python3
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Situations that have broken profilers, each as a program: it does the same as alone, and the report is right."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import device

PROGRAM = device.BINARY_DIR / "tests" / "gpu" / "situations"
PER_THREAD = device.BINARY_DIR / "tests" / "gpu" / "situations_ptds"


class SituationTest(device.DeviceTest):
    def run_alone(self, command, environment):
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace",
                              timeout=60, check=False, env={**os.environ, **environment})

    def profile(self, situation, options=(), environment=None, program=PROGRAM, same_output=True):
        """Runs the situation alone and under gpuprof, checks that the two do the same, and returns the report."""
        command = [str(program), situation]
        environment = environment or {}
        alone = self.run_alone(command, environment)
        shutil.rmtree(self.session, ignore_errors=True)
        started = time.monotonic()
        done = self.run_alone(self.record_command(command, ["-q", "--stages", "timeline", *options]), environment)
        self.wall_s = time.monotonic() - started
        expected = alone.returncode if alone.returncode >= 0 else 128 - alone.returncode
        self.assertEqual(done.returncode, expected, done.stderr)
        if same_output:
            # Without a tool NVTX returns -2, with one the nesting level.
            plain = [re.sub(r"levels .*", "", text) for text in (done.stdout, alone.stdout)]
            self.assertEqual(*plain, done.stderr)
        self.stdout, self.stderr = done.stdout, done.stderr
        return self.report()

    def kernels_run(self):
        """The last "kernels N" the program printed."""
        return int(re.findall(r"kernels (\d+)", self.stdout)[-1])

    def codes(self, report):
        return {notice["code"] for notice in report["notices"]}

    def assert_whole(self, report, launches):
        self.assert_exact_ledger(report)
        self.assertEqual(report["ledger"]["kernels"]["stored"], launches, report["ledger"])


class DataTest(SituationTest):
    def test_names_with_any_bytes(self):
        report = self.profile("nvtx")
        json.loads((self.session / "report.json").read_bytes().decode("utf-8"))
        names = {entry["name"] for entry in report["ranges"]}
        self.assertIn('{"device": "cpu"}(12): run', names)
        self.assertTrue(any(name.startswith("line\nbreak \x01") for name in names), names)
        self.assert_whole(report, self.kernels_run())

    def test_other_locales(self):
        report = self.profile("localised", environment={"LC_ALL": "de_DE.UTF-8"})
        self.assert_whole(report, 12)

    def test_drops_are_counted(self):
        limits = {"GPUPROF_BUFFER_BYTES": "65536", "GPUPROF_BUFFER_LIMIT_BYTES": "65536",
                  "GPUPROF_BUFFER_LIMIT_BYTES_PER_THREAD": "0", "GPUPROF_FLUSH_PERIOD_MS": "500"}
        report = self.profile("many_launches", environment=limits)
        books = report["ledger"]["kernels"]
        self.assertEqual(books["launched"], 300_000)
        self.assertGreater(books["dropped"], 0, books)
        self.assertEqual(books["launched"], books["stored"] + books["dropped"] + books["invalid"] + books["unaccounted"])
        self.assertGreater(report["ledger"]["records_dropped_by_cupti"], 0)

    def test_recording_switched_off_after_a_launch(self):
        report = self.profile("profiler_api", ["--capture-range", "profiler-api"])
        self.assertEqual(self.launches(report), {"count": 50, "spin": 1})
        self.assertEqual(report["capture"]["uncaptured_launches"], 57)
        longest_ns = max(kernel["time_ns"]["max"] for kernel in report["kernels"])
        self.assertLess(longest_ns, 500_000_000, "no kernel ends when recording begins again")
        self.assert_exact_ledger(report)


class ProcessTest(SituationTest):
    def test_children_forked_after_cuda(self):
        for situation in ("fork_exit", "fork__exit", "fork_exec"):
            with self.subTest(situation):
                report = self.profile(situation)
                self.assertLess(self.wall_s, 8)
                self.assertEqual(len(report["processes"]), 1, report["processes"])
                self.assert_whole(report, 100)

    def test_a_child_forked_before_cuda(self):
        report = self.profile("fork_before")
        self.assertEqual(sorted(p["kernel_launches"] for p in report["processes"]), [50, 100])
        self.assert_whole(report, 150)

    def test_sudden_ends(self):
        for situation in ("_exit", "quick_exit", "abort"):
            with self.subTest(situation):
                report = self.profile(situation)
                self.assertEqual(report["totals"]["kernel_launches"], 200)

    def test_workers_of_a_launcher(self):
        worker = self.session.parent / "worker.py"
        worker.write_text("import multiprocessing, os, subprocess, sys\n"
                          "def work():\n"
                          "    subprocess.run([sys.argv[1], 'plain'], check=True)\n"
                          "    os._exit(0)\n"
                          "if __name__ == '__main__':\n"
                          "    process = multiprocessing.get_context('spawn').Process(target=work)\n"
                          "    process.start()\n"
                          "    process.join()\n", encoding="utf-8")
        script = (f"{sys.executable} {worker} {PROGRAM} & {PROGRAM} plain & "
                  f"RANK=1 WORLD_SIZE=3 {PROGRAM} plain & wait")
        done, report = self.record(["sh", "-c", script], ["--stages", "timeline"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([p["kernel_launches"] for p in report["processes"]], [100, 100, 100])
        self.assert_whole(report, 300)
        self.assertEqual(report["job"]["missing"], [0, 2])

    def test_contexts_that_come_and_go(self):
        report = self.profile("contexts")
        self.assert_whole(report, 20 + 21 + 22 + 5)

    def test_a_device_reset(self):
        report = self.profile("reset")
        self.assert_whole(report, 42)

    def test_threads_that_end_early(self):
        report = self.profile("early_threads")
        self.assert_whole(report, 800)

    def test_thirty_two_threads_flat_out(self):
        report = self.profile("flat_out")
        self.assert_whole(report, 320_000)

    def test_a_static_destructor_that_launches(self):
        report = self.profile("static_destructor")
        self.assert_exact_ledger(report)
        self.assertIn(report["totals"]["kernel_launches"], (20, 21))

    def test_a_subscriber_before_us(self):
        report = self.profile("foreign_subscriber", same_output=False)
        self.assertIn("kernels 40", self.stdout)
        # Whoever comes first has CUPTI: here the program may, before CUDA is initialised.
        if "subscribed 0" in self.stdout:
            self.assertIn("cupti.subscriber_held", self.codes(report))
        else:
            self.assert_whole(report, 40)

    def test_buffers_registered_after_us(self):
        report = self.profile("foreign_buffers")
        self.assertIn("cupti.stream_taken_over", self.codes(report))
        self.assertGreaterEqual(report["totals"]["kernel_launches"], 100)

    def test_a_wrong_libcupti_first_in_the_path(self):
        directory = self.session.parent / "wrong"
        directory.mkdir()
        (directory / "libcupti.so.13").write_bytes(b"this is no library")
        report = self.profile("plain", environment={"LD_LIBRARY_PATH": f"{directory}:{os.environ.get('LD_LIBRARY_PATH', '')}"})
        if report["totals"]["kernel_launches"] == 0:
            self.assertIn("cupti.not_found", self.codes(report))
        else:
            self.assert_whole(report, 100)

    def test_the_mps_variable(self):
        pipes = self.session.parent / "mps"
        pipes.mkdir()
        report = self.profile("plain", environment={"CUDA_MPS_PIPE_DIRECTORY": str(pipes)})
        self.assert_whole(report, 100)

    def test_cuda_without_kernels(self):
        report = self.profile("allocate_only")
        self.assertEqual(report["totals"]["kernel_launches"], 0)
        self.assertNotIn("error", {notice["severity"] for notice in report["notices"]})


class GraphTest(SituationTest):
    def test_every_entry_point(self):
        report = self.profile("entry_points")
        self.assertEqual(self.launches(report), {"count": 80, "count_cooperatively": 20})
        self.assert_whole(report, 100)
        clusters = {tuple(kernel["cluster"]) for kernel in report["kernels"]}
        self.assertIn((2, 1, 1), clusters)

    def test_per_thread_default_streams(self):
        for program in (PROGRAM, PER_THREAD):
            report = self.profile("default_stream", program=program)
            self.assert_whole(report, 400)

    def test_graphs_through_runtime_and_driver(self):
        report = self.profile("graph_launches")
        self.assert_whole(report, 40)
        self.assertEqual(sum(kernel["graph_launches"] for kernel in report["kernels"]), 40)
        self.assertEqual(sum(copy["count"] for copy in report["copies"] if copy["kind"] == "DtoD"), 20)

    def test_graphs_as_a_whole(self):
        report = self.profile("graph_launches", ["--graphs", "whole"])
        executions = {entry["kind"]: entry["stored"] for entry in report["ledger"]["records"]}
        self.assertEqual(executions["graph_executions"], 20)
        self.assert_exact_ledger(report)

    def test_a_graph_made_before_recording_began(self):
        report = self.profile("graph_then_profiler", ["--capture-range", "profiler-api"])
        self.assert_whole(report, 12_000)

    def test_few_device_buffers(self):
        report = self.profile("graph_loop", environment={"GPUPROF_DEVICE_BUFFERS": "8"})
        books = report["ledger"]["kernels"]
        self.assertEqual(books["launched"], 2_000_000)
        self.assertEqual(books["launched"], books["stored"] + books["dropped"] + books["invalid"], books)

    def test_recording_switched_many_times(self):
        report = self.profile("graph_loop", ["--trace-share", "20%"])
        books = report["ledger"]["kernels"]
        self.assertEqual(books["unaccounted"], 0, books)
        self.assertGreaterEqual(report["capture"]["phases"], 2)

    def test_conditional_nodes(self):
        report = self.profile("conditional_graph")
        self.assertEqual(self.kernels_run(), 35)
        self.assertEqual(report["ledger"]["kernels"]["unaccounted"], 0, report["ledger"])

    def test_a_capture_that_stays_open(self):
        report = self.profile("open_capture")
        self.assert_whole(report, 30)

    def test_ranges(self):
        report = self.profile("nvtx")
        self.assertIn("levels 0 1 2 2 1 0", self.stdout)
        steps = next(entry for entry in report["ranges"] if entry["name"] == "step")
        self.assertEqual((steps["count"], steps["kernels"]), (5, 20))
        nvtx = report["nvtx"]
        self.assertEqual((nvtx["unmatched_pops"], nvtx["open_ranges"], nvtx["cross_thread_ranges"]), (1, 1, 1), nvtx)


class CaptureTest(SituationTest):
    def test_a_share_counts_every_launch(self):
        report = self.profile("many_launches", ["--trace-share", "10%"])
        stored = report["ledger"]["kernels"]["stored"]
        self.assertEqual(stored + report["capture"]["uncaptured_launches"], 300_000)
        self.assert_exact_ledger(report)
        self.assertTrue(report["capture"]["estimated"])
        self.assertGreaterEqual(report["ledger"]["api_calls"], stored, "API calls are recorded again after a pause")
        self.assertEqual(sum(kernel["estimated_launches"] for kernel in report["kernels"]), 300_000)

    def test_a_range_of_nvtx(self):
        report = self.profile("nvtx", ["--capture-range", "nvtx:step"])
        self.assertEqual(report["totals"]["kernel_launches"], 20)
        self.assertEqual(report["capture"]["phases"], 5)

    def test_delay_and_duration(self):
        report = self.profile("foreign_buffers", ["--delay", "100000"], same_output=False)
        self.assertEqual(report["totals"]["kernel_launches"], 0)
        self.assertEqual(report["capture"]["uncaptured_launches"], 6100)

    def test_a_size_limit(self):
        report = self.profile("many_launches", ["--max-size", "300KB"])
        self.assertIn("trace.size_limit", self.codes(report))
        stored = report["ledger"]["kernels"]["stored"]
        self.assertEqual(stored + report["capture"]["uncaptured_launches"], 300_000)

    def test_the_flight_recorder(self):
        report = self.profile("many_launches", ["--keep-last", "300ms"])
        books = report["ledger"]["kernels"]
        self.assertEqual(books["launched"], 300_000)
        self.assertGreater(books["overwritten"], 0)
        self.assertEqual(books["unaccounted"], 0, books)

    def test_memory_and_everything(self):
        report = self.profile("managed_memory", ["--trace", "memory,uvm,api=all"])
        device_memory = next(entry for entry in report["memory"] if entry["kind"] == "device")
        self.assertGreaterEqual(device_memory["peak_bytes"], 64 << 20)
        self.assert_whole(report, 1)


if __name__ == "__main__":
    if not Path(PROGRAM).exists():
        device.skip(f"{PROGRAM} is not built: configure with -DGPUPROF_BUILD_EXAMPLES=ON")
    device.main()
