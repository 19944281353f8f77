# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Help, the version, and what is said to mistyped commands and options."""

from harness import CommandLineTest, main

COMMANDS = ("run", "kernels", "report", "merge", "metrics", "doctor")


class Help(CommandLineTest):
    def test_help_of_the_program_names_every_command(self):
        done = self.gpuprof("--help")
        self.assert_status(done, 0)
        self.assertEqual(done.stderr, "")
        for command in COMMANDS:
            self.assertRegex(done.stdout, rf"(?m)^  {command} +[A-Z]")

    def test_help_of_every_command(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                done = self.gpuprof(command, "--help")
                self.assert_status(done, 0)
                self.assertIn(f"Usage: gpuprof {command} ", done.stdout)
                self.assertEqual(done.stderr, "")
                self.assertLessEqual(max(map(len, done.stdout.splitlines())), 120)
        self.assertIn("[--] PROGRAM [ARGUMENT]...", self.gpuprof("run", "--help").stdout)

    def test_help_is_ours_only_before_the_program(self):
        self.assertIn("Usage: gpuprof run", self.gpuprof("run", "--help", "echo").stdout)
        self.assertEqual(self.gpuprof("run", "-q", "echo", "--help", "me").stdout, "--help me\n")

    def test_version(self):
        done = self.gpuprof("--version")
        self.assert_status(done, 0)
        self.assertRegex(done.stdout, r"^gpuprof \d+\.\d+\.\d+\n$")

    def test_nothing_to_do_shows_the_help_as_an_error(self):
        done = self.gpuprof()
        self.assert_status(done, 2)
        self.assertEqual(done.stdout, "")
        self.assertIn("Usage: gpuprof", done.stderr)

    def test_mistyped_commands_and_options_get_a_suggestion(self):
        for arguments, suggestion in ((["kernel"], "Did you mean kernels?"), (["repotr"], "Did you mean report?"),
                                      (["run", "--coverige", "1", "true"], "Did you mean --coverage?"),
                                      (["kernels", "--fromat=json"], "Did you mean --format?")):
            with self.subTest(arguments=arguments):
                self.assert_error(self.gpuprof(*arguments), 2, suggestion)

    def test_what_resembles_nothing_gets_none(self):
        for arguments in (["frobnicate"], ["kernels", "--xyzzy"], ["--xyzzy"], ["doctor", "now"]):
            with self.subTest(arguments=arguments):
                done = self.gpuprof(*arguments)
                self.assert_error(done, 2, "--help")
                self.assertNotIn("Did you mean", done.stderr)


if __name__ == "__main__":
    main()
