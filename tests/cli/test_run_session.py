# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Session directories: their names, what is never overwritten, and what is said when nothing was recorded."""

import json
import os

from harness import CommandLineTest, main


class RunSession(CommandLineTest):
    def sessions(self):
        return sorted(path.name for path in self.directory.glob("*.gpuprof"))

    def test_sessions_are_numbered(self):
        (self.directory / "job.py").write_text("pass\n")
        for program in (["true"], ["true"], ["python3", "job.py"]):
            self.assert_status(self.gpuprof("run", *program), 0)
        self.assertEqual(self.sessions(), ["job-1.gpuprof", "true-1.gpuprof", "true-2.gpuprof"])

    def test_the_session_says_what_ran(self):
        self.assert_status(self.run_program("sh", "-c", "exit 3"), 3)
        record = json.loads((self.directory / "test.gpuprof" / "session.json").read_text())
        self.assertEqual(record["schema"], "gpuprof.session/1")
        self.assertEqual(record["command"], ["sh", "-c", "exit 3"])
        self.assertEqual(record["working_directory"], str(self.directory.resolve()))
        self.assertEqual([stage["name"] for stage in record["stages"]], ["timeline"])
        report = self.report()
        self.assertEqual(report["schema"], "gpuprof.report/1")
        self.assertEqual(report["command"], record["command"])
        self.assertGreater(report["totals"]["wall_time_ns"], 0)

    def test_an_existing_directory_is_not_overwritten(self):
        self.assert_status(self.run_program("sh", "-c", "exit 3"), 3)
        self.assert_error(self.run_program("touch", "started"), 2, "test.gpuprof exists already", "-f")
        self.assertFalse((self.directory / "started").exists())
        self.assertEqual(self.report()["command"], ["sh", "-c", "exit 3"])
        self.assert_status(self.run_program("true", options=["-f"]), 0)
        self.assertEqual(self.report()["command"], ["true"])

    def test_force_replaces_sessions_only(self):
        precious = self.directory / "test.gpuprof"
        precious.mkdir()
        (precious / "thesis.txt").write_text("years of work\n")
        self.assert_error(self.run_program("touch", "started", options=["-f"]), 2, "neither empty nor a gpuprof session")
        self.assertEqual(os.listdir(precious), ["thesis.txt"])
        self.assertFalse((self.directory / "started").exists())

    def test_a_place_that_is_not_writable_is_found_before_the_program_starts(self):
        for place in ("/proc/test.gpuprof", "no/such/parent", "collector.so/below"):
            with self.subTest(place=place):
                done = self.gpuprof("run", "-o", place, "touch", "started")
                self.assert_error(done, 125, "cannot create the session directory")
        self.assertFalse((self.directory / "started").exists())

    def test_no_process_said_hello(self):
        done = self.run_program("true")
        self.assert_status(done, 0)
        self.assertIn("no process loaded the collector", done.stderr)
        self.assertEqual(self.notice_codes(), ["collector.not_loaded"])
        self.assertFalse(self.report()["counters"]["attempted"])
        cleared = self.run_program("env", "-i", "/bin/true", options=["-f"])
        self.assertIn("env -i removes the variables", self.report()["notices"][0]["text"])
        self.assert_status(cleared, 0)

    def test_a_session_without_a_report_is_read_from_its_traces(self):
        self.assert_status(self.run_program("true"), 0)
        written = self.report()
        (self.directory / "test.gpuprof" / "report.json").unlink()
        done = self.gpuprof("report", "test.gpuprof", "--format", "json")
        self.assert_status(done, 0)
        self.assertIn("read its traces instead", done.stderr)
        self.assertEqual(json.loads(done.stdout), written)


if __name__ == "__main__":
    main()
