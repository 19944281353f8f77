# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""gpuprof report and gpuprof kernels on stored reports."""

import csv
import io
import json
import os
import shutil

from harness import GOLDEN, CommandLineTest, main


class StoredReports(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.file = GOLDEN / "training" / "report.json"

    def put_session(self, name, age_s=0):
        session = self.directory / name
        session.mkdir()
        shutil.copyfile(self.file, session / "report.json")
        moment = 1_800_000_000 - age_s
        os.utime(session / "report.json", (moment, moment))

    def test_json_in_json_out(self):
        done = self.gpuprof("report", str(self.file), "--format", "json")
        self.assert_status(done, 0)
        self.assertEqual(json.loads(done.stdout), json.loads(self.file.read_text(encoding="utf-8")))

    def test_text_follows_the_width_and_has_no_colour_in_a_pipe(self):
        for width in (80, 120):
            done = self.gpuprof("report", str(self.file), env={"COLUMNS": str(width)})
            self.assert_status(done, 0)
            self.assertEqual(done.stdout, (GOLDEN / "training" / f"text-{width}.txt").read_text(encoding="utf-8"))

    def test_colour_on_request_and_by_convention(self):
        for options, env, colour in ((["--color", "always"], {}, True), (["--color", "never"], {"FORCE_COLOR": "1"}, False),
                                     ([], {"CLICOLOR_FORCE": "1"}, True), ([], {}, False),
                                     ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)):
            with self.subTest(options=options, env=env):
                done = self.gpuprof("report", str(self.file), *options, env=env)
                self.assertEqual("\x1b[" in done.stdout, colour)

    def test_output_goes_to_a_file(self):
        done = self.gpuprof("report", str(self.file), "--format", "json", "-o", "copy.json")
        self.assert_status(done, 0)
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        self.assertEqual(json.loads((self.directory / "copy.json").read_text(encoding="utf-8")),
                         json.loads(self.file.read_text(encoding="utf-8")))
        self.assert_status(self.gpuprof("report", str(self.file), "-o", "-"), 0)
        self.assert_error(self.gpuprof("report", str(self.file), "-o", "no/such/file"), 1, "no/such/file")

    def test_the_newest_session_is_taken_and_named(self):
        self.put_session("older.gpuprof", age_s=60)
        self.put_session("newer.gpuprof")
        done = self.gpuprof("kernels")
        self.assert_status(done, 0)
        self.assertEqual(done.stderr, "gpuprof: newest session here: newer.gpuprof\n")
        self.assertEqual(self.gpuprof("kernels", "older.gpuprof").stderr, "")

    def test_kernels_in_three_formats(self):
        count = len(json.loads(self.file.read_text(encoding="utf-8"))["kernels"])
        document = json.loads(self.gpuprof("kernels", str(self.file), "--top", "0", "--format", "json").stdout)
        self.assertEqual(document["schema"], "gpuprof.kernels/1")
        self.assertEqual(len(document["kernels"]), count)
        rows = list(csv.reader(io.StringIO(self.gpuprof("kernels", str(self.file), "--top", "2", "--format", "csv").stdout)))
        self.assertEqual(len(rows), 3)
        self.assert_status(self.gpuprof("kernels", str(self.file), "--top", "2"), 0)

    def test_tables_as_csv(self):
        file = GOLDEN / "one_gpu" / "report.json"
        report = json.loads(file.read_text(encoding="utf-8"))
        for table in ("kernels", "copies", "ranges"):
            done = self.gpuprof("report", str(file), "--format", "csv", "--table", table, env={"LC_ALL": "de_DE.UTF-8"})
            self.assert_status(done, 0)
            self.assertEqual(done.stdout, (GOLDEN / "one_gpu" / f"{table}.csv").read_text(encoding="utf-8"))
            rows = list(csv.DictReader(io.StringIO(done.stdout)))
            self.assertEqual([int(row["time_sum_ns"]) for row in rows], [row["time_ns"]["sum"] for row in report[table]])
        self.assertEqual(self.gpuprof("report", str(file), "--format", "csv").stdout,
                         (GOLDEN / "one_gpu" / "kernels.csv").read_text(encoding="utf-8"))
        self.assert_error(self.gpuprof("report", str(file), "--format", "csv", "--table", "steps"), 2)

    def test_kernels_are_sorted_as_asked(self):
        def order(key):
            done = self.gpuprof("kernels", str(self.file), "--top", "0", "--sort", key, "--format", "json")
            self.assert_status(done, 0)
            return json.loads(done.stdout)["kernels"]

        for key, value in (("time", lambda kernel: kernel["time_ns"]["sum"]), ("launches", lambda kernel: kernel["launches"]),
                           ("mean", lambda kernel: kernel["time_ns"]["mean"])):
            values = [value(kernel) for kernel in order(key)]
            self.assertEqual(values, sorted(values, reverse=True), key)

    def test_reports_that_cannot_be_read(self):
        newer = json.loads(self.file.read_text(encoding="utf-8"))
        newer["schema"] = "gpuprof.report/2"
        (self.directory / "newer.json").write_text(json.dumps(newer))
        (self.directory / "foreign.json").write_text("{\"traceEvents\": []}")
        (self.directory / "torn.json").write_bytes(self.file.read_bytes()[:100])
        for command in ("report", "kernels"):
            self.assert_error(self.gpuprof(command, "newer.json"), 1, "newer.json", "gpuprof.report/2")
            self.assert_error(self.gpuprof(command, "foreign.json"), 1, "foreign.json")
            self.assert_error(self.gpuprof(command, "torn.json"), 1, "torn.json")
            self.assert_error(self.gpuprof(command, "."), 1, "holds neither report.json nor session.json")
            self.assert_error(self.gpuprof(command, "missing.gpuprof"), 2, "missing.gpuprof")
            self.assert_error(self.gpuprof(command), 2, "no session", "gpuprof run")

    def test_wrong_options(self):
        for arguments in (["report", "--format", "yaml"], ["kernels", "--sort", "name"], ["kernels", "--top", "x"],
                          ["kernels", "a", "b"]):
            self.assert_error(self.gpuprof(*arguments), 2)

    def test_a_full_disk_is_an_error(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = self.gpuprof("report", str(self.file), capture_output=False, stdout=full, stderr=-1)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write to standard output", done.stderr)


if __name__ == "__main__":
    main()
