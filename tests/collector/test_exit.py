# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""However the program ends, its exit status is its own and the trace holds what came before."""

import signal
import time

import harness

# A killed program may lose half a second of work.
LOSS_MS = 500


class NormalExitTest(harness.CollectorTest):
    def assert_complete(self, outcome, launched, status):
        self.assertEqual(outcome.returncode, status, outcome.stderr)
        trace = outcome.trace
        self.assertEqual(trace.ledger.kernel_launches, launched)
        self.assert_books_balance(trace)
        self.assertEqual(len(trace.kernels), launched)
        self.assertEqual(trace.end.signal, 0)
        self.assertFalse(trace.torn)

    def test_the_exit_status_is_kept(self):
        self.assert_complete(self.run_target("init launch=k,100 sync exit=3"), 100, 3)

    def test_records_of_a_short_program_are_all_there(self):
        self.assert_complete(self.run_target("init launch=k,1 sync exit=0"), 1, 0)

    def test_kernels_that_still_run_at_exit_are_waited_for(self):
        self.assert_complete(self.run_target("init launch=k,20,ns=5000000 exit=0"), 20, 0)

    def test_the_driver_may_shut_down_first(self):
        self.assert_complete(self.run_target("init launch=k,100 sync exit=0", fake="teardown"), 100, 0)

    def test_a_context_destroyed_before_the_end(self):
        self.assert_complete(self.run_target("init launch=k,100 sync destroy exit=0"), 100, 0)

    def test_an_endless_kernel_is_unfinished_and_does_not_hold_the_program(self):
        outcome = self.run_target("init launch=k,10 launch=endless,as=hang exit=0")
        self.assert_complete(outcome, 11, 0)
        endless = [kernel for kernel in outcome.trace.kernels if kernel.shape.name == "endless"]
        self.assertEqual([kernel.start_ns + kernel.duration_ns for kernel in endless], [0])
        self.assertLess(outcome.wall_s, 5)

    def test_exit_while_other_threads_launch(self):
        outcome = self.run_target("init background { launch=k,200 } background { launch=k,200 } sleep=300 exit=4")
        self.assertEqual(outcome.returncode, 4, outcome.stderr)
        trace = outcome.trace
        self.assertFalse(trace.torn)
        self.assertIsNotNone(trace.end)
        self.assertGreater(len(trace.kernels), 0)
        self.assertLess(outcome.wall_s, 15)


class SuddenEndTest(harness.CollectorTest):
    PULSE_MS = 10

    def assert_little_is_lost(self, outcome):
        launched = outcome.total("launched")
        trace = outcome.trace
        self.assertGreater(launched, 0)
        self.assertGreaterEqual(len(trace.kernels), launched - LOSS_MS // self.PULSE_MS)
        self.assertEqual(trace.ledger.kernel_records, len(trace.kernels))

    def end_by(self, last_step):
        return self.run_target(f"init repeat=120 {{ launch=k sleep={self.PULSE_MS} }} {last_step}")

    def test_sigkill(self):
        outcome = self.end_by("kill=9")
        self.assertEqual(outcome.returncode, -signal.SIGKILL)
        self.assert_little_is_lost(outcome)
        self.assertIsNone(outcome.trace.end)

    def test_segmentation_fault(self):
        outcome = self.end_by("kill=11")
        if not harness.SANITIZED:  # the sanitizer turns the signal into an exit status
            self.assertEqual(outcome.returncode, -signal.SIGSEGV)
        self.assert_little_is_lost(outcome)

    def test_abort(self):
        outcome = self.end_by("abort")
        self.assertEqual(outcome.returncode, -signal.SIGABRT)
        self.assert_little_is_lost(outcome)

    def test_exit_without_handlers(self):
        outcome = self.end_by("_exit=7")
        self.assertEqual(outcome.returncode, 7)
        self.assert_little_is_lost(outcome)

    def test_quick_exit(self):
        outcome = self.end_by("quick_exit=8")
        self.assertEqual(outcome.returncode, 8)
        self.assert_little_is_lost(outcome)


class SignalTest(harness.CollectorTest):
    def run_and_signal(self, number, script="init repeat=6000 { launch=k sleep=5 }", **options):
        process = self.start(script, **options)
        deadline = time.monotonic() + harness.TIMEOUT_S
        while not list(self.trace_dir.glob("*.trace")) and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(1)
        sent = time.monotonic()
        process.send_signal(number)
        return self.finish(process, sent)

    def test_terminated(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number):
                outcome = self.run_and_signal(number)
                self.assertEqual(outcome.returncode, -number)
                self.assertLess(outcome.wall_s, 3)
                trace = outcome.trace
                self.assertEqual(trace.end.signal, number)
                self.assertGreater(len(trace.kernels), 20)
                self.assert_books_balance(trace)
                trace.path.unlink()

    def test_terminated_in_the_counter_stage(self):
        plan = self.write_plan("samples=1000000", "group=sm__warps_active.avg", "kernel=k,4,1,1,128,1,1", "window=10")
        outcome = self.run_and_signal(signal.SIGTERM, stage="counters", plan=plan)
        self.assertEqual(outcome.returncode, -signal.SIGTERM)
        self.assertLess(outcome.wall_s, 3)
        self.assertGreater(len(outcome.trace.windows), 0)

    def test_a_handler_of_the_program_stays(self):
        for when in ("before", "after"):
            with self.subTest(when):
                steps = "handle=15 init" if when == "before" else "init handle=15"
                outcome = self.run_and_signal(signal.SIGTERM, f"{steps} repeat=6000 {{ launch=k sleep=5 }}")
                self.assertEqual(outcome.returncode, 100 + signal.SIGTERM)
                outcome.trace.path.unlink()


if __name__ == "__main__":
    harness.main()
