# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""gpuprof run returns the program's exit status, and its own only when the program did not run."""

import os
import unittest

from harness import CommandLineTest, main


class RunStatus(CommandLineTest):
    def test_the_status_of_the_program(self):
        for status in (0, 1, 7, 125, 255):
            with self.subTest(status=status):
                self.assert_status(self.run_program("sh", "-c", f"exit {status}", options=["-f"]), status)

    def test_death_by_a_signal_is_128_plus_its_number(self):
        for name, number in (("KILL", 9), ("SEGV", 11), ("ABRT", 6)):
            with self.subTest(signal=name):
                done = self.run_program("sh", "-c", f"kill -{name} $$", options=["-f"])
                self.assert_status(done, 128 + number)
                self.assertIn(f"the program was killed by SIG{name}", done.stderr)
                self.assertEqual(self.report()["stages"][0]["end"], {"kind": "signalled", "code": number})
                self.assertIn("program.killed", self.notice_codes())

    def test_a_program_that_does_not_exist(self):
        for name in ("./no-such-program", "no-such-program"):
            self.assert_error(self.run_program(name), 127, f"{name} could not be executed", "No such file")
            self.assertFalse((self.directory / "test.gpuprof").exists())

    def test_a_program_that_is_not_executable(self):
        plain = self.directory / "plain"
        plain.write_text("exit 0\n")
        self.assert_error(self.run_program("./plain"), 126, "Permission denied")
        self.assert_error(self.run_program("/"), 126)

    def test_our_own_failures_are_125(self):
        self.assert_error(self.gpuprof("run", "-o", "/proc/no/such", "touch", "started"), 125, "-o DIR")
        self.collector.unlink()
        self.assert_error(self.run_program("touch", "started"), 125, "GPUPROF_COLLECTOR")
        self.assertFalse((self.directory / "started").exists())

    def test_wrong_command_lines_are_2(self):
        for arguments in (["run"], ["run", "--"], ["run", "-q"], ["run", ""], ["run", "--top", "0", "true"],
                          ["run", "--coverage", "1.5", "true"], ["run", "--coverage", "0", "true"],
                          ["run", "--coverage", "0.5", "--top", "3", "true"], ["run", "--stages", "counters", "true"],
                          ["run", "--tier", "fast", "true"], ["run", "--samples", "none", "true"],
                          ["run", "--color", "blue", "true"], ["run", "-o"]):
            with self.subTest(arguments=arguments):
                self.assert_error(self.gpuprof(*arguments), 2)
        self.assertEqual(os.listdir(self.directory), ["collector.so"])

    def test_another_tool_in_the_injection_variable_stops_the_run(self):
        foreign = {"CUDA_INJECTION64_PATH": "/opt/other/tool.so"}
        done = self.run_program("touch", "started", env=foreign)
        self.assert_error(done, 125, "/opt/other/tool.so", "--force-injection")
        self.assertFalse((self.directory / "started").exists())
        forced = self.run_program("sh", "-c", "echo $CUDA_INJECTION64_PATH", options=["--force-injection"], env=foreign)
        self.assertEqual(forced.stdout, f"{self.collector}\n")
        for free in ("none", ""):
            self.assert_status(self.run_program("true", options=["-f"], env={"CUDA_INJECTION64_PATH": free}), 0)

    def test_a_report_that_cannot_be_written_keeps_the_status(self):
        done = self.run_program("sh", "-c", "rm -r test.gpuprof; exit 9")
        self.assert_status(done, 9)
        self.assertEqual(done.stderr.count("gpuprof: error: cannot write"), 1, done.stderr)

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_messages_that_cannot_be_written_keep_the_status(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = self.run_program("sh", "-c", "exit 5", capture_output=False, stderr=full)
        self.assertEqual(done.returncode, 5)
        self.assertEqual(self.report()["stages"][0]["end"], {"kind": "exited", "code": 5})

    def test_a_reader_of_the_messages_that_goes_away_keeps_the_status(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = self.run_program("sh", "-c", "exit 5", capture_output=False, stderr=writer)
        os.close(writer)
        self.assertEqual(done.returncode, 5)
        self.assertTrue((self.directory / "test.gpuprof" / "report.json").exists())


if __name__ == "__main__":
    main()
