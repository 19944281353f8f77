# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Every value of a launch window belongs to the kernel it is given to, or the window is discarded and counted."""

import math
from collections import Counter

import harness

GROUPS = (
    ["sm__warps_active.avg", "gpu__time_duration.sum"],
    ["dram__bytes_read.sum"],
    ["l1tex__t_sector_hit_rate.pct", "sm__inst_executed.sum", "dram__bytes_write.sum"],
)
SAMPLES = 10
SAXPY = "saxpy,4,1,1,128,1,1"
GEMM = "gemm,8,8,1,256,1,1"
GEMM_STEP = "launch=gemm,1,grid=8x8x1,block=256"


def fnv1a(text):
    result = 0xCBF29CE484222325
    for byte in text.encode():
        result = ((result ^ byte) * 0x100000001B3) & (2**64 - 1)
    return result


def expected_value(metric, shape, launches=1):
    """What the fake libcupti measures for a kernel: see counter_image.cpp."""
    key = "|".join((shape.name, ",".join(map(str, shape.grid)), ",".join(map(str, shape.block))))
    return float((fnv1a(metric) ^ fnv1a(key)) % 1_000_003 * launches)


class CounterTest(harness.CollectorTest):
    def run_counters(self, script, kernels=(SAXPY, GEMM), window=50, samples=SAMPLES, fake="", groups=GROUPS):
        plan = self.write_plan(
            f"samples={samples}",
            f"window={window}",
            *("group=" + ",".join(group) for group in groups),
            *(f"kernel={kernel}" for kernel in kernels),
        )
        return self.run_target(script, stage="counters", plan=plan, fake=fake)

    def samples_of(self, trace):
        """Checks every value, and returns how many launches are samples by (kernel, group)."""
        self.assertTrue(trace.groups, "the armed groups are in the trace")
        groups = [[metric.decode() for metric in group.metrics] for group in trace.groups[0].groups]
        counts = Counter()
        for window in trace.windows:
            if window.discarded:
                self.assertEqual(window.values, [])
                continue
            metrics = groups[window.group]
            self.assertEqual(window.ranges_delivered, len(window.launches))
            self.assertEqual(len(window.values), len(window.launches) * len(metrics))
            self.assertLess(window.start_ns, window.end_ns)
            if window.graph != 0:
                counts["graph", window.group] += len(window.launches)
                continue
            for i, shape in enumerate(window.launches):
                values = window.values[i * len(metrics) : (i + 1) * len(metrics)]
                self.assertEqual(values, [expected_value(metric, shape) for metric in metrics], shape)
                counts[shape.name, window.group] += i >= window.warm_up_launches
        return counts

    def assert_measured(self, counts, name, samples=SAMPLES, groups=GROUPS):
        for group in range(len(groups)):
            self.assertGreaterEqual(counts[name, group], samples, f"{name}, group {group}: {counts}")


