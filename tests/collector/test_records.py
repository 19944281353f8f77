# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Everything the program does on the GPU is in the trace, as it was."""

import os
import unittest
from collections import Counter

import harness

DEFAULT_STREAM = 7
FIRST_STREAM = 12  # the fake's id of stream N is this plus N


class HelloTest(harness.CollectorTest):
    def test_a_loaded_collector_says_so_before_anything_runs(self):
        outcome = self.run_target("init")
        self.assert_unharmed(outcome, 0)
        trace = outcome.trace
        self.assertEqual(trace.frames[0], "PROCESS_INFO")
        self.assertEqual(trace.process.stage, b"timeline")
        self.assertEqual(trace.process.executable.decode(), os.path.realpath(harness.FAKE_TARGET))
        self.assertEqual(trace.process.arguments[1:], [b"init"])
        self.assertEqual(trace.path.name, f"{trace.process.pid}-{trace.process.start_ticks}.trace")
        self.assertEqual([info.path.decode() for info in trace.cupti], [str(harness.FAKE_CUPTI)])
        self.assertEqual(trace.cupti[0].version, 130001)
        self.assertEqual(trace.kernels, [])
        self.assertEqual(trace.end.signal, 0)
        self.assertFalse(trace.torn)

    def test_without_a_trace_directory_the_program_runs_alone(self):
        outcome = self.run_target("init launch=k,3 sync", extra={"GPUPROF_TRACE_DIR": ""})
        self.assert_unharmed(outcome, 3)
        self.assertEqual(outcome.traces, [])

    def test_a_second_injection_in_the_same_process_changes_nothing(self):
        outcome = self.run_target("init launch=k,3 inject launch=k,4 sync")
        self.assert_unharmed(outcome, 7)
        self.assertEqual(len(outcome.trace.kernels), 7)

    def test_the_path_given_is_used_when_nothing_is_mapped(self):
        outcome = self.run_target(
            "init=unmapped launch=k,5 sync", extra={"GPUPROF_CUPTI_LIB": str(harness.FAKE_CUPTI)}
        )
        self.assert_unharmed(outcome, 5)
        self.assertEqual(outcome.trace.cupti[0].path.decode(), str(harness.FAKE_CUPTI))
        self.assertEqual(len(outcome.trace.kernels), 5)

    def test_a_mapped_library_comes_before_the_path_given(self):
        other = self.directory / "libcupti.so.13"
        other.write_bytes(harness.FAKE_CUPTI.read_bytes())
        outcome = self.run_target("init launch=k,5 sync", extra={"GPUPROF_CUPTI_LIB": str(other)})
        self.assertEqual(outcome.trace.cupti[0].path.decode(), str(harness.FAKE_CUPTI))
        self.assertEqual(len(outcome.trace.kernels), 5)


