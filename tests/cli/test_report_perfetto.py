# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""gpuprof report --format perfetto on the recorded session: what is in the file, where it goes, and what is refused."""

import os
import pty
import shutil
import subprocess

from harness import GOLDEN, GPUPROF, SOURCE_DIR, CommandLineTest, main

RECORDED = SOURCE_DIR / "examples" / "recorded" / "train-h200.gpuprof"
SCHEMA = SOURCE_DIR / "tests" / "unit" / "export"


class PerfettoExport(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.session = self.directory / "train.gpuprof"
        shutil.copytree(RECORDED, self.session)

    def export(self, *arguments, **options):
        return self.gpuprof("report", "--format", "perfetto", *arguments, **options)

    def files(self):
        return sorted(path.name for path in self.directory.iterdir() if path.name not in ("collector.so", "train.gpuprof"))

    def test_the_default_file_is_named_after_the_session(self):
        done = self.export()
        self.assert_status(done, 0)
        self.assertEqual(done.stdout, "")
        self.assertIn("newest session here: train.gpuprof\n", done.stderr)
        self.assertIn("wrote train.perfetto-trace (", done.stderr)
        self.assertEqual(self.files(), ["train.perfetto-trace"])

    def test_a_file_a_pipe_and_a_second_run_give_the_same_bytes(self):
        self.assert_status(self.export("train.gpuprof", "-o", "a.pftrace"), 0)
        first = (self.directory / "a.pftrace").read_bytes()
        piped = self.export("train.gpuprof", "-o", "-", encoding=None, errors=None)
        self.assertEqual((piped.returncode, piped.stderr), (0, b""))
        self.assertEqual(piped.stdout, first)
        self.assert_status(self.export("train.gpuprof", "-o", "a.pftrace"), 0)
        self.assertEqual((self.directory / "a.pftrace").read_bytes(), first)
        self.assertEqual(self.files(), ["a.pftrace"])

    def test_every_kernel_is_there_with_its_stream_and_counters(self):
        if shutil.which("protoc") is None:
            self.skipTest("protoc is not installed (package protobuf-compiler)")
        self.assert_status(self.export("train.gpuprof", "-o", "a.pftrace"), 0)
        with open(self.directory / "a.pftrace", "rb") as file:
            text = subprocess.run(["protoc", "--decode=seen.Trace", "-I", str(SCHEMA), "perfetto.proto"], stdin=file,
                                  capture_output=True, check=True, encoding="utf-8").stdout
        report = self.report("train.gpuprof")
        begins = text.count("    type: 1\n")
        self.assertEqual(begins, text.count("    type: 2\n"))
        self.assertEqual(text.count("    category: 1\n"), sum(kernel["launches"] for kernel in report["kernels"]))
        self.assertEqual(text.count("    category: 2\n"), report["ledger"]["copies"])
        self.assertEqual(text.count("    category: 5\n"), report["ledger"]["api_calls"])
        self.assertEqual(text.count("    category: 6\n"), report["ledger"]["synchronizations"])
        # Flows begin at calls, and most kernels of this program are the end of one.
        self.assertGreater(text.count("    end_flow: "), 0.9 * text.count("    category: 1\n"))
        self.assertLessEqual(text.count("    end_flow: "), text.count("    flow: "))
        for name in ("GPU 0: NVIDIA H200", "Stream 7", "dynamic shared memory"):
            self.assertIn(f'name: "{name}', text)
        measured = {metric for kernel in report["kernels"] for metric, value in kernel["counters"].items()
                    if value.get("mean") is not None}
        self.assertTrue(measured)
        for metric in measured:
            self.assertIn(f'name: "{metric}"\n', text)

    def test_a_terminal_is_refused(self):
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        done = self.export("train.gpuprof", "-o", "-", capture_output=False, stdout=slave, stderr=subprocess.PIPE)
        os.close(slave)
        self.assertEqual(done.returncode, 2)
        self.assertIn("not written to a terminal", done.stderr)

    def test_what_holds_no_timeline_is_refused(self):
        shutil.copyfile(GOLDEN / "training" / "report.json", self.directory / "report.json")
        self.assert_error(self.export("report.json"), 2, "report.json is a file", "session directory")
        self.assert_error(self.export("missing.gpuprof"), 2, "missing.gpuprof")
        shutil.rmtree(self.session / "timeline")
        self.assert_error(self.export("train.gpuprof"), 2, "holds no timeline traces")
        self.assertEqual(self.files(), ["report.json"])

    def test_damaged_traces_are_an_error_and_leave_no_file(self):
        for trace in (self.session / "timeline").iterdir():
            trace.write_bytes(b"no trace at all")
        self.assert_error(self.export("train.gpuprof"), 1, "not a gpuprof trace")
        self.assertEqual(self.files(), [])

    def test_output_that_cannot_be_written(self):
        self.assert_error(self.export("train.gpuprof", "-o", "no/such/file"), 1, "no/such/file")
        self.assert_error(self.export("train.gpuprof", "-o", "/dev/full"), 1, "/dev/full")
        (self.directory / "old.pftrace").write_text("old")
        # As on a full disk: the file may not grow beyond 64 KiB. The old one stays.
        command = [str(GPUPROF), "report", "--format", "perfetto", "train.gpuprof", "-o", "old.pftrace"]
        done = subprocess.run(["sh", "-c", 'ulimit -f 128; trap "" XFSZ; exec "$@"', "sh", *command],
                              cwd=self.directory, env=self.environment, capture_output=True, encoding="utf-8", timeout=120,
                              check=False)
        self.assert_error(done, 1, "cannot write old.pftrace")
        self.assertEqual((self.directory / "old.pftrace").read_text(), "old")
        self.assertEqual(self.files(), ["old.pftrace"])

    def test_without_a_report_there_are_no_counters(self):
        (self.session / "report.json").unlink()
        done = self.export("train.gpuprof", "-o", "a.pftrace")
        self.assert_status(done, 0)
        self.assertIn("without counters", done.stderr)
        (self.session / "report.json").write_text("{")
        done = self.export("train.gpuprof", "-o", "a.pftrace")
        self.assert_status(done, 0)
        self.assertIn("without counters", done.stderr)


if __name__ == "__main__":
    main()
