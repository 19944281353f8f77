# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""gpuprof doctor on this machine, whatever it is, and with troubles made on purpose."""

import json
import os

from harness import BINARY_DIR, CommandLineTest, main

CHECKS = ["driver", "gpu", "libcupti", "collector", "counters", "nvml", "injection", "library_path", "mps", "session"]


class Doctor(CommandLineTest):
    def examine(self, **env):
        done = self.gpuprof("doctor", "--format", "json", env=env)
        document = json.loads(done.stdout)
        self.assertEqual(document["schema"], "gpuprof.doctor/1")
        checks = {check["id"]: check for check in document["checks"]}
        self.assertEqual(list(checks), CHECKS)
        problems = [check for check in checks.values() if check["status"] == "problem"]
        self.assertEqual(document["ok"], not problems)
        self.assert_status(done, 1 if problems else 0)
        for check in checks.values():
            self.assertTrue(check["found"], check)
            if check["status"] in ("problem", "warning"):
                self.assertTrue(check["fix"], check)
        return checks

    def test_text_shows_every_check_and_the_fixes(self):
        done = self.gpuprof("doctor")
        checks = self.examine()
        for check in checks.values():
            self.assertRegex(done.stdout, rf"(?m)^{check['status']} +{check['title']}: ")
            if check["fix"]:
                self.assertIn(f"fix: {check['fix']}", done.stdout)
        self.assertEqual(done.stderr, "")

    def test_without_a_driver_the_first_check_says_what_to_install(self):
        if os.path.exists("/proc/driver/nvidia/version"):
            self.skipTest("this machine has an NVIDIA driver")
        checks = self.examine()
        self.assertEqual(checks["driver"]["status"], "problem")
        self.assertIn("driver", checks["driver"]["fix"])
        self.assertEqual(checks["gpu"]["status"], "not applicable")
        self.assertEqual(checks["counters"]["status"], "not applicable")

    def test_the_collector_of_the_build_can_be_loaded(self):
        built = BINARY_DIR / "lib" / "gpuprof" / "libgpuprof_collector.so"
        if not built.exists():
            self.skipTest("this build has no collector")
        if os.environ.get("GPUPROF_SANITIZE"):
            self.skipTest("the collector of a sanitizer build cannot be loaded into other programs")
        del self.environment["GPUPROF_COLLECTOR"]
        check = self.examine()["collector"]
        self.assertEqual((check["status"], check["found"]), ("ok", str(built)))

    def test_a_collector_that_cannot_be_loaded(self):
        check = self.examine()["collector"]
        self.assertEqual(check["status"], "problem")
        self.assertIn("file too short", check["found"])
        missing = self.examine(GPUPROF_COLLECTOR="/no/such/file.so")["collector"]
        self.assertIn("/no/such/file.so", missing["found"])

    def test_another_tools_injection(self):
        self.assertEqual(self.examine()["injection"]["status"], "ok")
        check = self.examine(CUDA_INJECTION64_PATH="/opt/nsys/libToolsInjection64.so")["injection"]
        self.assertEqual(check["status"], "problem")
        self.assertIn("/opt/nsys/libToolsInjection64.so", check["found"])

    def test_stub_libraries_in_the_library_path(self):
        check = self.examine(LD_LIBRARY_PATH="/x:/nonexistent/lib64/stubs")["library_path"]
        self.assertEqual(check["status"], "problem")
        self.assertIn("/nonexistent/lib64/stubs", check["found"])

    def test_a_running_multi_process_service(self):
        (self.directory / "control").touch()
        self.assertEqual(self.examine(CUDA_MPS_PIPE_DIRECTORY=str(self.directory))["mps"]["status"], "warning")

    def test_nothing_is_left_in_the_working_directory(self):
        self.examine()
        self.assertEqual(os.listdir(self.directory), ["collector.so"])


if __name__ == "__main__":
    main()