class KernelTest(harness.CollectorTest):
    def test_every_launch_is_a_record_with_its_name_shape_and_stream(self):
        outcome = self.run_target(
            "init launch=_Z5saxpyfPf,1000,grid=40x2x1,block=256,smem=1024,ns=700 "
            "launch=gemm,10,grid=8x8x4,block=16x16x2,stream=3 sync"
        )
        self.assert_unharmed(outcome, 1010)
        trace = outcome.trace
        self.assert_books_balance(trace)
        saxpy = [kernel for kernel in trace.kernels if kernel.shape.name == "_Z5saxpyfPf"]
        gemm = [kernel for kernel in trace.kernels if kernel.shape.name == "gemm"]
        self.assertEqual((len(saxpy), len(gemm)), (1000, 10))
        for kernel in saxpy:
            self.assertEqual(kernel.shape.grid, (40, 2, 1))
            self.assertEqual(kernel.shape.block, (256, 1, 1))
            self.assertEqual(kernel.shape.cluster, (1, 1, 1))
            self.assertEqual(kernel.shape.dynamic_shared_bytes, 1024)
            self.assertEqual(kernel.shape.registers_per_thread, 32)
            self.assertEqual(kernel.queue.stream, DEFAULT_STREAM)
            self.assertEqual(kernel.duration_ns, 700)
        for kernel in gemm:
            self.assertEqual(kernel.shape.grid, (8, 8, 4))
            self.assertEqual(kernel.shape.block, (16, 16, 2))
            self.assertEqual(kernel.queue.stream, FIRST_STREAM + 3)
        self.assertEqual(len({kernel.correlation for kernel in trace.kernels}), 1010)

    def test_times_lie_within_the_process(self):
        trace = self.run_target("init launch=k,50 sync").trace
        for kernel in trace.kernels:
            self.assertGreaterEqual(kernel.start_ns, trace.process.time_ns)
            self.assertLessEqual(kernel.start_ns + kernel.duration_ns, trace.end.time_ns)

    def test_every_way_to_launch_is_seen(self):
        outcome = self.run_target(
            "init launch=a,2 launch=b,3,as=driver launch=c,4,as=ex launch=d,5,as=coop launch=e,6,as=ptsz sync"
        )
        self.assert_unharmed(outcome, 20)
        trace = outcome.trace
        self.assert_books_balance(trace)
        self.assertEqual(trace.ledger.kernel_launches, 20)
        names = Counter(kernel.shape.name for kernel in trace.kernels)
        self.assertEqual(names, {"a": 2, "b": 3, "c": 4, "d": 5, "e": 6})
        self.assertEqual({k.shape.launch_type for k in trace.kernels if k.shape.name == "d"}, {1})

    def test_failed_launches_are_not_counted(self):
        outcome = self.run_target("init launch=k,5 launch=k,3,as=fail sync")
        self.assert_unharmed(outcome, 5)
        trace = outcome.trace
        self.assertEqual(trace.ledger.kernel_launches, 5)
        self.assert_books_balance(trace)
        failed = [call for call in trace.api_calls if call.result != 0]
        self.assertGreaterEqual(len(failed), 3)

    def test_eight_threads_launch_flat_out(self):
        each = 3000 if harness.SANITIZED else 20000
        outcome = self.run_target(
            f"init launch=first threads=8 {{ launch=k,{each},ns=100 }} sync",
            extra={"GPUPROF_BUFFER_BYTES": "65536"},
        )
        self.assert_unharmed(outcome, 8 * each + 1)
        trace = outcome.trace
        self.assert_books_balance(trace)
        self.assertEqual(trace.ledger.dropped_by_cupti, 0)
        self.assertEqual(len(trace.kernels), 8 * each + 1)
        self.assertGreater(trace.ledger.buffers_completed, 8)

    def test_late_buffers_are_waited_for(self):
        outcome = self.run_target(
            "init launch=k,2000 sync", fake="delay=50", extra={"GPUPROF_BUFFER_BYTES": "65536"}
        )
        self.assert_unharmed(outcome, 2000)
        self.assert_books_balance(outcome.trace)
        self.assertEqual(len(outcome.trace.kernels), 2000)

    def test_two_contexts_on_two_devices(self):
        outcome = self.run_target("init launch=k,5 sync context=1 launch=k,6 sync use=1 launch=k,7 sync")
        trace = outcome.trace
        self.assert_books_balance(trace)
        queues = Counter((kernel.queue.device, kernel.queue.context) for kernel in trace.kernels)
        self.assertEqual(queues, {(0, 1): 12, (1, 2): 6})
        self.assertEqual(sorted(device.id for device in trace.devices), [0, 1])
        self.assertEqual({device.chip for device in trace.devices}, {b"GH100"})
        self.assertEqual(trace.devices[0].sm_count, 132)
        self.assertEqual(trace.devices[0].peak_dram_bytes_per_second, 4_915_200_000_000)


