# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Children: forked before CUDA, forked after it, and started anew."""

import signal

import harness

# A child that waits for a thread it does not have would take the collector's patience of several seconds.
PROMPT_S = 5


class ForkTest(harness.CollectorTest):
    def children(self, outcome):
        return [line.split()[2:] for line in outcome.stdout.splitlines() if line.startswith("child ")]

    def test_a_child_forked_after_cuda_leaves_nothing_and_ends_at_once(self):
        for ending in ("exit=5", "_exit=5"):
            with self.subTest(ending):
                outcome = self.run_target(f"init launch=k,10 fork {{ sleep=300 {ending} }} launch=k,5 sync")
                self.assertEqual(outcome.returncode, 0, outcome.stderr)
                self.assertEqual(self.children(outcome), [["exit", "5"]], outcome.stderr)
                trace = outcome.trace
                self.assertEqual(len(trace.kernels), 15)
                self.assert_books_balance(trace)
                self.assertEqual(len(trace.ends), 1)
                self.assertFalse(trace.torn)
                self.assertLess(outcome.wall_s, PROMPT_S)
                trace.path.unlink()

    def test_children_forked_while_threads_launch(self):
        outcome = self.run_target(
            "init background { launch=k,50 sleep=1 } background { launch=k,50 sleep=1 } sleep=100 "
            "repeat=20 { fork { exit=6 } } sleep=100 exit=0"
        )
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertEqual(self.children(outcome), [["exit", "6"]] * 20, outcome.stderr)
        self.assertFalse(outcome.trace.torn)

    def test_a_forked_child_dies_of_the_signals_it_would_have_died_of(self):
        outcome = self.run_target("init launch=k,10 fork { kill=15 } sync")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertEqual(self.children(outcome), [["signal", str(int(signal.SIGTERM))]])
        self.assertLess(outcome.wall_s, PROMPT_S)

    def test_a_forked_child_in_the_counter_stage(self):
        plan = self.write_plan("samples=1000", "group=sm__warps_active.avg", "kernel=k,4,1,1,128,1,1", "window=8")
        outcome = self.run_target(
            "init launch=k,5 fork { exit=5 } launch=k,20 sync", stage="counters", plan=plan
        )
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertEqual(self.children(outcome), [["exit", "5"]], outcome.stderr)
        self.assertGreater(len(outcome.trace.windows), 0)

    def test_a_child_forked_before_cuda_is_a_process_of_its_own(self):
        outcome = self.run_target("fork { init launch=child,7 sync exit=0 } init launch=parent,9 sync")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertEqual(self.children(outcome), [["exit", "0"]], outcome.stderr)
        child, parent = outcome.traces
        self.assertEqual([k.shape.name for k in child.kernels], ["child"] * 7)
        self.assertEqual([k.shape.name for k in parent.kernels], ["parent"] * 9)
        self.assertEqual(child.process.parent_pid, parent.process.pid)
        for trace in outcome.traces:
            self.assert_books_balance(trace)

    def test_a_started_process_has_its_own_trace(self):
        outcome = self.run_target("init launch=k,3 spawn { init launch=inner,4 sync exit=9 } sync")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertEqual(self.children(outcome), [["exit", "9"]])
        parent, child = outcome.traces
        self.assertEqual(len(parent.kernels), 3)
        self.assertEqual([k.shape.name for k in child.kernels], ["inner"] * 4)

    def test_a_process_without_cuda_leaves_no_trace(self):
        outcome = self.run_target("spawn { sleep=1 } init launch=k,3 sync")
        self.assertEqual(outcome.trace.process.arguments[1], b"spawn")
        self.assertEqual(len(outcome.trace.kernels), 3)


if __name__ == "__main__":
    harness.main()
