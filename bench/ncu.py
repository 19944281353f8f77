# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Runs Nsight Compute's command line and reads its CSV output (--csv --page raw)."""

import csv
import glob
import re
import shutil
from dataclasses import dataclass

import measure


@dataclass(frozen=True)
class Launch:
    """One profiled launch. Values are in ncu's base units; a metric without a number is absent.

    `steps` holds, for each value, the size of its last printed digit: ncu rounds some metrics to two decimals.
    """

    name: str  # mangled
    grid: tuple
    block: tuple
    values: dict
    steps: dict


def find():
    places = sorted(glob.glob("/opt/nvidia/nsight-compute/*/ncu")) + ["/usr/local/cuda/bin/ncu"]
    return shutil.which("ncu") or next((place for place in reversed(places) if shutil.which(place)), None)


def profile(ncu, names, metrics, skip, count, command, log):
    """Profiles `count` launches of the kernels with the mangled `names`, after the first `skip` of them.

    Caches and clocks are left alone, and the program is ended once the launches are measured. Returns the launches and
    ncu's output, for messages.
    """
    expression = "|".join(re.escape(name) for name in names)
    done = measure.run([ncu, "--clock-control", "none", "--cache-control", "none", "--metrics", ",".join(metrics),
                        "--csv", "--page", "raw", "--print-units", "base", "--print-kernel-base", "mangled",
                        "--kernel-name-base", "mangled", "-k", f"regex:^({expression})$", "-s", skip, "-c", count,
                        "--kill", "yes", "--target-processes", "all", "--log-file", log, *command])
    text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    return parse(text), text + done.stderr


def parse(text):
    """The launches in ncu's output: messages, a header line, a line of units, then one line a launch."""
    lines = text.splitlines()
    header = next((index for index, line in enumerate(lines) if line.startswith('"ID",')), None)
    if header is None:
        return []
    launches = []
    for row in csv.DictReader(lines[header:]):
        if not (row.get("ID") or "").strip().isdigit():  # the line of units, or a message after the table
            continue
        values, steps = {}, {}
        for column, cell in row.items():
            value = _number(cell)
            if isinstance(column, str) and "__" in column and value is not None:
                values[column] = value
                decimals = cell.strip().partition(".")[2]
                steps[column] = 10.0 ** -len(decimals)
        launches.append(Launch(row.get("Kernel Name") or "", _dimensions(row.get("Grid Size")),
                               _dimensions(row.get("Block Size")), values, steps))
    return launches


def _number(cell):
    try:
        return float(cell.replace(",", "").split(" ")[0])
    except (AttributeError, ValueError):
        return None


def _dimensions(cell):
    """(x, y, z) of "(128, 1, 1)" or "128,1,1"."""
    return tuple(int(word) for word in re.findall(r"\d+", cell or ""))
