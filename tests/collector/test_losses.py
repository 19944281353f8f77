# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""What CUPTI loses, spoils or withholds is counted, never hidden."""

import harness


class LossTest(harness.CollectorTest):
    def test_dropped_records_are_counted(self):
        outcome = self.run_target("init launch=k,1000 sync", fake="drop=10")
        self.assert_unharmed(outcome, 1000)
        trace = outcome.trace
        self.assertEqual(trace.ledger.dropped_by_cupti, 100)
        self.assertEqual(len(trace.kernels), 900)
        self.assert_books_balance(trace)

    def test_buffers_beyond_the_limit_are_refused_and_the_loss_is_counted(self):
        outcome = self.run_target(
            "init launch=k,20000,ns=10 sync",
            fake="delay=100",
            extra={"GPUPROF_BUFFER_BYTES": "65536", "GPUPROF_BUFFER_LIMIT_BYTES": "131072", "GPUPROF_BUFFER_LIMIT_BYTES_PER_THREAD": "0"},
        )
        self.assert_unharmed(outcome, 20000)
        trace = outcome.trace
        ledger = trace.ledger
        # Calls are dropped with the kernels, so the sum is only a bound.
        self.assertGreater(ledger.dropped_by_cupti, 0)
        self.assertGreaterEqual(ledger.kernel_records + ledger.dropped_by_cupti, 20000)
        self.assertEqual(ledger.kernel_records, len(trace.kernels))

    def test_untimed_kernels_keep_their_zero_stamps(self):
        trace = self.run_target("init launch=k,100 sync", fake="untimed=4").trace
        self.assertEqual(sum(k.start_ns == 0 and k.duration_ns == 0 for k in trace.kernels), 25)
        self.assert_books_balance(trace)

    def test_an_end_before_the_start_is_kept(self):
        trace = self.run_target("init launch=k,100 sync", fake="negative=5").trace
        self.assertEqual(sum(k.duration_ns == -100 for k in trace.kernels), 20)
        self.assert_books_balance(trace)

    def test_stamps_of_another_clock_are_kept(self):
        trace = self.run_target("init launch=k,100 sync", fake="wrong_clock=20").trace
        self.assertEqual(sum(k.start_ns == 1_000_000 for k in trace.kernels), 5)
        self.assert_books_balance(trace)

    def test_launches_without_records_leave_the_ledger_open(self):
        outcome = self.run_target("init launch=k,40 sync", fake="no_records")
        self.assert_unharmed(outcome, 40)
        self.assertEqual(outcome.trace.ledger.kernel_launches, 40)
        self.assertEqual(outcome.trace.ledger.kernel_records, 0)

    def test_kernels_of_cupti_itself_are_left_out(self):
        trace = self.run_target("init launch=k,5 own own sync").trace
        self.assertEqual(trace.ledger.profiler_kernels, 2)
        self.assertEqual({kernel.shape.name for kernel in trace.kernels}, {"k"})
        self.assert_books_balance(trace)


class OtherClientTest(harness.CollectorTest):
    def test_a_buffer_that_was_never_lent_is_counted_and_left_alone(self):
        outcome = self.run_target("init launch=k,5 foreign foreign launch=k,5 sync")
        self.assert_unharmed(outcome, 10)
        self.assertEqual(outcome.trace.ledger.foreign_buffers, 2)
        self.assertEqual(len(outcome.trace.kernels), 10)

    def test_a_client_that_takes_the_stream_over_is_noticed(self):
        outcome = self.run_target("init launch=k,10 sync sleep=400 take_over repeat=60 { launch=k,5 sleep=50 } sync")
        self.assert_unharmed(outcome, 310)
        trace = outcome.trace
        self.assertEqual(trace.notice_codes(), [harness.STREAM_TAKEN_OVER])
        self.assertEqual(trace.ledger.kernel_launches, 310)
        self.assertEqual(len(trace.kernels), 10)

    def test_a_kernel_that_holds_the_buffers_back_is_no_take_over(self):
        outcome = self.run_target("init launch=slow,1,as=hang repeat=60 { launch=k,5 sleep=50 } sync", fake="hold")
        self.assert_unharmed(outcome, 301)
        self.assertEqual(outcome.trace.notice_codes(), [])
        self.assertEqual(len(outcome.trace.kernels), 301)

    def test_a_pause_is_no_take_over(self):
        outcome = self.run_target("init launch=k,10 sync sleep=3000 launch=k,10 sync sleep=300")
        self.assertEqual(outcome.trace.notice_codes(), [])
        self.assert_books_balance(outcome.trace)


if __name__ == "__main__":
    harness.main()
