# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""What the benches share: where things are, running a command with its times, sessions, and tables."""

import argparse
import glob
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

SOURCE_DIR = Path(__file__).resolve().parent.parent
EXAMPLES_DIR = SOURCE_DIR / "examples"


@dataclass
class Build:
    """A build directory of gpuprof."""

    directory: Path

    @property
    def gpuprof(self):
        return self.directory / "bin" / "gpuprof"

    @property
    def bare_client(self):
        return self.directory / "bench" / "bare_client.so"

    def example(self, name):
        path = self.directory / "examples" / name
        if not path.exists():
            sys.exit(f"{path} does not exist; configure with -DGPUPROF_BUILD_EXAMPLES=ON and build it")
        return str(path)


@dataclass
class Run:
    """A command that has ended. CPU time is that of the command and all its children."""

    status: int
    wall_s: float
    cpu_s: float
    stdout: str
    stderr: str

    def require_success(self, what):
        if self.status != 0:
            sys.exit(f"{what} failed with status {self.status}:\n{self.stdout[-2000:]}{self.stderr[-4000:]}")
        return self


def parser(description):
    """A command-line parser with the flags that every bench has."""
    result = argparse.ArgumentParser(description=description)
    result.add_argument("--build", type=Path, metavar="DIR",
                        default=Path(os.environ.get("GPUPROF_BINARY_DIR", SOURCE_DIR / "build" / "release")),
                        help="gpuprof's build directory (default $GPUPROF_BINARY_DIR or build/release)")
    result.add_argument("--work", type=Path, default=SOURCE_DIR / "build" / "bench-work", metavar="DIR",
                        help="directory for sessions and traces (default build/bench-work)")
    result.add_argument("-o", "--output", type=Path, metavar="NAME", help="write NAME.md and NAME.json as well")
    return result


def prepare(arguments):
    """Checks the build and makes the work directory; returns the build."""
    build = Build(arguments.build.resolve())
    if not build.gpuprof.exists():
        sys.exit(f"{build.gpuprof} does not exist; build gpuprof first, or name its build directory with --build")
    arguments.work.mkdir(parents=True, exist_ok=True)
    return build


def run(command, environment=None, timeout_s=900):
    """Runs a command to its end. A command that outlasts `timeout_s` ends the bench."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    try:
        done = subprocess.run([str(word) for word in command], env={**os.environ, **(environment or {})},
                              capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
                              timeout=timeout_s, check=False)
    except subprocess.TimeoutExpired:
        sys.exit(f"no end after {timeout_s} s: {' '.join(str(word) for word in command)}")
    wall_s = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(done.returncode, wall_s, cpu_s, done.stdout, done.stderr)


def find_nsys():
    places = sorted(glob.glob("/opt/nvidia/nsight-systems/*/bin/nsys")
                    + glob.glob("/opt/nvidia/nsight-compute/*/host/target-linux-x64/nsys"))
    return shutil.which("nsys") or (places[-1] if places else None)


def read_report(session):
    with open(Path(session) / "report.json", encoding="utf-8") as file:
        return json.load(file)


def markdown_table(headers, rows):
    """A Markdown table with aligned columns; None becomes a dash."""
    cells = [[("–" if cell is None else str(cell)).replace("|", "\\|") for cell in row] for row in [headers, *rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(headers))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in cells]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def publish(arguments, markdown, document):
    """Prints the result and writes it to the files that -o asks for."""
    print(markdown, flush=True)
    if arguments.output:
        arguments.output.parent.mkdir(parents=True, exist_ok=True)
        Path(f"{arguments.output}.md").write_text(markdown + "\n", encoding="utf-8")
        Path(f"{arguments.output}.json").write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def median_ratio(values, base):
    """Median of the ratios of values measured in the same repeat; None when there is no complete pair."""
    ratios = [value / reference for value, reference in zip(values, base) if value is not None and reference]
    return statistics.median(ratios) if ratios else None


def number(value, digits=2, suffix=""):
    return None if value is None else f"{value:.{digits}f}{suffix}"
