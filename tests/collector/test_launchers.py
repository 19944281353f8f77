# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""One `gpuprof run` of what starts other processes: every process that loaded the collector is in the report, with how
it ended as far as that can be known."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import harness

# What the CUDA driver does in a process that initialises CUDA.
LOAD_COLLECTOR = "import ctypes, os; ctypes.CDLL(os.environ['CUDA_INJECTION64_PATH']).InitializeInjection()"

# A worker that is started anew, uses CUDA and leaves without its exit handlers, as multiprocessing's do.
SPAWN_AND_EXIT = f"""
import multiprocessing, os
def work():
    {LOAD_COLLECTOR}
    os._exit(0)
if __name__ == "__main__":
    worker = multiprocessing.get_context("spawn").Process(target=work)
    worker.start()
    print("worker", worker.pid)
    worker.join()
    raise SystemExit(worker.exitcode)
"""

# A child that outlives the command, in a session of its own as a daemon has.
LEAVE_A_DAEMON = f"""
import os, time
ready, told = os.pipe()
if os.fork() == 0:
    os.setsid()
    {LOAD_COLLECTOR}
    os.write(told, b"x")
    for fd in (0, 1, 2): os.close(fd)
    time.sleep(60)
    os._exit(0)
os.read(ready, 1)
"""


class LauncherTest(harness.CollectorTest):
    def outside(self, extra=None):
        """The environment of a shell, in which no gpuprof runs."""
        environment = self.environment(extra={"GPUPROF_CUPTI_LIB": str(harness.FAKE_CUPTI), **(extra or {})})
        for name in ("CUDA_INJECTION64_PATH", "GPUPROF_TRACE_DIR", "GPUPROF_STAGE"):
            environment.pop(name)
        return environment

    def run_command(self, *command, session="s.gpuprof", options=(), extra=None):
        options = ("--stages", "timeline", "--telemetry", "0", *options)
        return subprocess.run(
            [str(part) for part in (harness.GPUPROF, "run", "-o", session, *options, "--", *command)],
            env=self.outside(extra), cwd=self.directory, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=harness.TIMEOUT_S, check=False,
        )

    def report(self, session="s.gpuprof"):
        return json.loads((self.directory / session / "report.json").read_text())

    def kinds(self, report=None):
        return sorted(process["end"]["kind"] for process in (report or self.report())["processes"])

    def script(self, name, text):
        path = self.directory / name
        path.write_text(text)
        return path


class Launchers(LauncherTest):
    def test_a_shell_script(self):
        target = harness.FAKE_TARGET
        script = self.script("job.sh", f"for i in 1 2 3; do {target} init launch=k,$i sync; done; exit 5\n")
        done = self.run_command("sh", script)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertEqual(sorted(p["kernel_launches"] for p in self.report()["processes"]), [1, 2, 3])
        self.assertEqual(self.kinds(), ["exited"] * 3)

    def test_a_shell_script_that_starts_multiprocessing(self):
        done = self.run_command("sh", "-c", f"{sys.executable} {self.script('job.py', SPAWN_AND_EXIT)}; exit $?")
        self.assertEqual(done.returncode, 0, done.stderr)
        (process,) = self.report()["processes"]
        self.assertEqual(f"worker {process['pid']}\n", done.stdout)
        self.assertEqual(process["end"], {"kind": "vanished", "code": None})
        self.assertFalse(process["clean_exit"])
        self.assertNotIn("processes.running", [notice["code"] for notice in self.report()["notices"]])

    def test_a_chain_of_programs_in_one_process(self):
        second = f"os.execv({str(harness.FAKE_TARGET)!r}, ['fake_target', 'init', 'launch=k,4', 'sync', 'exit=3'])"
        done = self.run_command(sys.executable, "-c", f"{LOAD_COLLECTOR}; {second}")
        self.assertEqual(done.returncode, 3, done.stderr)
        report = self.report()
        self.assertEqual(len({process["pid"] for process in report["processes"]}), 1)
        ends = {os.path.basename(p["executable"]).rstrip("0123456789."): p["end"] for p in report["processes"]}
        self.assertEqual(ends["fake_target"], {"kind": "exited", "code": 3})
        self.assertEqual(ends["python"], {"kind": "replaced", "code": None})

    def test_forked_before_cuda(self):
        done = self.run_command(harness.FAKE_TARGET, *"fork { init launch=k,7 sync exit=0 } init launch=k,9 sync".split())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(p["kernel_launches"] for p in self.report()["processes"]), [7, 9])
        self.assertEqual(self.kinds(), ["exited", "exited"])

    def test_a_killed_child(self):
        done = self.run_command(harness.FAKE_TARGET, *"spawn { init launch=k,7 sync kill=9 } init launch=k,9 sync".split())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.kinds(), ["exited", "vanished"])

    def test_ranks_each_with_their_variables(self):
        script = f"for r in 0 2; do RANK=$r WORLD_SIZE=3 {harness.FAKE_TARGET} init launch=k,5 sync & done; wait\n"
        done = self.run_command("sh", "-c", script)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = self.report()
        labels = sorted(label for process in report["processes"] for label in process["labels"])
        self.assertEqual(labels, ["RANK=0", "RANK=2", "WORLD_SIZE=3", "WORLD_SIZE=3"])
        self.assertEqual(report["job"]["world_size"], 3)
        self.assertEqual([rank["rank"] for rank in report["job"]["ranks"]], [0, 2])
        self.assertEqual(report["job"]["missing"], [1])

    def test_a_child_that_outlives_the_command_is_not_waited_for(self):
        started = time.monotonic()
        done = self.run_command(sys.executable, self.script("daemon.py", LEAVE_A_DAEMON))
        wall_s = time.monotonic() - started
        (process,) = self.report()["processes"]
        try:
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(wall_s, 30)
            self.assertEqual(process["end"], {"kind": "running", "code": None})
            notices = {notice["code"]: notice["text"] for notice in self.report()["notices"]}
            self.assertIn(str(process["pid"]), notices["processes.running"])
        finally:
            with suppress(ProcessLookupError):
                os.kill(process["pid"], signal.SIGKILL)
        # Once it is gone, a report made from the traces says so.
        (self.directory / "s.gpuprof" / "report.json").unlink()
        deadline = time.monotonic() + 10
        while os.path.exists(f"/proc/{process['pid']}/maps") and time.monotonic() < deadline:
            time.sleep(0.05)
        again = subprocess.run([str(harness.GPUPROF), "report", "s.gpuprof", "--format", "json"], cwd=self.directory,
                               env=self.outside(), capture_output=True, text=True, timeout=60, check=True)
        self.assertEqual(self.kinds(json.loads(again.stdout)), ["vanished"])