class WindowTest(CounterTest):
    def test_values_reach_the_right_kernels(self):
        outcome = self.run_counters(f"init repeat=100 {{ launch=saxpy launch=other,2 {GEMM_STEP} }} sync")
        self.assert_unharmed(outcome, 400)
        trace = outcome.trace
        counts = self.samples_of(trace)
        self.assert_measured(counts, "saxpy")
        self.assert_measured(counts, "gemm")
        self.assertFalse(any(window.discarded for window in trace.windows))
        self.assertTrue(all(len(window.launches) <= 50 for window in trace.windows))
        self.assertEqual(trace.notice_codes(), [])
        self.assertEqual(trace.ledger.kernel_launches, 400)

    def test_thirty_launches_are_enough_for_two_groups(self):
        groups = GROUPS[:2]
        outcome = self.run_counters(f"init repeat=30 {{ launch=saxpy {GEMM_STEP} }} sync", groups=groups)
        counts = self.samples_of(outcome.trace)
        self.assert_measured(counts, "saxpy", groups=groups)
        self.assert_measured(counts, "gemm", groups=groups)

    def test_a_kernel_that_comes_once_at_the_start_costs_nothing_later(self):
        outcome = self.run_counters("init launch=saxpy,3 launch=other,500 sync")
        counts = self.samples_of(outcome.trace)
        self.assertGreater(sum(count for (name, _), count in counts.items() if name == "saxpy"), 0)
        self.assertLess(sum(count for (name, _), count in counts.items() if name == "other"), 50)

    def test_measuring_stops_when_every_kernel_has_its_samples(self):
        outcome = self.run_counters(f"init launch=saxpy,40 {GEMM_STEP} repeat=39 {{ {GEMM_STEP} }} launch=saxpy,500 sync")
        counts = self.samples_of(outcome.trace)
        self.assert_measured(counts, "saxpy")
        self.assertLess(sum(counts.values()), 200)

    def test_other_shapes_of_a_planned_kernel_keep_their_own_values(self):
        outcome = self.run_counters("init repeat=60 { launch=saxpy launch=saxpy,1,grid=9x1x1 } sync", kernels=(SAXPY,))
        trace = outcome.trace
        self.samples_of(trace)
        planned = Counter(
            window.group for window in trace.windows for shape in window.launches if shape.grid == (4, 1, 1)
        )
        for group in range(len(GROUPS)):
            self.assertGreaterEqual(planned[group], SAMPLES)

    def test_failed_launches_have_no_range(self):
        outcome = self.run_counters(
            f"init repeat=60 {{ launch=saxpy launch=saxpy,1,as=fail {GEMM_STEP} }} sync"
        )
        trace = outcome.trace
        self.assert_measured(self.samples_of(trace), "saxpy")
        self.assertFalse(any(window.discarded for window in trace.windows))

    def test_threads_that_launch_at_once_do_not_mix_up_their_values(self):
        outcome = self.run_counters(f"init threads=4 {{ repeat=60 {{ launch=saxpy {GEMM_STEP} launch=other }} }} sync")
        self.assert_unharmed(outcome, 4 * 180)
        trace = outcome.trace
        counts = self.samples_of(trace)
        self.assert_measured(counts, "saxpy")
        self.assert_measured(counts, "gemm")
        self.assertFalse(any(window.discarded for window in trace.windows))

    def test_two_contexts(self):
        outcome = self.run_counters(
            f"init repeat=60 {{ launch=saxpy }} context=1 repeat=60 {{ {GEMM_STEP} }} "
            f"repeat=30 {{ use=1 launch=saxpy use=2 {GEMM_STEP} }} sync"
        )
        self.assert_unharmed(outcome, 180)
        counts = self.samples_of(outcome.trace)
        self.assert_measured(counts, "saxpy")
        self.assert_measured(counts, "gemm")
        self.assertEqual({(window.device) for window in outcome.trace.windows}, {0, 1})
        self.assertEqual(sorted(groups.device for groups in outcome.trace.groups), [0, 1])

    def test_windows_name_their_context(self):
        outcome = self.run_counters("init launch=saxpy,60 sync", kernels=(SAXPY,))
        self.assertEqual({window.context for window in outcome.trace.windows}, {1})

    def test_a_context_destroyed_inside_a_window(self):
        outcome = self.run_counters("init launch=saxpy,5 destroy launch=saxpy,60 sync", kernels=(SAXPY,))
        self.assert_unharmed(outcome, 65)
        self.assert_measured(self.samples_of(outcome.trace), "saxpy")

    def test_a_window_open_at_the_end_is_closed(self):
        outcome = self.run_counters("init launch=saxpy,5 sync exit=0", fake="teardown")
        counts = self.samples_of(outcome.trace)
        self.assertEqual([len(window.launches) for window in outcome.trace.windows], [4], "all but the first launch")
        self.assertGreater(sum(counts.values()), 0)

    def test_kernels_that_never_come(self):
        outcome = self.run_counters("init launch=other,100 sync")
        self.assert_unharmed(outcome, 100)
        self.assertEqual(outcome.trace.windows, [])
        self.assertEqual(outcome.trace.notice_codes(), [])


