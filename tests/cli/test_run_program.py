# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""The profiled program notices nothing: arguments, standard streams, environment and signals are its own."""

import os
import pty
import signal
import subprocess
import sys
import time
import unittest

from harness import GPUPROF, CommandLineTest, main

SHOW_ARGUMENTS = "import sys; sys.stdout.buffer.write(b'|'.join(map(__import__('os').fsencode, sys.argv[1:])))"
AWKWARD = ["[a,b]", "[]", "", "--help", "-o", "x", "--", "--version", "a b", "%%", "'\"$HOME`", "{1}", "-", "\udcff",
           "--top=3", "run", "kernels"]


def have_terminals():
    try:
        for descriptor in pty.openpty():
            os.close(descriptor)
    except OSError:
        return False
    return True


class RunProgram(CommandLineTest):
    def wait_for(self, path):
        deadline = time.monotonic() + 60
        while not (self.directory / path).exists():
            self.assertLess(time.monotonic(), deadline, f"{path} did not appear")
            time.sleep(0.01)

    def start(self, *program, **keywords):
        return subprocess.Popen([str(GPUPROF), "run", "-o", "test.gpuprof", *program], cwd=self.directory,
                                env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, encoding="utf-8", **keywords)

    def test_arguments_arrive_as_they_are_with_and_without_a_separator(self):
        expected = "|".join(AWKWARD)
        for separator in ([], ["--"]):
            with self.subTest(separator=separator):
                done = self.gpuprof("run", "-q", *separator, sys.executable, "-c", SHOW_ARGUMENTS, *AWKWARD)
                self.assert_status(done, 0)
                self.assertEqual(done.stdout, expected)

    def test_a_program_may_be_called_like_a_command_of_ours(self):
        program = self.directory / "kernels"
        program.write_text("#!/bin/sh\necho mine \"$@\"\n")
        program.chmod(0o755)
        path = {"PATH": f"{self.directory}:{os.environ['PATH']}"}
        self.assertEqual(self.gpuprof("run", "-q", "kernels", "--top", "3", env=path).stdout, "mine --top 3\n")

    def test_standard_output_holds_the_programs_output_only(self):
        done = self.run_program("sh", "-c", "printf 'out\\0put'; echo messages >&2")
        self.assertEqual(done.stdout, "out\0put")
        self.assertIn("messages\n", done.stderr)
        self.assertIn("gpuprof: timeline: ", done.stderr)

    def test_quiet_means_that_only_the_program_is_heard(self):
        done = self.run_program("sh", "-c", "echo out; echo err >&2", options=["-q"])
        self.assertEqual((done.stdout, done.stderr), ("out\n", "err\n"))
        self.assertTrue((self.directory / "test.gpuprof" / "report.json").exists())

    def test_standard_input_is_the_programs(self):
        done = self.run_program("cat", stdin=None, input="line\n\0end")
        self.assertEqual(done.stdout, "line\n\0end")

    def test_closed_standard_streams_stay_closed(self):
        script = "import os\nfor fd in (0, 1, 2):\n  try: os.fstat(fd); print(fd, file=open('open', 'a'))\n  except OSError: pass"
        command = f"exec {GPUPROF} run -q -o test.gpuprof {sys.executable} -c \"$0\" <&- >&- 2>&-"
        done = subprocess.run(["sh", "-c", command, script], cwd=self.directory, env=self.environment, timeout=60,
                              check=False)
        self.assertEqual(done.returncode, 0)
        self.assertFalse((self.directory / "open").exists())

    def test_the_environment_names_the_collector_and_is_otherwise_unchanged(self):
        done = self.run_program("env", "-0", options=["-q"], env={"MINE": "a\nb"})
        seen = dict(entry.split("=", 1) for entry in done.stdout.split("\0") if entry)
        added = {name: value for name, value in seen.items() if self.environment.get(name) != value}
        self.assertEqual(added, {"MINE": "a\nb", "CUDA_INJECTION64_PATH": str(self.collector),
                                 "NVTX_INJECTION64_PATH": str(self.collector),
                                 "GPUPROF_STAGE": "timeline",
                                 "GPUPROF_TRACE_DIR": str(self.directory.resolve() / "test.gpuprof" / "timeline")})

    def test_signals_are_forwarded_and_the_report_is_written(self):
        for name, number in (("TERM", signal.SIGTERM), ("HUP", signal.SIGHUP), ("USR1", signal.SIGUSR1),
                             ("USR2", signal.SIGUSR2)):
            with self.subTest(signal=name):
                script = f"trap 'exit 3' {name}; : > ready; while :; do sleep 0.02; done"
                process = self.start("-f", "sh", "-c", script)
                self.wait_for("ready")
                process.send_signal(number)
                process.communicate(timeout=60)
                self.assertEqual(process.returncode, 3)
                self.assertEqual(self.report()["stages"][0]["end"], {"kind": "exited", "code": 3})
                (self.directory / "ready").unlink()

    def test_a_program_ended_by_sigterm_is_reported_so(self):
        process = self.start("sh", "-c", ": > ready; exec sleep 60")
        self.wait_for("ready")
        process.terminate()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 143)
        self.assertIn("program.killed", self.notice_codes())

    @unittest.skipUnless(have_terminals(), "this machine has no pseudo terminals (is /dev/pts mounted?)")
    def test_ctrl_c_reaches_the_program_and_gpuprof_writes_the_report(self):
        script = ("import time\ntry:\n  open('ready', 'w').close(); time.sleep(60)\n"
                  "except KeyboardInterrupt:\n  raise SystemExit(5)")
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.directory)
            arguments = [str(GPUPROF), "run", "-o", "test.gpuprof", sys.executable, "-c", script]
            os.execve(arguments[0], arguments, self.environment)
        self.wait_for("ready")
        os.write(terminal, b"\x03")
        shown = b""
        try:
            while chunk := os.read(terminal, 4096):
                shown += chunk
        except OSError:  # a terminal without writers is an input error on Linux
            pass
        os.close(terminal)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        self.assertEqual(status, 5, shown)
        self.assertIn(b"session: test.gpuprof", shown)
        self.assertEqual(self.report()["stages"][0]["end"], {"kind": "exited", "code": 5})

    @unittest.skipUnless(have_terminals(), "this machine has no pseudo terminals (is /dev/pts mounted?)")
    def test_progress_is_rewritten_in_place_on_a_terminal(self):
        master, terminal = pty.openpty()
        process = subprocess.Popen([str(GPUPROF), "run", "sleep", "0.7"], cwd=self.directory, env=self.environment,
                                   stdin=subprocess.DEVNULL, stderr=terminal)
        process.wait(timeout=60)
        os.close(terminal)
        shown = os.read(master, 65536)
        os.close(master)
        self.assertIn(b"\r\x1b[Kgpuprof: timeline: ", shown)
        elsewhere = self.gpuprof("run", "sleep", "0.7")
        self.assertNotIn("\r", elsewhere.stderr)
        self.assertNotIn("\x1b", elsewhere.stderr)


if __name__ == "__main__":
    main()
