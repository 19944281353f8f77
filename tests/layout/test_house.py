# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""House rules that a script can check: licence headers, file length, no unfinished work."""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ.get("GPUPROF_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
FOLDERS = ["src", "include", "tests", "examples", "bench", "cmake", "scripts", "web/src"]
SUFFIXES = {".hpp", ".cpp", ".h", ".cu", ".cuh", ".py", ".sh", ".cmake", ".proto", ".ts"}
GENERATED = ["tests/golden", "examples/recorded"]
MOST_LINES = 600
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
HEADER = ["SPDX-FileCopyrightText: the gpuprof authors", "SPDX-License-Identifier: Apache-2.0"]


def source_files():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            relative = path.relative_to(ROOT)
            if any(relative.is_relative_to(generated) for generated in GENERATED):
                continue
            if path.is_file() and (path.suffix in SUFFIXES or path.name == "CMakeLists.txt"):
                yield relative
    yield pathlib.Path("CMakeLists.txt")


def problems_of(relative):
    lines = (ROOT / relative).read_text(encoding="utf-8").splitlines()
    first = lines[1:3] if lines and lines[0].startswith("#!") else lines[:2]
    if len(first) < 2 or not all(line.endswith(text) for line, text in zip(first, HEADER)):
        yield f"{relative}:1: the file must begin with the two SPDX lines"
    if len(lines) > MOST_LINES:
        yield f"{relative}:{MOST_LINES}: {len(lines)} lines are more than {MOST_LINES}: split the file by purpose"
    for number, line in enumerate(lines, 1):
        if UNFINISHED.search(line):
            yield f"{relative}:{number}: unfinished: {line.strip()}"


def main():
    files = list(source_files())
    problems = [problem for relative in files for problem in problems_of(relative)]
    print("\n".join(problems) if problems else f"{len(files)} files keep the house rules")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