class DiscardTest(CounterTest):
    def test_windows_whose_ranges_and_launches_disagree_are_discarded_and_counted(self):
        outcome = self.run_counters("init launch=saxpy,150 sync", fake="missing_last_range=1", kernels=(SAXPY,))
        self.assert_unharmed(outcome, 150)
        trace = outcome.trace
        self.assertTrue(trace.windows)
        self.assertTrue(all(window.discarded and window.values == [] for window in trace.windows))
        self.assertEqual(set(trace.notice_codes()), {harness.WINDOW_DISCARDED})
        self.assertEqual(len(trace.notices), len(trace.windows))

    def test_windows_that_never_deliver_are_given_up(self):
        outcome = self.run_counters("init launch=saxpy,3000 sync", fake="missing_last_range=1", kernels=(SAXPY,))
        self.assert_unharmed(outcome, 3000)
        trace = outcome.trace
        self.assertEqual(len(trace.windows), 20)
        self.assertEqual(trace.notice_codes(), [harness.WINDOW_DISCARDED] * 20 + [harness.COUNTERS_ERROR])

    def test_the_other_windows_make_up_for_a_discarded_one(self):
        outcome = self.run_counters("init launch=saxpy,300 sync", fake="missing_last_range=4", kernels=(SAXPY,))
        trace = outcome.trace
        self.assert_measured(self.samples_of(trace), "saxpy")
        discarded = sum(window.discarded for window in trace.windows)
        self.assertEqual(discarded, len(trace.windows) // 4)
        self.assertEqual(trace.notice_codes(), [harness.WINDOW_DISCARDED] * discarded)


class GraphWindowTest(CounterTest):
    NODES = 20

    def assert_graph_values(self, trace):
        groups = [[metric.decode() for metric in group.metrics] for group in trace.groups[0].groups]
        for window in trace.windows:
            if window.graph == 0 or window.discarded:
                continue
            shape = type("Shape", (), {"name": "graph_kernel", "grid": (8, 1, 1), "block": (64, 1, 1)})
            one = [expected_value(metric, shape, self.NODES) for metric in groups[window.group]]
            self.assertFalse(any(map(math.isnan, window.values)))
            self.assertEqual(window.values, one * len(window.launches))

    def test_graphs_are_measured_as_a_whole(self):
        outcome = self.run_counters(f"init make_graph={self.NODES} run_graph=60 sync")
        self.assert_unharmed(outcome, 0)
        trace = outcome.trace
        self.assert_graph_values(trace)
        self.assert_measured(self.samples_of(trace), "graph")
        self.assertEqual(trace.notice_codes(), [])

    def test_kernels_between_graphs_keep_their_values(self):
        outcome = self.run_counters(
            f"init make_graph={self.NODES} repeat=100 {{ launch=saxpy,3 run_graph=1 {GEMM_STEP} }} sync"
        )
        self.assert_unharmed(outcome, 400)
        trace = outcome.trace
        counts = self.samples_of(trace)
        self.assert_measured(counts, "saxpy")
        self.assert_measured(counts, "gemm")
        self.assert_graph_values(trace)
        self.assertEqual(trace.notice_codes(), [])

    def test_both_kernels_and_graphs_are_measured_in_a_long_run(self):
        outcome = self.run_counters(
            f"init make_graph={self.NODES} repeat=150 {{ launch=saxpy,3 run_graph=1 {GEMM_STEP} sleep=20 }} sync"
        )
        trace = outcome.trace
        counts = self.samples_of(trace)
        self.assert_measured(counts, "saxpy")
        self.assert_measured(counts, "gemm")
        self.assert_measured(counts, "graph")
        self.assert_graph_values(trace)

    def test_windows_keep_out_of_stream_capture(self):
        outcome = self.run_counters(
            f"init launch=saxpy,5 make_graph={self.NODES},saxpy,as=captured launch=saxpy,60 sync", kernels=(SAXPY,)
        )
        trace = outcome.trace
        self.assert_measured(self.samples_of(trace), "saxpy")
        self.assertFalse(any(window.discarded for window in trace.windows))
        self.assertEqual(trace.ledger.kernel_launches, 65)


if __name__ == "__main__":
    harness.main()
