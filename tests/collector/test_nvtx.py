# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""NVTX: everything a program says through it is in the trace, and it gets the answers it would get elsewhere."""

import collections
import os
import struct
import unittest

import harness

PUSH, POP, START, END, MARK = range(5)
UNSIGNED, SIGNED, REAL = 1, 2, 3

THREAD_SANITIZED = os.environ.get("GPUPROF_SANITIZE") == "thread"
LIMIT_BYTES = 64 << 10


def hex_of(name, wide=False):
    """A name as an option of a step: bytes, or a list of wide characters."""
    return "hex=" + (b"".join(struct.pack(">I", unit) for unit in name).hex() if wide else name.hex())


def double_bits(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0]


class NvtxTest(harness.CollectorTest):
    def run_nvtx(self, script, **extra):
        extra["NVTX_INJECTION64_PATH"] = str(harness.COLLECTOR)
        # Children start threads here, and threads are still running when the program leaves.
        extra["TSAN_OPTIONS"] = "die_after_fork=0 report_thread_leaks=0"
        outcome = self.run_target(script, extra=extra)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        return outcome

    def said(self, outcome, *labels):
        """What NVTX returned, as "push 0"."""
        return [line for line in outcome.stdout.splitlines() if line.split(" ")[0] in labels]

    def levels(self, outcome):
        return self.said(outcome, "push", "pop")

    def names(self, trace, kind=None):
        return [os.fsencode(event.name) for event in trace.nvtx_events if kind is None or event.kind == kind]

    def assert_all_there(self, trace):
        """seen = stored + dropped."""
        ledger = trace.ledger
        self.assertEqual(ledger.nvtx_events, len(trace.nvtx_events) + ledger.nvtx_dropped, ledger)

    def assert_pairs(self, trace):
        """Pushes and pops balance, for each thread and domain, at every point of the file."""
        depth = collections.Counter()
        for event in trace.nvtx_events:
            key = (event.thread, event.domain)
            depth[key] += (event.kind == PUSH) - (event.kind == POP)
            self.assertGreaterEqual(depth[key], 0, event)
        self.assertEqual(set(depth.values()), {0})

    def assert_ordered(self, trace):
        """A thread's events are in the order of their times."""
        latest = {}
        for event in trace.nvtx_events:
            self.assertGreaterEqual(event.time_ns, latest.get(event.thread, 0))
            latest[event.thread] = event.time_ns


