# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""The collector is a guest in other people's processes: what it exports, needs and resolves is checked."""

import re
import subprocess
import unittest

import harness

ALLOWED_EXPORTS = {"InitializeInjection", "InitializeInjectionNvtx", "InitializeInjectionNvtx2"}
NEEDED = {"libc.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
GLIBC_FLOOR = (2, 35)


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class SymbolTest(unittest.TestCase):
    @unittest.skipIf(harness.SANITIZED, "instrumented builds export the sanitizer's symbols")
    def test_the_entry_points_are_all_it_exports(self):
        lines = output_of("nm", "-D", "--defined-only", str(harness.COLLECTOR)).splitlines()
        self.assertEqual({line.split()[-1].split("@")[0] for line in lines}, ALLOWED_EXPORTS)

    def test_nothing_of_the_driver_or_of_cupti_is_undefined(self):
        lines = output_of("nm", "-D", "--undefined-only", str(harness.COLLECTOR)).splitlines()
        names = [line.split()[-1].split("@")[0] for line in lines]
        self.assertEqual([name for name in names if re.match(r"(cu|cuda|cupti|nv)[A-Z]|nv_|nvtx", name)], [])

    @unittest.skipIf(harness.SANITIZED, "instrumented builds link the sanitizer's runtime")
    def test_it_needs_only_libc(self):
        lines = output_of("objdump", "-p", str(harness.COLLECTOR)).splitlines()
        needed = {line.split()[1] for line in lines if line.strip().startswith("NEEDED")}
        self.assertLessEqual(needed, NEEDED)
        self.assertIn("libc.so.6", needed)

    @unittest.skipIf(harness.SANITIZED, "instrumented builds link the sanitizer's runtime")
    def test_the_glibc_floor(self):
        table = output_of("objdump", "-T", str(harness.COLLECTOR))
        versions = {tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_(\d+\.\d+)", table)}
        self.assertTrue(versions)
        too_new = [line for line in table.splitlines()
                   if (found := re.search(r"GLIBC_(\d+)\.(\d+)", line))
                   and (int(found.group(1)), int(found.group(2))) > GLIBC_FLOOR]
        self.assertEqual(too_new, [])

    @unittest.skipIf(harness.SANITIZED, "instrumented builds link the sanitizer's runtime")
    def test_no_libstdcxx_of_the_program_is_touched(self):
        table = output_of("objdump", "-T", str(harness.COLLECTOR))
        self.assertNotRegex(table, r"GLIBCXX_|CXXABI_")


if __name__ == "__main__":
    harness.main()