class Nested(LauncherTest):
    def inner(self, *program, options=()):
        return [str(part) for part in (harness.GPUPROF, "run", "-o", "inner.gpuprof", *options, "--", *program)]

    def test_the_inner_run_joins_the_outer_one(self):
        done = self.run_command(*self.inner(harness.FAKE_TARGET, "init", "launch=k,7", "sync", "exit=9"))
        self.assertEqual(done.returncode, 9, done.stderr)
        self.assertEqual(done.stdout, "launched 7\n")
        self.assertEqual(done.stderr.count("inside another gpuprof run"), 1)
        self.assertFalse((self.directory / "inner.gpuprof").exists())
        (process,) = self.report()["processes"]
        self.assertEqual((process["kernel_launches"], process["end"]), (7, {"kind": "exited", "code": 9}))

    def test_one_run_for_each_rank(self):
        inner = " ".join(self.inner(harness.FAKE_TARGET, "init", "launch=k,5", "sync", options=["-q"]))
        done = self.run_command("sh", "-c", f"{inner} & {inner} & wait")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("inside another", done.stderr)
        self.assertEqual([p["kernel_launches"] for p in self.report()["processes"]], [5, 5])

    def test_how_the_inner_program_ends_is_passed_on(self):
        done = self.run_command(*self.inner("no-such-program"))
        self.assertEqual(done.returncode, 127)
        self.assertIn("no-such-program could not be executed", done.stderr)
        done = self.run_command("sh", "-c", " ".join(self.inner("sh", "-c", "'kill -TERM $$'")) + "; exit $?", options=["-f"])
        self.assertEqual(done.returncode, 128 + signal.SIGTERM, done.stderr)

    def test_a_session_of_its_own_on_request(self):
        done = self.run_command(*self.inner(harness.FAKE_TARGET, "init", "launch=k,7", "sync",
                                            options=["--force-injection", "--stages", "timeline", "--telemetry", "0"]))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.report("inner.gpuprof")["ledger"]["kernels"]["launched"], 7)
        self.assertEqual(self.report()["processes"], [])

    def test_an_outer_run_that_is_over_is_not_joined(self):
        self.run_command("true")
        stale = {"CUDA_INJECTION64_PATH": str(harness.COLLECTOR), "GPUPROF_STAGE": "timeline",
                 "GPUPROF_TRACE_DIR": str(self.directory / "s.gpuprof" / "timeline")}
        done = subprocess.run(self.inner(harness.FAKE_TARGET, "init", "launch=k,7", "sync",
                                         options=["--stages", "timeline", "--telemetry", "0"]),
                              cwd=self.directory, env={**self.outside(), **stale}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=harness.TIMEOUT_S, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.report("inner.gpuprof")["ledger"]["kernels"]["launched"], 7)


if __name__ == "__main__":
    if not harness.GPUPROF.exists():
        harness.skip(f"{harness.GPUPROF} is missing")
    if os.environ.get("GPUPROF_SANITIZE"):
        harness.skip("the Python processes of these tests cannot load the collector of a sanitizer build")
    harness.main()