class RangeTest(NvtxTest):
    def test_nesting_levels(self):
        outcome = self.run_nvtx("nvtx-push=a nvtx-push=b nvtx-push=c nvtx-pop nvtx-pop nvtx-push=d nvtx-pop nvtx-pop")
        self.assertEqual(self.levels(outcome),
                         ["push 0", "push 1", "push 2", "pop 2", "pop 1", "push 1", "pop 1", "pop 0"])
        trace = outcome.trace
        self.assertEqual([event.kind for event in trace.nvtx_events], [PUSH, PUSH, PUSH, POP, POP, PUSH, POP, POP])
        self.assertEqual([event.name for event in trace.nvtx_events], ["a", "b", "c", "", "", "d", "", ""])
        self.assertEqual({event.domain for event in trace.nvtx_events}, {""})
        self.assertEqual({event.thread for event in trace.nvtx_events}, {trace.process.pid})
        self.assert_ordered(trace)
        self.assert_all_there(trace)

    def test_times_are_those_of_the_real_time_clock(self):
        trace = self.run_nvtx("nvtx-push=a sleep=50 nvtx-pop").trace
        push, pop = trace.nvtx_events
        self.assertGreaterEqual(push.time_ns, trace.process.time_ns - 1_000_000_000)
        self.assertLessEqual(pop.time_ns, trace.end.time_ns)
        self.assertGreaterEqual(pop.time_ns - push.time_ns, 50_000_000)

    def test_a_pop_without_a_push(self):
        outcome = self.run_nvtx("nvtx-pop nvtx-push=a nvtx-pop nvtx-pop nvtx-push=b nvtx-pop")
        self.assertEqual(self.levels(outcome), ["pop -1", "push 0", "pop 0", "pop -1", "push 0", "pop 0"])
        self.assertEqual([event.kind for event in outcome.trace.nvtx_events], [POP, PUSH, POP, POP, PUSH, POP])

    def test_two_domains_interleaved(self):
        outcome = self.run_nvtx(
            "nvtx-push=a nvtx-push=x,domain=other nvtx-push=b nvtx-pop nvtx-pop=,domain=other nvtx-pop "
            "nvtx-push=y,domain=wide,wide=1 nvtx-pop=,domain=wide")
        self.assertEqual(self.levels(outcome),
                         ["push 0", "push 0", "push 1", "pop 1", "pop 0", "pop 0", "push 0", "pop 0"])
        self.assertEqual([(event.domain, event.name) for event in outcome.trace.nvtx_events],
                         [("", "a"), ("other", "x"), ("", "b"), ("", ""), ("other", ""), ("", ""),
                          ("wide", "y"), ("wide", "")])

    def test_levels_are_each_threads_own(self):
        outcome = self.run_nvtx("nvtx-push=main threads { nvtx-push=worker nvtx-pop } nvtx-pop")
        self.assertEqual(self.levels(outcome), ["push 0", "push 0", "pop 0", "pop 0"])

    def test_a_range_started_here_and_ended_on_another_thread(self):
        outcome = self.run_nvtx(
            "nvtx-start=a,as=1 nvtx-start=b,as=2,domain=other nvtx-start=c,as=3,form=ex "
            "threads { nvtx-end=2,domain=other nvtx-end=1 } nvtx-end=3")
        trace = outcome.trace
        starts = [event for event in trace.nvtx_events if event.kind == START]
        ends = {event.range: event for event in trace.nvtx_events if event.kind == END}
        self.assertEqual([event.name for event in starts], ["a", "b", "c"])
        self.assertEqual(len({event.range for event in starts}), 3)
        self.assertNotIn(0, ends)
        self.assertEqual([f"start {event.range}" for event in starts], self.said(outcome, "start"))
        self.assertEqual(set(ends), {event.range for event in starts})
        self.assertEqual([ends[event.range].domain for event in starts], ["", "other", ""])
        self.assertEqual([ends[event.range].thread == event.thread for event in starts], [False, False, True])

    def test_ids_are_unique_over_threads(self):
        outcome = self.run_nvtx("nvtx-init threads=8 { repeat=50 { nvtx-start=r } }")
        self.assertEqual(len(set(self.said(outcome, "start"))), 400)

    def test_a_range_that_is_never_popped(self):
        outcome = self.run_nvtx("nvtx-push=outer nvtx-push=inner nvtx-start=open nvtx-pop")
        self.assertEqual([event.kind for event in outcome.trace.nvtx_events], [PUSH, PUSH, START, POP])
        self.assertEqual(len(outcome.trace.ends), 1)


