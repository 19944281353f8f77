# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""A trace that cannot be written costs one line on stderr, never the program."""

import os
import subprocess
import unittest

import harness


class StorageTest(harness.CollectorTest):
    def assert_one_line(self, outcome, words):
        lines = [line for line in outcome.stderr.splitlines() if line]
        self.assertEqual(len(lines), 1, outcome.stderr)
        self.assertIn("gpuprof: ", lines[0])
        self.assertIn(words, lines[0])
        self.assertIn(str(self.trace_dir), lines[0])

    def test_a_directory_that_does_not_exist(self):
        self.trace_dir.rmdir()
        outcome = self.run_target("init launch=k,20 sync")
        self.assert_unharmed(outcome, 20)
        self.assert_one_line(outcome, "No such file or directory")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_directory_that_is_not_writable(self):
        self.trace_dir.chmod(0o500)
        outcome = self.run_target("init launch=k,20 sync")
        self.trace_dir.chmod(0o700)
        self.assert_unharmed(outcome, 20)
        self.assert_one_line(outcome, "Permission denied")

    def test_a_file_where_the_directory_should_be(self):
        self.trace_dir.rmdir()
        self.trace_dir.write_text("in the way")
        outcome = self.run_target("init launch=k,20 sync")
        self.trace_dir.unlink()
        self.assert_unharmed(outcome, 20)
        self.assert_one_line(outcome, "Not a directory")

    def test_a_full_disk_keeps_the_whole_frames_before(self):
        mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(self.trace_dir)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
            self.skipTest("a small file system takes root")
        self.addCleanup(subprocess.run, ["umount", str(self.trace_dir)], check=False)
        outcome = self.run_target("init repeat=20 { launch=k,2000 sleep=50 } sync exit=3")
        self.assertEqual(outcome.returncode, 3)
        self.assertEqual(outcome.total("launched"), 40000)
        self.assert_one_line(outcome, "No space left on device")
        trace = outcome.trace
        self.assertFalse(trace.torn, "the file ends with a whole frame")
        self.assertGreater(len(trace.kernels), 0)
        self.assertLess(len(trace.kernels), 40000)

    def test_standard_streams_stay_silent(self):
        outcome = self.run_target("init launch=k,20 sync")
        self.assertEqual(outcome.stderr, "")
        self.assertEqual(outcome.stdout, "launched 20\n")


if __name__ == "__main__":
    harness.main()
