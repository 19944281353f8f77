# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""What is recorded, and when: delay, duration, ranges, share, size limit, flight recorder, graphs as a whole."""

import os

import harness


class CaptureTest(harness.CollectorTest):
    def assert_all_launches_counted(self, trace, launched):
        ledger = trace.ledger
        self.assertEqual(ledger.kernel_launches + ledger.uncaptured_kernel_launches, launched, ledger)
        self.assertEqual(sum(sum(c.launches) for c in trace.launch_counts), ledger.uncaptured_kernel_launches)
        self.assertEqual(ledger.kernel_records, ledger.kernel_launches, ledger)

    def test_everything_is_recorded_without_options(self):
        trace = self.run_target("init launch=k,100 sync").trace
        self.assertEqual(trace.capture_phases, [])
        self.assertEqual(trace.ledger.uncaptured_kernel_launches, 0)

    def test_a_delay_leaves_out_the_beginning(self):
        outcome = self.run_target(
            "init launch=early,50 sync sleep=500 launch=late,30 sync", extra={"GPUPROF_DELAY_MS": "200"}
        )
        self.assert_unharmed(outcome, 80)
        trace = outcome.trace
        self.assertEqual({k.shape.name for k in trace.kernels}, {"late"})
        self.assertEqual([phase.on for phase in trace.capture_phases], [False, True])
        self.assert_all_launches_counted(trace, 80)
        shapes = {shape for counts in trace.launch_counts for shape in counts.shapes}
        self.assertEqual({trace.shapes[shape].name for shape in shapes}, {"early"})

    def test_a_duration_leaves_out_the_end(self):
        trace = self.run_target(
            "init launch=early,50 sync sleep=600 launch=late,30 sync", extra={"GPUPROF_DURATION_MS": "200"}
        ).trace
        self.assertEqual({k.shape.name for k in trace.kernels}, {"early"})
        self.assertEqual([(phase.on, phase.reason) for phase in trace.capture_phases], [(False, 2)])
        self.assert_all_launches_counted(trace, 80)

    def test_delay_and_duration_together(self):
        trace = self.run_target(
            "init launch=a,10 sleep=400 launch=b,10 sync sleep=500 launch=c,10 sync",
            extra={"GPUPROF_DELAY_MS": "200", "GPUPROF_DURATION_MS": "400"},
        ).trace
        self.assertEqual({k.shape.name for k in trace.kernels}, {"b"})
        self.assertEqual([phase.on for phase in trace.capture_phases], [False, True, False])

    def test_the_profiler_api_opens_and_closes_the_range(self):
        trace = self.run_target(
            "init launch=a,10 sync profiler=start launch=b,10 sync profiler=stop launch=c,10 sync "
            "profiler=start launch=d,5 sync profiler=stop",
            extra={"GPUPROF_CAPTURE_RANGE": "profiler-api"},
        ).trace
        self.assertEqual({k.shape.name for k in trace.kernels}, {"b", "d"})
        self.assertEqual([phase.on for phase in trace.capture_phases], [False, True, False, True, False])
        self.assert_all_launches_counted(trace, 35)

    def test_without_the_option_the_profiler_api_changes_nothing(self):
        trace = self.run_target("init launch=a,10 profiler=stop launch=b,10 profiler=start sync").trace
        self.assertEqual(len(trace.kernels), 20)
        self.assertEqual(trace.capture_phases, [])

    def test_an_nvtx_range_opens_and_closes_the_range(self):
        trace = self.run_target(
            "init launch=a,10 sync nvtx-push=other launch=b,10 nvtx-pop nvtx-push=step launch=c,10 sync nvtx-pop launch=d,10 sync",
            extra={"GPUPROF_CAPTURE_RANGE": "nvtx:step", "NVTX_INJECTION64_PATH": str(harness.COLLECTOR)},
        ).trace
        self.assertEqual({k.shape.name for k in trace.kernels}, {"c"})
        self.assert_all_launches_counted(trace, 40)

    def test_a_range_that_opens_before_cuda(self):
        trace = self.run_target(
            "nvtx-push=step init launch=a,10 sync nvtx-pop launch=b,10 sync",
            extra={"GPUPROF_CAPTURE_RANGE": "nvtx:step", "NVTX_INJECTION64_PATH": str(harness.COLLECTOR)},
        ).trace
        self.assertEqual({k.shape.name for k in trace.kernels}, {"a"})

    def test_a_range_that_never_opens_is_told(self):
        trace = self.run_target("init launch=a,10 sync", extra={"GPUPROF_CAPTURE_RANGE": "nvtx:nothing"}).trace
        self.assertEqual(trace.kernels, [])
        self.assertEqual([(n.code, n.detail) for n in trace.notices], [(15, b"nvtx:nothing")])
        self.assert_all_launches_counted(trace, 10)

    def test_a_share_records_some_stretches_and_counts_the_rest(self):
        script = "init repeat=60 { launch=k,100,ns=1000 sync sleep=10 }"
        outcome = self.run_target(script, extra={"GPUPROF_TRACE_SHARE": "25"})
        self.assert_unharmed(outcome, 6000)
        trace = outcome.trace
        self.assert_all_launches_counted(trace, 6000)
        self.assertGreater(len(trace.kernels), 0)
        self.assertLess(len(trace.kernels), 5000)
        phases = [phase.on for phase in trace.capture_phases]
        self.assertEqual(phases, [i % 2 == 1 for i in range(len(phases))], "off, on, off, ...")
        self.assertGreaterEqual(len(phases), 3)

    def test_nothing_is_switched_off_before_the_first_context(self):
        script = "init sleep=500 repeat=30 { launch=k,100,ns=1000 sync sleep=10 }"
        trace = self.run_target(script, extra={"GPUPROF_TRACE_SHARE": "25"}).trace
        first_launch_ns = min(call.start_ns for call in trace.api_calls)
        self.assertGreater(trace.capture_phases[0].time_ns, first_launch_ns)
        self.assertFalse(trace.capture_phases[0].on)

    def test_api_calls_come_back_after_a_pause(self):
        trace = self.run_target(
            "init launch=a,10 sync profiler=start launch=b,10 sync profiler=stop launch=c,10 sync profiler=start launch=d,5 sync",
            extra={"GPUPROF_CAPTURE_RANGE": "profiler-api"},
        ).trace
        launches = {call.correlation for call in trace.api_calls if call.function == "cudaLaunchKernel"}
        self.assertEqual({kernel.correlation for kernel in trace.kernels}, launches)

    def test_threads_launch_while_recording_is_switched(self):
        script = "init threads=2 { repeat=40 { launch=a,200 sleep=5 } } sync"
        outcome = self.run_target(script, extra={"GPUPROF_TRACE_SHARE": "50"})
        self.assert_unharmed(outcome, 16000)
        self.assert_all_launches_counted(outcome.trace, 16000)

    def test_a_size_limit_ends_the_recording(self):
        script = "init repeat=20 { launch=k,2000 sync sleep=50 }"
        outcome = self.run_target(script, extra={"GPUPROF_MAX_BYTES": "60000", "GPUPROF_FLUSH_PERIOD_MS": "20"})
        self.assert_unharmed(outcome, 40000)
        trace = outcome.trace
        self.assert_all_launches_counted(trace, 40000)
        self.assertGreater(trace.ledger.uncaptured_kernel_launches, 0)
        self.assertEqual([n.code for n in trace.notices], [14])
        self.assertLess(os.path.getsize(trace.path), 400_000)

    def test_the_flight_recorder_keeps_the_end(self):
        script = "init launch=early,20000 sync sleep=900 launch=late,100 sync"
        outcome = self.run_target(script, extra={"GPUPROF_KEEP_LAST_MS": "300", "GPUPROF_FLUSH_PERIOD_MS": "50"})
        self.assert_unharmed(outcome, 20100)
        trace = outcome.trace
        self.assertEqual({k.shape.name for k in trace.kernels}, {"late"})
        self.assertEqual(trace.ledger.kernels_overwritten, 20000)
        self.assertEqual(trace.ledger.kernel_records, 20100)
        self.assertGreater(os.path.getsize(trace.path), os.stat(trace.path).st_blocks * 512, "space was given back")

    def test_the_flight_recorder_survives_a_crash(self):
        trace = self.run_target(
            "init launch=early,20000 sync sleep=900 launch=late,100 sync sleep=200 kill=9",
            extra={"GPUPROF_KEEP_LAST_MS": "300", "GPUPROF_FLUSH_PERIOD_MS": "50"},
        ).trace
        self.assertEqual({k.shape.name for k in trace.kernels}, {"late"})