class AttributeTest(NvtxTest):
    def test_payloads(self):
        values = ["u64:18446744073709551615", "i64:-5", "f64:-0.25", "u32:4294967295", "i32:-7", "f32:0.5"]
        steps = [f"nvtx-mark=m,form=ex,payload={value}" for value in values] + ["nvtx-mark=m"]
        trace = self.run_nvtx(" ".join(steps)).trace
        self.assertEqual(
            [(event.payload_type, event.payload) for event in trace.nvtx_events],
            [(UNSIGNED, 2**64 - 1), (SIGNED, 2**64 - 5), (REAL, double_bits(-0.25)), (UNSIGNED, 2**32 - 1),
             (SIGNED, 2**64 - 7), (REAL, double_bits(0.5)), (0, 0)])
        self.assertEqual({event.kind for event in trace.nvtx_events}, {MARK})

    def test_categories_and_colours(self):
        trace = self.run_nvtx(
            "nvtx-category=io,id=7 nvtx-category=net,id=7,domain=other nvtx-category=wide,id=8,wide=1 "
            "nvtx-push=a,form=ex,category=7,color=0xFF112233 nvtx-start=b,domain=other,category=7 nvtx-mark=c").trace
        self.assertEqual([(c.domain, c.id, c.name) for c in trace.nvtx_categories],
                         [(b"", 7, b"io"), (b"other", 7, b"net"), (b"", 8, b"wide")])
        self.assertEqual([(event.category, event.color) for event in trace.nvtx_events],
                         [(7, 0xFF112233), (7, 0), (0, 0)])

    def test_everything_at_once(self):
        trace = self.run_nvtx("nvtx-start=all,form=registered,domain=d,category=1,color=2,payload=u64:3").trace
        (event,) = trace.nvtx_events
        self.assertEqual((event.kind, event.name, event.domain, event.category, event.color, event.payload),
                         (START, "all", "d", 1, 2, 3))

    def test_attributes_of_another_size(self):
        """None are read from a structure that is too small; a size that was forgotten is forgiven."""
        trace = self.run_nvtx("nvtx-mark=a,form=ex,size=16 nvtx-mark=b,form=ex,size=0 nvtx-mark=c,form=ex,size=96").trace
        self.assertEqual([event.name for event in trace.nvtx_events], ["", "b", "c"])


