# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""gpuprof metrics with the real libcupti, which needs no GPU."""

import json
import os

from harness import CommandLineTest, main, skip


class Metrics(CommandLineTest):
    def metrics(self, *options):
        done = self.gpuprof("metrics", "--format", "json", *options)
        self.assert_status(done, 0)
        document = json.loads(done.stdout)
        self.assertEqual(document["schema"], "gpuprof.metrics/1")
        return document

    def test_without_a_chip_the_chips_are_listed(self):
        document = self.metrics()
        self.assertEqual(document["chip"], "GH100")
        self.assertIn("GH100", document["chips"])
        self.assertIn("TU102", document["chips"])

    def test_the_groups_of_the_tiers_take_one_pass(self):
        for chip in ("GH100", "TU102", "AD102"):
            tiers = self.metrics("--chip", chip)["tiers"]
            self.assertEqual([tier["name"] for tier in tiers], ["quick"])
            for group in tiers[0]["groups"]:
                self.assertEqual(group["passes"], 1, (chip, group))
                for metric in group["metrics"]:
                    self.assertTrue(metric["available"], (chip, metric))
                    self.assertTrue(metric["meaning"], metric)

    def test_all_lists_cuptis_base_metrics(self):
        metrics = self.metrics("--chip", "GH100", "--all")["base_metrics"]
        self.assertGreater(len(metrics), 1000)
        self.assertEqual({metric["kind"] for metric in metrics}, {"counter", "ratio", "throughput"})
        self.assertIn("dram__bytes", {metric["name"] for metric in metrics})

    def test_text_names_metrics_units_and_passes(self):
        done = self.gpuprof("metrics", "--chip", "GH100", "--tier", "quick")
        self.assert_status(done, 0)
        self.assertRegex(done.stdout, r"dram__bytes\.sum +bytes +Bytes read from and written to device memory")
        self.assertIn("group 1 (1 pass)", done.stdout)

    def test_unknown_names_are_refused_with_what_there_is(self):
        self.assert_error(self.gpuprof("metrics", "--chip", "GH10"), 1, "GH10", "GH100")
        self.assert_error(self.gpuprof("metrics", "--tier", "fast"), 2, "fast", "quick")


def reason_to_skip():
    """Why libcupti cannot be used here, or None. Any other failure is left for the tests to find."""
    if "address" in os.environ.get("GPUPROF_SANITIZE", ""):
        return "libcupti opens libnvperf_host.so with RTLD_DEEPBIND, at which AddressSanitizer ends the process"
    probe = CommandLineTest()
    probe.setUp()
    answer = probe.gpuprof("metrics")
    probe.doCleanups()
    return answer.stderr.strip() if answer.returncode == 1 and "CUPTI" in answer.stderr else None


if __name__ == "__main__":
    if reason := reason_to_skip():
        skip(reason)
    main()