class GraphTest(harness.CollectorTest):
    def test_graphs_as_a_whole(self):
        outcome = self.run_target("init make_graph=5 run_graph=20 launch=k,3 sync", extra={"GPUPROF_GRAPHS": "whole"})
        trace = outcome.trace
        self.assertEqual(len(trace.graph_executions), 20)
        self.assertEqual(len(trace.kernels), 3)
        ledger = trace.ledger
        self.assertEqual((ledger.graph_launches, ledger.graph_executions, ledger.graph_kernel_nodes), (20, 20, 0))
        launches = {call.correlation for call in trace.api_calls if "GraphLaunch" in call.function}
        self.assertEqual({execution.correlation for execution in trace.graph_executions}, launches)
        self.assertTrue(all(execution.duration_ns > 0 for execution in trace.graph_executions))

    def test_graph_launches_that_are_not_recorded_are_counted(self):
        trace = self.run_target(
            "init make_graph=5 run_graph=4 sync profiler=start run_graph=3 sync profiler=stop run_graph=2 sync",
            extra={"GPUPROF_CAPTURE_RANGE": "profiler-api"},
        ).trace
        ledger = trace.ledger
        self.assertEqual((ledger.graph_launches, ledger.graph_kernel_nodes), (3, 15))
        self.assertEqual((ledger.uncaptured_graph_launches, ledger.uncaptured_graph_kernels), (6, 30))


class MemoryTest(harness.CollectorTest):
    def test_allocations_are_recorded_on_request(self):
        trace = self.run_target("init allocate=1000 allocate=5000 sync", extra={"GPUPROF_TRACE": "memory"}).trace
        self.assertEqual([(e.operation, e.bytes) for e in trace.memory_events], [(1, 1000), (2, 1000), (1, 5000), (2, 5000)])

    def test_and_not_without(self):
        trace = self.run_target("init allocate=1000 sync").trace
        self.assertEqual(trace.memory_events, [])


class LabelTest(harness.CollectorTest):
    def test_rank_variables_are_kept(self):
        trace = self.run_target("init launch=k sync", extra={"RANK": "3", "WORLD_SIZE": "8", "LOCAL_RANK": ""}).trace
        self.assertEqual(trace.process.labels, [b"RANK=3", b"WORLD_SIZE=8"])


if __name__ == "__main__":
    harness.main()