class NameTest(NvtxTest):
    NAMES = [b'{"device": "cpu"}(12): run', b"line\nbreak\ttab", b"\x01\x1b[31m", b"\xff\xfe", b"\xed\xa0\x80",
             "emoji \U0001f600".encode(), b"a,b=c", b"%s%n"]

    def test_names_are_kept_byte_for_byte(self):
        for form in ("plain", "ex", "registered"):
            with self.subTest(form):
                trace = self.run_nvtx(" ".join(f"nvtx-mark=,form={form},{hex_of(name)}" for name in self.NAMES)).trace
                self.assertEqual(self.names(trace), self.NAMES)
                trace.path.unlink()

    def test_names_of_categories_and_threads_are_kept_byte_for_byte(self):
        steps = [f"nvtx-category=,id=1,{hex_of(name)} nvtx-thread=,{hex_of(name)}" for name in self.NAMES]
        trace = self.run_nvtx(" ".join(steps)).trace
        self.assertEqual([category.name for category in trace.nvtx_categories], self.NAMES)
        self.assertEqual([thread.name for thread in trace.thread_names], self.NAMES)

    def test_empty_and_missing_names(self):
        trace = self.run_nvtx(
            "nvtx-mark= nvtx-mark=,wide=1 nvtx-mark=,form=ex nvtx-mark=,form=registered nvtx-mark=x,null=1 "
            "nvtx-mark=x,null=1,wide=1 nvtx-mark=x,null=1,form=ex nvtx-mark=x,null=1,form=registered "
            "nvtx-category=x,null=1,id=1 nvtx-thread=x,null=1").trace
        self.assertEqual(self.names(trace), [b""] * 8)
        self.assertEqual(trace.nvtx_categories[0].name, b"")
        self.assertEqual(trace.thread_names[0].name, b"")

    def test_long_names(self):
        trace = self.run_nvtx(
            "nvtx-mark=before nvtx-mark=0123456789,times=10000 nvtx-mark=between nvtx-push=ab,times=50000,wide=1 "
            "nvtx-start=xyz,times=40000,form=registered nvtx-mark=after").trace
        self.assertEqual(self.names(trace), [b"before", b"0123456789" * 10000, b"between", b"ab" * 50000,
                                             b"xyz" * 40000, b"after"])

    def test_wide_names(self):
        names = [([0x41, 0xE9, 0x20AC, 0x1F600], "A\u00e9\u20ac\U0001f600"),
                 ([0xD83D, 0xDE00], "\U0001f600"),  # a surrogate pair, from UTF-16
                 ([0x61, 0xD800, 0x62, 0xDC00], "a\ufffdb\ufffd"),  # lone surrogates
                 ([0x110000, 0x7FFFFFFF, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF],
                  "\ufffd\ufffd\x7f\x80\u07ff\u0800\uffff\U00010000\U0010ffff")]
        for form in ("plain", "ex", "registered"):
            with self.subTest(form):
                steps = [f"nvtx-mark=,wide=1,form={form},{hex_of(units, wide=True)}" for units, _ in names]
                trace = self.run_nvtx(" ".join(steps)).trace
                self.assertEqual(self.names(trace), [text.encode() for _, text in names])
                trace.path.unlink()

    def test_a_string_registered_twice_and_in_two_domains(self):
        trace = self.run_nvtx("repeat=3 { nvtx-mark=same,form=registered nvtx-mark=same,form=registered,domain=d }").trace
        self.assertEqual(self.names(trace), [b"same"] * 6)
        self.assertEqual([event.domain for event in trace.nvtx_events], ["", "d"] * 3)
        self.assertEqual(trace.strings.count("same"), 1)

    def test_handles_that_nobody_gave_out(self):
        outcome = self.run_nvtx("nvtx-mark=a,domain=d,form=registered nvtx-wrong-handles nvtx-mark=b")
        self.assertEqual(self.levels(outcome), ["push 0"] * 3)
        events = outcome.trace.nvtx_events
        self.assertEqual(len(events), 2 + 3 * 5)
        self.assertEqual({(event.name, event.domain) for event in events[1:-1]}, {("", "")})
        self.assert_all_there(outcome.trace)

    def test_threads_named_before_anything_else(self):
        outcome = self.run_nvtx("nvtx-thread=main threads=3 { nvtx-thread=worker,wide=1 nvtx-mark=m } "
                                "nvtx-thread=foreign,id=4000000 init launch=k,5 sync")
        trace = outcome.trace
        names = collections.Counter(name.name for name in trace.thread_names)
        self.assertEqual(names, {b"main": 1, b"worker": 3, b"foreign": 1})
        by_name = {name.name: name.thread for name in trace.thread_names}
        self.assertEqual(by_name[b"main"], trace.process.pid)
        self.assertEqual(by_name[b"foreign"], 4000000)
        workers = {name.thread for name in trace.thread_names if name.name == b"worker"}
        self.assertEqual(workers, {event.thread for event in trace.nvtx_events})
        self.assertEqual(len(trace.kernels), 5)


class ThreadTest(NvtxTest):
    def test_thousands_of_events_of_many_threads(self):
        pairs, threads = 5000, 8
        trace = self.run_nvtx(f"nvtx-init threads={threads} {{ nvtx-push=outer repeat={pairs} {{ nvtx-push=in,quiet=1 "
                              "nvtx-pop=,quiet=1 } nvtx-pop }").trace
        self.assertEqual(len(trace.nvtx_events), threads * 2 * (pairs + 1))
        self.assertEqual(len({event.thread for event in trace.nvtx_events}), threads)
        self.assertEqual(trace.ledger.nvtx_dropped, 0)
        self.assert_ordered(trace)
        self.assert_pairs(trace)
        self.assert_all_there(trace)

    def test_threads_that_end_early_lose_nothing(self):
        trace = self.run_nvtx("nvtx-init repeat=100 { threads=4 { nvtx-push=a,quiet=1 nvtx-pop=,quiet=1 } } sleep=300 "
                              "repeat=100 { threads=4 { nvtx-push=a,quiet=1 nvtx-pop=,quiet=1 } }").trace
        self.assertEqual(len(trace.nvtx_events), 1600)
        self.assert_pairs(trace)
        self.assert_all_there(trace)

    def test_a_call_while_the_thread_is_ending(self):
        trace = self.run_nvtx("nvtx-init threads=3 { nvtx-mark-at-thread-exit=last nvtx-mark=first } "
                              "threads { nvtx-mark-at-thread-exit=last }").trace
        self.assertEqual(collections.Counter(self.names(trace)), {b"first": 3, b"last": 4})

    def test_threads_that_go_on_while_the_process_ends(self):
        outcome = self.run_nvtx("nvtx-init background { nvtx-push=a,quiet=1 nvtx-pop=,quiet=1 } "
                                "background { nvtx-push=b,quiet=1 nvtx-pop=,quiet=1 } sleep=300 exit=0")
        self.assertFalse(outcome.trace.torn)
        self.assertGreater(len(outcome.trace.nvtx_events), 1000)


