# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Patterns in `gpuprof run -o`: every rank of a job may be started with the same command line."""

import socket
import subprocess

from harness import GPUPROF, CommandLineTest, main


class OutputPattern(CommandLineTest):
    def sessions(self):
        return sorted(path.name for path in self.directory.iterdir() if path.is_dir())

    def run_as(self, pattern, **keywords):
        return self.gpuprof("run", "-q", "-o", pattern, "true", **keywords)

    def test_variables_host_and_percent(self):
        self.assert_status(self.run_as("r%q{SLURM_PROCID}-%q{A}%q{B}-%h-100%%.gpuprof",
                                       env={"SLURM_PROCID": "7", "A": "%n", "B": "x{y}"}), 0)
        self.assertEqual(self.sessions(), [f"r7-%nx{{y}}-{socket.gethostname()}-100%.gpuprof"])

    def test_the_process_id_is_gpuprofs(self):
        process = subprocess.Popen([str(GPUPROF), "run", "-q", "-o", "p%p", "true"], cwd=self.directory,
                                   env=self.environment, stdin=subprocess.DEVNULL)
        self.assertEqual(process.wait(timeout=60), 0)
        self.assertEqual(self.sessions(), [f"p{process.pid}"])

    def test_numbers_count_up(self):
        (self.directory / "n2-2").mkdir()
        for _ in range(3):
            self.assert_status(self.run_as("n%n-%n"), 0)
        self.assertEqual(self.sessions(), ["n1-1", "n2-2", "n3-3", "n4-4"])

    def test_numbers_with_force_replace_nothing(self):
        for _ in range(2):
            self.assert_status(self.gpuprof("run", "-q", "-f", "-o", "n%n", "true"), 0)
        self.assertEqual(self.sessions(), ["n1", "n2"])

    def test_ranks_started_together(self):
        command = [str(GPUPROF), "run", "-q", "-o", "shared-%n.gpuprof", "true"]
        ranks = [subprocess.Popen(command, cwd=self.directory, env=self.environment, stdin=subprocess.DEVNULL)
                 for _ in range(6)]
        self.assertEqual([rank.wait(timeout=60) for rank in ranks], [0] * 6)
        self.assertEqual(self.sessions(), [f"shared-{number}.gpuprof" for number in range(1, 7)])

    def test_what_is_wrong_is_named(self):
        for pattern, text in (("a%x", "%x"), ("a%", "single percent sign"), ("%q{NOT_SET}", "NOT_SET in -o is not set"),
                              ("%q{EMPTY}", "EMPTY in -o is empty"), ("%qA", "%q in -o"), ("%q{A", "%q in -o"),
                              ("%q{}", "%q in -o"), ("%\x1b", r"\x1b"), ("%N", "%N")):
            with self.subTest(pattern=pattern):
                done = self.gpuprof("run", "-o", pattern, "touch", "started", env={"EMPTY": ""})
                self.assert_error(done, 2, text)
        self.assertEqual(self.sessions(), [])
        self.assertFalse((self.directory / "started").exists())


if __name__ == "__main__":
    main()