class OtherRecordsTest(harness.CollectorTest):
    def test_copies_sets_and_synchronisation(self):
        outcome = self.run_target("init copy=HtoD,4096,3 copy=DtoH,100 copy=DtoD,5368709120 set=777 sync")
        trace = outcome.trace
        self.assertEqual(Counter((copy.kind, copy.bytes) for copy in trace.copies),
                         {(1, 4096): 3, (2, 100): 1, (8, 5368709120): 1})
        self.assertEqual([record.bytes for record in trace.sets], [777])
        self.assertEqual([(s.type, s.stream) for s in trace.synchronizations], [(4, 0xFFFFFFFF)])
        self.assertEqual(len(trace.overheads), 1)
        self.assertEqual(trace.ledger.kernel_records, 0)

    def test_api_calls_have_names_threads_and_the_correlation_of_their_work(self):
        outcome = self.run_target("init launch=k,4 launch=k,2,as=ex copy=HtoD,64 sync")
        trace = outcome.trace
        names = Counter(call.function for call in trace.api_calls)
        self.assertEqual(names["cudaLaunchKernel"], 4)
        self.assertEqual(names["cudaLaunchKernelExC"], 2)
        self.assertEqual(names["cudaMemcpyAsync"], 1)
        self.assertEqual(names["cudaDeviceSynchronize"], 1)
        self.assertTrue(all(call.thread == trace.process.pid for call in trace.api_calls), "the main thread's id")
        launches = {call.correlation for call in trace.api_calls if call.function.startswith("cudaLaunch")}
        self.assertEqual(launches, {kernel.correlation for kernel in trace.kernels})

    def test_clocks_are_sampled_at_both_ends(self):
        trace = self.run_target("init launch=k sync").trace
        # The first sample is taken before CUPTI is there.
        clocks = [clock for clock in trace.clocks if clock.cupti_ns != 0]
        self.assertGreaterEqual(len(clocks), 2)
        for clock in clocks:
            self.assertLess(abs(clock.cupti_ns - clock.realtime_ns), 50_000_000)


class GraphTest(harness.CollectorTest):
    def assert_graph_counted(self, outcome, launches, nodes):
        trace = outcome.trace
        self.assertEqual(trace.ledger.graph_launches, launches)
        self.assertEqual(trace.ledger.graphs_of_unknown_size, 0)
        self.assertEqual(trace.ledger.graph_kernel_nodes, launches * nodes)
        self.assert_books_balance(trace)
        kernels = [kernel for kernel in trace.kernels if kernel.shape.name == "graph_kernel"]
        self.assertEqual(len(kernels), launches * nodes)
        self.assertEqual(len({kernel.graph for kernel in kernels}), 1)
        self.assertNotEqual(kernels[0].graph, 0)
        self.assertEqual(len({kernel.graph_node for kernel in kernels}), nodes)

    def test_a_built_graph(self):
        outcome = self.run_target("init launch=k,3 make_graph=50 run_graph=20 sync")
        self.assertEqual(outcome.trace.ledger.kernel_launches, 3)
        self.assert_graph_counted(outcome, 20, 50)

    def test_only_kernel_nodes_are_counted(self):
        outcome = self.run_target("init make_graph=5,copies=3 run_graph=4 sync")
        self.assert_graph_counted(outcome, 4, 5)
        self.assertEqual(len(outcome.trace.copies), 12)

    def test_captured_launches_are_no_launches(self):
        outcome = self.run_target("init launch=k,3 make_graph=10,as=captured run_graph=4 launch=k,2 sync")
        self.assertEqual(outcome.trace.ledger.kernel_launches, 5)
        self.assert_graph_counted(outcome, 4, 10)

    def test_a_cloned_graph(self):
        outcome = self.run_target("init make_graph=10,as=cloned run_graph=4 sync")
        self.assert_graph_counted(outcome, 4, 10)

    def test_graphs_come_and_go(self):
        outcome = self.run_target("init repeat=30 { make_graph=7 run_graph=2 drop_graph } sync")
        trace = outcome.trace
        self.assertEqual(trace.ledger.graph_kernel_nodes, 30 * 2 * 7)
        self.assert_books_balance(trace)


if __name__ == "__main__":
    harness.main()