class ForkTest(NvtxTest):
    def test_a_child_goes_on_calling_nvtx(self):
        outcome = self.run_nvtx(
            "nvtx-push=before nvtx-push=x,domain=d fork { nvtx-push=child nvtx-pop nvtx-pop nvtx-pop=,domain=d "
            "nvtx-mark=m,domain=new,form=registered nvtx-thread=child nvtx-category=child,id=1 nvtx-start=s,as=1 "
            "threads=4 { nvtx-push=thread nvtx-pop } nvtx-end=1 exit=5 } "
            "nvtx-pop=,domain=d nvtx-pop nvtx-mark=after")
        self.assertIn("exit 5", outcome.stdout)
        # Whatever becomes of the child's calls, the parent's are in its file once, and the child's are not.
        trace = next(trace for trace in outcome.traces if trace.process.pid != 0 and trace.nvtx_events)
        self.assertEqual(self.names(trace, PUSH) + self.names(trace, MARK), [b"before", b"x", b"after"])
        self.assertEqual(len(trace.nvtx_events), 5)
        self.assertEqual(trace.nvtx_categories + trace.thread_names, [])
        pushes = self.levels(outcome)
        self.assertNotIn("push -1", pushes)
        self.assertNotIn("push -2", pushes)

    def test_levels_in_a_child_go_on_from_the_parents(self):
        outcome = self.run_nvtx("nvtx-push=a fork { nvtx-push=b nvtx-pop nvtx-pop exit=0 } nvtx-pop")
        self.assertEqual(sorted(self.levels(outcome)), sorted(["push 0", "push 1", "pop 1", "pop 0", "pop 0"]))

    @unittest.skipIf(harness.SANITIZED and not THREAD_SANITIZED, "the sanitizer's allocator does not survive such forks")
    def test_forking_while_threads_call(self):
        outcome = self.run_nvtx(
            "nvtx-init background { nvtx-push=a,quiet=1 nvtx-pop=,quiet=1 } background { nvtx-mark=m,form=registered,domain=d } "
            "background { threads { nvtx-mark=t } } sleep=50 "
            "repeat=20 { fork { nvtx-push=c,quiet=1 nvtx-mark=m,form=registered,domain=e threads=2 { nvtx-mark=c } "
            "exit=6 } } exit=0")
        self.assertEqual(outcome.stdout.count("exit 6"), 20, outcome.stdout)
        self.assertFalse(any(trace.torn for trace in outcome.traces))

    @unittest.skipIf(harness.SANITIZED and not THREAD_SANITIZED, "the sanitizer's allocator does not survive such forks")
    def test_a_child_that_uses_cuda_records_again(self):
        outcome = self.run_nvtx("nvtx-mark=parent fork { nvtx-mark=lost init launch=k,3 sync sleep=500 nvtx-mark=child "
                                "exit=0 } nvtx-mark=end")
        parent = next(trace for trace in outcome.traces if not trace.kernels)
        child = next(trace for trace in outcome.traces if trace.kernels)
        self.assertEqual(self.names(parent), [b"parent", b"end"])
        self.assertEqual(self.names(child), [b"child"])
        self.assertEqual(child.nvtx_events[0].thread, child.process.pid)


