# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""gpuprof merge: several sessions become one, nothing is counted twice, and nothing is lost without a word."""

import json
import os
import shutil
import subprocess
import time

import harness
from harness import BINARY_DIR, GPUPROF, CommandLineTest, main

WRITE_TRACE = BINARY_DIR / "tests" / "write_trace"
RECORDED_AT = 1_796_000_000


def utc(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


class MergeTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        if not WRITE_TRACE.exists():
            harness.skip(f"{WRITE_TRACE} is missing; build the target write_trace")

    def write_trace(self, path, host="node1", pid=100, start=1, kernels=10, end="exit", labels=()):
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([str(WRITE_TRACE), str(path), host, str(pid), str(start), str(kernels), end, *labels], check=True)

    def session(self, name, host="node1", pid=100, code=0, wall_s=10, at=0, kernels=10, end="exit", **changes):
        """A session of one process, as a rank's own gpuprof would have left it."""
        directory = self.directory / name
        self.write_trace(directory / "timeline" / f"{pid}-1.trace", host, pid, kernels=kernels, end=end)
        (directory / "counters").mkdir()
        record = {
            "schema": "gpuprof.session/1", "generator_version": "0.1.0", "recorded_at": utc(RECORDED_AT + at),
            "command": ["app", "--fast"], "working_directory": "/w",
            "environment": {"hostname": host, "operating_system": "Linux 6.1", "driver_version": "580.1"},
            "selection": {"rule": "coverage", "coverage": 0.9, "top": 0, "cap": 50}, "tier": "quick",
            "counters_requested": False, "counters_skipped": "the counter stage was not requested",
            "stages": [{"name": "timeline", "pid": pid, "end": {"kind": "exited", "code": code},
                        "wall_time_ns": wall_s * 1_000_000_000}],
        }
        record.update(changes)
        (directory / "session.json").write_text(json.dumps(record))
        return directory

    def merge(self, *arguments, status=0, output="all.gpuprof"):
        done = self.gpuprof("merge", *map(str, arguments), "-o", output)
        self.assert_status(done, status)
        self.assertEqual(done.stdout, "")
        return done

    def notices(self, session="all.gpuprof"):
        return {notice["code"]: notice["text"] for notice in self.report(session)["notices"]}

    def report(self, session="all.gpuprof"):
        return super().report(session)

    def record(self, session="all.gpuprof"):
        return json.loads((self.directory / session / "session.json").read_text())

    def traces(self, session="all.gpuprof"):
        return sorted(path.name for path in (self.directory / session / "timeline").iterdir())


class Merge(MergeTest):
    def test_two_hosts(self):
        first = self.session("a.gpuprof", "node1", wall_s=10)
        self.session("b.gpuprof", "node2", wall_s=12, kernels=7)
        done = self.merge("a.gpuprof", "b.gpuprof")
        self.assertIn("2 sessions, 2 traces of 2 members on 2 hosts", done.stderr)
        self.assertEqual(self.traces(), ["node1-100-1.trace", "node2-100-1.trace"])
        report = self.report()
        self.assertEqual(report["ledger"]["kernels"]["launched"], 17)
        self.assertEqual(report["ledger"]["kernels"]["stored"], 17)
        self.assertEqual(report["totals"]["wall_time_ns"], 12_000_000_000)
        self.assertEqual(report["command"], ["app", "--fast"])
        self.assertEqual(report["environment"]["hostname"], "node1, node2")
        self.assertEqual([stage["name"] for stage in report["stages"]], ["timeline"])
        self.assertEqual(report["stages"][0]["end"], {"kind": "exited", "code": 0})
        self.assertEqual(report["stages"][0]["processes"], 2)
        self.assertIn("2 hosts (node1, node2)", self.notices()["hosts.clocks"])
        self.assertIn("hosts (node1, node2)", done.stderr)
        self.assertFalse([code for code in self.notices() if code.startswith("members.")])
        members = self.record()["members"]
        self.assertEqual([(m["name"], m["host"], m["traces"]) for m in members],
                         [("a.gpuprof", "node1", 1), ("b.gpuprof", "node2", 1)])
        self.assertTrue(os.path.samefile(first / "timeline" / "100-1.trace",
                                         self.directory / "all.gpuprof" / "timeline" / "node1-100-1.trace"))

    def test_ranks_of_two_hosts_and_one_that_is_missing(self):
        for rank, host in ((0, "node1"), (2, "node2")):
            directory = self.session(f"rank-{rank}.gpuprof", host)
            (directory / "timeline" / "100-1.trace").unlink()
            self.write_trace(directory / "timeline" / "100-1.trace", host, labels=(f"RANK={rank}", "WORLD_SIZE=3"))
        done = self.merge("rank-0.gpuprof", "rank-2.gpuprof")
        job = self.report()["job"]
        self.assertEqual([(rank["rank"], rank["host"]) for rank in job["ranks"]], [(0, "node1"), (2, "node2")])
        self.assertEqual(job["missing"], [1])
        self.assertIn("job.missing_ranks", self.notices())
        self.assertIn("rank 1 of 3", done.stderr)
        # The clocks are spoken of once.
        self.assertEqual([code for code in self.notices() if "clocks" in code], ["job.host_clocks"])

    def test_one_host_keeps_the_names(self):
        self.session("a.gpuprof", pid=100)
        self.session("b.gpuprof", pid=200)
        self.merge("a.gpuprof", "b.gpuprof")
        self.assertEqual(self.traces(), ["100-1.trace", "200-1.trace"])
        self.assertNotIn("hosts.clocks", self.notices())

    def test_a_directory_of_sessions_in_the_order_of_ranks(self):
        for rank in (0, 1, 2, 10, 11):
            self.session(f"shared/rank-{rank}.gpuprof", f"node{rank}")
        (self.directory / "shared" / "rank-3.gpuprof").mkdir()
        (self.directory / "shared" / "logs").mkdir()
        self.merge("shared", output="shared/all.gpuprof")
        self.assertEqual([m["name"] for m in self.record("shared/all.gpuprof")["members"]],
                         [f"rank-{rank}.gpuprof" for rank in (0, 1, 2, 10, 11)])
        self.assertIn("rank-3.gpuprof", self.notices("shared/all.gpuprof")["members.skipped"])
        self.assertNotIn("logs", self.notices("shared/all.gpuprof")["members.skipped"])
        # Again, with the merged session among them.
        self.assert_status(self.gpuprof("merge", "shared", "-o", "shared/all.gpuprof", "-f"), 0)
        self.assertEqual(len(self.record("shared/all.gpuprof")["members"]), 5)

    def test_members_that_failed_are_named(self):
        self.session("a.gpuprof", "node1", wall_s=30)
        self.session("b.gpuprof", "node2", code=3)
        self.session("c.gpuprof", "node3", stages=[
            {"name": "timeline", "pid": 9, "end": {"kind": "signalled", "code": 9}, "wall_time_ns": 1}])
        self.session("d.gpuprof", "node4", stages=[])
        self.merge("a.gpuprof", "b.gpuprof", "c.gpuprof", "d.gpuprof")
        report = self.report()
        self.assertEqual(report["stages"][0]["end"], {"kind": "exited", "code": 3})
        self.assertEqual(report["totals"]["wall_time_ns"], 30_000_000_000)
        failed = self.notices()["members.failed"]
        self.assertIn("2 of 4 members", failed)
        self.assertIn("b.gpuprof on node2 exited with status 3", failed)
        self.assertIn("c.gpuprof on node3 was killed by SIGKILL", failed)
        self.assertIn("d.gpuprof on node4", self.notices()["members.unfinished"])
        ends = {process["host"] or name: process["end"] for name, process in zip(self.traces(), report["processes"])}
        self.assertIn({"kind": "exited", "code": 3}, list(ends.values()), "the launcher's knowledge of its child is kept")

    def test_differences_are_told(self):
        self.session("a.gpuprof", "node1")
        self.session("b.gpuprof", "node2", command=["other"], generator_version="0.0.9", at=3600)
        self.merge("a.gpuprof", "b.gpuprof")
        notices = self.notices()
        for code in ("members.commands", "members.versions", "members.apart"):
            self.assertIn("b.gpuprof", notices[code])
        self.assertEqual(self.report()["recorded_at"], utc(RECORDED_AT))

    def test_nothing_is_counted_twice(self):
        self.session("a.gpuprof", "node1")
        shutil.copytree(self.directory / "a.gpuprof", self.directory / "copy.gpuprof")
        (self.directory / "link.gpuprof").symlink_to("a.gpuprof")
        self.session("b.gpuprof", "node2")
        self.merge("a.gpuprof", "a.gpuprof/", "link.gpuprof", "copy.gpuprof", "b.gpuprof")
        self.assertEqual(self.report()["ledger"]["kernels"]["launched"], 20)
        self.assertIn("1 trace was in several members", self.notices()["members.duplicates"])
        self.assertEqual([m["duplicates"] for m in self.record()["members"]], [0, 1, 0])

    def test_of_two_copies_the_longer_one_counts(self):
        self.session("a.gpuprof", "node1")
        shutil.copytree(self.directory / "a.gpuprof", self.directory / "copy.gpuprof")
        trace = self.directory / "a.gpuprof" / "timeline" / "100-1.trace"
        trace.write_bytes(trace.read_bytes()[:-40])
        self.merge("a.gpuprof", "copy.gpuprof")
        self.assertFalse(self.report()["processes"][0]["truncated"])

    def test_merged_sessions_merge_again(self):
        for number in range(4):
            self.session(f"{number}.gpuprof", f"node{number}", code=number)
        self.merge("0.gpuprof", "1.gpuprof", output="01.gpuprof")
        self.merge("2.gpuprof", "3.gpuprof", output="23.gpuprof")
        self.merge("01.gpuprof", "23.gpuprof")
        self.assertEqual(self.traces(), [f"node{number}-100-1.trace" for number in range(4)])
        self.assertEqual([m["name"] for m in self.record()["members"]], [f"{number}.gpuprof" for number in range(4)])
        self.assertIn("3 of 4 members", self.notices()["members.failed"])
        codes = sorted(process["end"]["code"] for process in self.report()["processes"])
        self.assertEqual(codes, [0, 1, 2, 3])

    def test_telemetry_of_every_host_comes_along(self):
        for name, host in (("a.gpuprof", "node1"), ("b.gpuprof", "node2"), ("c.gpuprof", "node2")):
            directory = self.session(name, host, pid=ord(name[0]), telemetry={"hz": 5, "failure": ""})
            (directory / "telemetry.trace").write_bytes((directory / "timeline" / f"{ord(name[0])}-1.trace").read_bytes())
        self.merge("a.gpuprof", "b.gpuprof", "c.gpuprof")
        merged = self.directory / "all.gpuprof"
        expected = ["telemetry-node1.trace", "telemetry-node2-2.trace", "telemetry-node2.trace"]
        self.assertEqual(sorted(path.name for path in merged.glob("*.trace")), expected)
        self.assertTrue(self.report()["telemetry"]["attempted"])
        self.assert_status(self.gpuprof("merge", "a.gpuprof", "b.gpuprof", "-f", "-o", "all.gpuprof"), 0)
        self.assertEqual(len(list(merged.glob("*.trace"))), 2, "-f removes the telemetry of the session before")

    def test_the_report_can_be_made_again(self):
        self.session("a.gpuprof", "node1", code=4, end="none")
        self.session("b.gpuprof", "node2", end="none")
        self.merge("a.gpuprof", "b.gpuprof")
        written = self.report()
        (self.directory / "all.gpuprof" / "report.json").unlink()
        done = self.gpuprof("report", "all.gpuprof", "--format", "json")
        self.assertEqual(json.loads(done.stdout), written)

    def test_the_default_name(self):
        self.session("a.gpuprof")
        self.assert_status(self.gpuprof("merge", "a.gpuprof", "-q"), 0)
        self.assertTrue((self.directory / "merged-1.gpuprof" / "report.json").exists())


class Refusals(MergeTest):
    def assert_nothing_written(self):
        self.assertFalse((self.directory / "all.gpuprof").exists())

    def test_what_is_no_session(self):
        (self.directory / "empty").mkdir()
        for member, text in (("missing", "does not exist"), ("collector.so", "is not a directory"),
                             ("empty", "is not a session and contains none")):
            with self.subTest(member=member):
                self.assert_error(self.merge(member, status=2), 2, member, text)
        self.assert_nothing_written()
        self.assert_status(self.gpuprof("merge"), 2)

    def test_the_output_is_no_member(self):
        self.session("a.gpuprof")
        done = self.gpuprof("merge", "a.gpuprof", "-o", "./a.gpuprof/", "-f")
        self.assert_error(done, 2, "both a member and the merged session")
        self.assertTrue((self.directory / "a.gpuprof" / "session.json").exists())

    def test_an_existing_output(self):
        self.session("a.gpuprof")
        (self.directory / "all.gpuprof").mkdir()
        (self.directory / "all.gpuprof" / "thesis.txt").write_text("years of work\n")
        self.assert_error(self.merge("a.gpuprof", status=2), 2, "exists already")
        done = self.gpuprof("merge", "a.gpuprof", "-o", "all.gpuprof", "-f")
        self.assert_error(done, 2, "neither empty nor a gpuprof session")
        self.assertEqual(os.listdir(self.directory / "all.gpuprof"), ["thesis.txt"])

    def test_records_that_cannot_be_read(self):
        self.session("good.gpuprof")
        newer = self.session("newer.gpuprof", schema="gpuprof.session/2")
        self.assert_error(self.merge("good.gpuprof", "newer.gpuprof", status=1), 1, "gpuprof.session/2", str(newer))
        torn = self.session("torn.gpuprof")
        (torn / "session.json").write_text('{"schema": "gpuprof.session/1"')
        self.assert_error(self.merge("torn.gpuprof", status=1), 1, "torn.gpuprof/session.json")
        only_report = self.session("report.gpuprof")
        (only_report / "session.json").unlink()
        (only_report / "report.json").write_text('{"schema": "gpuprof.report/1"}')
        self.assert_error(self.merge("report.gpuprof", status=1), 1, "has no session.json")
        for key, value in (("members", 7), ("ends", [{}]), ("stages", [7]), ("recorded_at", 5)):
            self.session(f"{key}.gpuprof", **{key: value})
            self.assert_error(self.merge(f"{key}.gpuprof", status=1), 1, "is not a gpuprof session record")
        self.assert_nothing_written()

    def test_traces_that_cannot_be_read_are_kept_and_told(self):
        session = self.session("a.gpuprof")
        data = (session / "timeline" / "100-1.trace").read_bytes()
        (session / "timeline" / "7-1.trace").write_bytes(data[:8] + (99).to_bytes(4, "little") + data[12:])
        (session / "timeline" / "8-1.trace").write_bytes(b"")
        (session / "timeline" / "9-1.trace").write_bytes(b"no trace at all, whatever its name says")
        self.merge("a.gpuprof")
        self.assertEqual(len(self.traces()), 4)
        codes = [notice["code"] for notice in self.report()["notices"]]
        self.assertGreaterEqual(codes.count("trace.unreadable"), 2, codes)
        self.assertEqual(self.report()["ledger"]["kernels"]["launched"], 10)

    def test_names_that_lead_elsewhere(self):
        self.session("a.gpuprof", host="../../../tmp/evil")
        self.session("b.gpuprof", host="")
        self.session("c.gpuprof", host="-rf $(x)\n\x1b[31m", telemetry={"hz": 5, "failure": ""})
        done = self.merge("a.gpuprof", "b.gpuprof", "c.gpuprof")
        self.assertNotIn("\x1b", done.stderr)
        self.assertEqual(len(self.traces()), 3)
        for name in self.traces():
            self.assertRegex(name, r"^[A-Za-z0-9_][A-Za-z0-9._-]*\.trace$")
        evil = self.session("evil.gpuprof", members=[{
            "name": "m", "host": "h", "command": [], "recorded_at": "", "generator_version": "", "driver_version": "",
            "end": {"kind": "exited", "code": 0}, "wall_time_ns": 0, "traces": 1, "duplicates": 0,
            "telemetry_trace": "../a.gpuprof/session.json", "telemetry": {"hz": 1, "failure": ""}}])
        self.merge(evil, output="evil-all.gpuprof")
        self.assertFalse(list((self.directory / "evil-all.gpuprof").glob("telemetry*")))

    def test_a_read_only_place(self):
        self.session("a.gpuprof")
        done = self.gpuprof("merge", "a.gpuprof", "-o", "/proc/all.gpuprof")
        self.assert_error(done, 1, "cannot create the session directory")


class Size(MergeTest):
    def merge_memory(self, *arguments):
        """Seconds and peak kilobytes of one merge."""
        started = time.monotonic()
        pid = os.spawnve(os.P_NOWAIT, str(GPUPROF), ["gpuprof", "merge", "-q", *map(str, arguments)], self.environment)
        _, status, usage = os.wait4(pid, 0)
        self.assertEqual(status, 0)
        return time.monotonic() - started, usage.ru_maxrss

    def test_two_hundred_sessions(self):
        few, many = self.directory / "few", self.directory / "many"
        for rank in range(200):
            self.session(f"many/rank-{rank}.gpuprof", f"node{rank // 8}", pid=1000 + rank, kernels=2000)
        few.mkdir()
        for rank in range(20):
            (few / f"rank-{rank}.gpuprof").symlink_to(many / f"rank-{rank}.gpuprof")
        few_s, few_kb = self.merge_memory(few, "-o", self.directory / "few.gpuprof")
        many_s, many_kb = self.merge_memory(many, "-o", self.directory / "many.gpuprof")
        print(f"20 sessions: {few_s:.2f} s, {few_kb} KB; 200 sessions: {many_s:.2f} s, {many_kb} KB", flush=True)
        report = self.report("many.gpuprof")
        self.assertEqual(report["ledger"]["kernels"]["launched"], 400_000)
        self.assertEqual(report["stages"][0]["processes"], 200)
        self.assertIn("25 hosts", self.notices("many.gpuprof")["hosts.clocks"])
        if not os.environ.get("GPUPROF_SANITIZE"):
            # A record, a trace's head and a row of the report for each session, but none of its kernels.
            self.assertLess(many_kb - few_kb, 180 * 100)
            self.assertLess(many_kb, 64 * 1024)


if __name__ == "__main__":
    main()