class LimitTest(NvtxTest):
    def test_ranges_beyond_the_limit_are_dropped_as_a_whole(self):
        outcome = self.run_nvtx(
            "nvtx-init threads=4 { repeat=20000 { nvtx-push=outer,quiet=1 nvtx-push=inner,quiet=1 nvtx-pop=,quiet=1 "
            "nvtx-pop=,quiet=1 nvtx-start=s,quiet=1,as=1 } } nvtx-mark=last",
            GPUPROF_NVTX_LIMIT_BYTES=str(LIMIT_BYTES), GPUPROF_FLUSH_PERIOD_MS="500")
        trace = outcome.trace
        self.assertEqual(trace.ledger.nvtx_events, 4 * 20000 * 5 + 1)
        self.assertGreater(trace.ledger.nvtx_dropped, 0)
        self.assertGreater(len(trace.nvtx_events), 100)
        self.assert_all_there(trace)
        self.assert_pairs(trace)

    def test_the_limit_holds(self):
        outcome = self.run_nvtx("repeat=50000 { nvtx-mark=a,quiet=1 }", GPUPROF_NVTX_LIMIT_BYTES=str(LIMIT_BYTES),
                                GPUPROF_FLUSH_PERIOD_MS="500")
        # A mark takes at least 32 bytes; a few periods may have passed.
        self.assertLess(len(outcome.trace.nvtx_events), 50000)
        self.assert_all_there(outcome.trace)

    def test_a_name_that_exceeds_the_limit(self):
        trace = self.run_nvtx("nvtx-push=x,times=100000 nvtx-push=small nvtx-pop nvtx-pop nvtx-mark=last",
                              GPUPROF_NVTX_LIMIT_BYTES=str(LIMIT_BYTES)).trace
        self.assertEqual(self.names(trace), [b"small", b"", b"last"])
        self.assertEqual(trace.ledger.nvtx_dropped, 2)

    def test_it_records_on_after_a_rush(self):
        trace = self.run_nvtx("repeat=50000 { nvtx-mark=rush,quiet=1 } sleep=1200 repeat=100 { nvtx-mark=calm }",
                              GPUPROF_NVTX_LIMIT_BYTES=str(LIMIT_BYTES), GPUPROF_FLUSH_PERIOD_MS="500").trace
        self.assertEqual(self.names(trace).count(b"calm"), 100)


class WatchTest(NvtxTest):
    """--capture-range nvtx:NAME: the first range of that name opens the capture, the last one closes it."""

    def phases(self, name, script):
        trace = self.run_nvtx("init " + script + " sync", GPUPROF_CAPTURE_RANGE=f"nvtx:{name}").trace
        return [kernel.shape.name for kernel in trace.kernels]

    def test_a_push_range(self):
        kernels = self.phases("step", "launch=a sync nvtx-push=outer nvtx-push=step launch=b sync nvtx-pop launch=c sync "
                              "nvtx-pop launch=d")
        self.assertEqual(kernels, ["b"])

    def test_every_form_of_a_name(self):
        for options in ("", ",wide=1", ",form=ex", ",form=registered", ",form=registered,wide=1", ",domain=any",
                        ",domain=any,form=registered"):
            with self.subTest(options):
                pop = "nvtx-pop=,domain=any" if "domain" in options else "nvtx-pop"
                kernels = self.phases("step", f"launch=a sync nvtx-push=step{options} launch=b sync {pop} launch=c")
                self.assertEqual(kernels, ["b"])
                for trace in self.trace_dir.glob("*.trace"):
                    trace.unlink()

    def test_a_range_of_one_domain(self):
        kernels = self.phases("step@d", "nvtx-push=step launch=a sync nvtx-pop nvtx-push=step,domain=other launch=b sync "
                              "nvtx-push=step,domain=d launch=c sync nvtx-pop=,domain=d launch=d")
        self.assertEqual(kernels, ["c"])

    def test_nested_and_overlapping_ranges_are_one(self):
        kernels = self.phases("step", "launch=a sync nvtx-push=step launch=b nvtx-push=step nvtx-pop launch=c "
                              "nvtx-start=step,as=1 nvtx-pop launch=d sync threads { nvtx-end=1 } nvtx-end=1 launch=e sync "
                              "nvtx-push=step launch=f sync nvtx-pop launch=g")
        self.assertEqual(kernels, ["b", "c", "d", "f"])

    def test_a_range_opened_before_cuda_starts(self):
        trace = self.run_nvtx("nvtx-push=step init launch=a sync nvtx-pop launch=b sync",
                              GPUPROF_CAPTURE_RANGE="nvtx:step").trace
        self.assertEqual([kernel.shape.name for kernel in trace.kernels], ["a"])


class LoadingTest(NvtxTest):
    def test_a_program_without_nvtx_calls_leaves_nothing(self):
        outcome = self.run_nvtx("sleep=1")
        self.assertEqual(outcome.traces, [])

    def test_without_a_trace_directory_nvtx_is_off(self):
        outcome = self.run_nvtx("nvtx-push=a nvtx-pop", GPUPROF_TRACE_DIR="")
        self.assertEqual(self.levels(outcome), ["push -2", "pop -2"])

    def test_a_program_without_cuda_has_a_whole_trace(self):
        trace = self.run_nvtx("nvtx-init nvtx-push=a nvtx-pop").trace
        self.assertEqual(len(trace.nvtx_events), 2)
        self.assertEqual(trace.kernels, [])
        self.assertEqual(len(trace.ends), 1)
        self.assertEqual(trace.notices, [])

    def test_nvtx_before_and_after_cuda_starts(self):
        trace = self.run_nvtx("nvtx-push=load sleep=20 nvtx-pop init nvtx-push=step launch=k,10 sync nvtx-pop").trace
        self.assertEqual(self.names(trace, PUSH), [b"load", b"step"])
        self.assertEqual(len(trace.kernels), 10)
        self.assert_books_balance(trace)

    def test_cuda_before_nvtx(self):
        trace = self.run_nvtx("init launch=k,10 sync nvtx-push=a nvtx-pop").trace
        self.assertEqual(len(trace.nvtx_events), 2)
        self.assertEqual(len(trace.kernels), 10)

    def test_both_entry_points(self):
        for symbol in ("InitializeInjectionNvtx", "InitializeInjectionNvtx2"):
            with self.subTest(symbol):
                outcome = self.run_target(f"nvtx-push=off nvtx-inject={symbol} nvtx-push=on nvtx-pop")
                self.assertEqual(outcome.stdout.splitlines()[:4], ["push -2", "injected 1", "push 0", "pop 0"])
                self.assertEqual(self.names(outcome.trace), [b"on", b""])
                outcome.trace.path.unlink()

    @unittest.skipIf(THREAD_SANITIZED, "NVTX initialises itself without synchronisation")
    def test_the_first_calls_come_from_many_threads(self):
        trace = self.run_nvtx("threads=8 { nvtx-push=a nvtx-pop }").trace
        self.assertEqual(len(trace.nvtx_events), 16)
        self.assert_pairs(trace)

    def test_a_killed_program_keeps_what_was_flushed(self):
        outcome = self.run_target("nvtx-push=a sleep=1500 kill=9",
                                  extra={"NVTX_INJECTION64_PATH": str(harness.COLLECTOR)})
        self.assertEqual(outcome.returncode, -9)
        self.assertEqual(self.names(outcome.trace), [b"a"])


if __name__ == "__main__":
    harness.main()
