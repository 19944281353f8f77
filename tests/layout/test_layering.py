# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Includes point down: reads every #include of src/ and include/ and fails on an upward or sideways one."""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ.get("GPUPROF_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))

# What each folder of src/ may include besides itself. Peers (target, timeline, counters, render, export,
# telemetry, cupti) do not include
# one another.
BELOW = {
    "base": set(),
    "model": {"base"},
    "trace": {"base"},
    "cupti": {"base"},
    "target": {"base", "model", "trace"},
    "timeline": {"base", "model", "trace"},
    "counters": {"base", "model", "trace"},
    "render": {"base", "model"},
    "export": {"base", "model", "trace"},
    "telemetry": {"base", "model", "trace"},
    "workflow": {"base", "model", "trace", "cupti", "target", "timeline", "counters", "render", "export", "telemetry"},
    "cli": {"base", "model", "trace", "cupti", "target", "timeline", "counters", "render", "export", "telemetry", "workflow"},
    "collector": {"base", "trace", "cupti"},
}
# The contracts in include/gpuprof/ that the collector's layers may use; the other layers may use all of them.
CONTRACTS = {
    "base": set(),
    "cupti": {"kernel.hpp", "trace.hpp"},
    "trace": {"kernel.hpp", "trace.hpp"},
    "collector": {"kernel.hpp", "trace.hpp"},
}
# Libraries that stay in some folders.
LIBRARIES = [
    (re.compile(r"(cupti|cuda|nvperf|generated_cuda|driver_types|vector_types)[\w.]*\.h$"), {"cupti"}, "CUDA and CUPTI"),
    (re.compile(r"nvtx3/"), {"collector"}, "NVTX"),
    (re.compile(r"CLI/"), {"cli"}, "CLI11"),
    (re.compile(r"nlohmann/"), {"model", "render", "workflow", "cli"}, "nlohmann-json"),
]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def problem_of(folder, bracket, target):
    """What is wrong with an #include in a folder of src/ (or in "include"), or None."""
    for pattern, folders, name in LIBRARIES:
        if bracket == "<" and pattern.match(target) and folder not in folders:
            return f"{name} may be included in {', '.join(sorted(folders))} only"
    if bracket == "<":
        return None
    parts = target.split("/")
    if parts[0] == "gpuprof":
        allowed = CONTRACTS.get(folder)
        if allowed is not None and parts[1] not in allowed:
            return f"{folder} may not use the contract {target}"
        return None
    if folder == "include":
        return "a contract may include other contracts only"
    if len(parts) < 2 or parts[0] not in BELOW:
        return "write the path from src/, as in \"base/error.hpp\""
    if parts[0] != folder and parts[0] not in BELOW[folder]:
        return f"{folder} may not include {parts[0]}"
    return None


def check_the_check():
    """The rules have to refuse what they are for."""
    wrong = [("base", '"', "model/report_json.hpp"), ("timeline", '"', "counters/catalog.hpp"), ("render", '"', "trace/reader.hpp"),
             ("collector", '"', "model/notice_text.hpp"), ("collector", '"', "gpuprof/report.hpp"), ("cli", "<", "cuda.h"),
             ("collector", "<", "cupti_activity.h"), ("cupti", "<", "nvtx3/nvToolsExt.h"), ("render", "<", "CLI/CLI.hpp"), ("trace", "<", "nlohmann/json.hpp"),
             ("include", '"', "base/error.hpp"), ("cli", '"', "error.hpp")]
    right = [("collector", "<", "nvtx3/nvToolsExt.h"), ("cli", "<", "CLI/CLI.hpp"), ("cupti", "<", "cupti.h"), ("workflow", '"', "cupti/host.hpp"), ("base", '"', "base/error.hpp"),
             ("trace", '"', "gpuprof/trace.hpp"), ("render", '"', "gpuprof/report.hpp"), ("base", "<", "vector")]
    return [f"the rule misjudges {case}" for case in wrong if problem_of(*case) is None] + \
           [f"the rule misjudges {case}" for case in right if problem_of(*case) is not None]


def main():
    problems = check_the_check()
    files = sorted(path for folder in ("src", "include") for path in (ROOT / folder).rglob("*") if path.suffix in (".hpp", ".cpp", ".h"))
    for path in files:
        relative = path.relative_to(ROOT)
        folder = relative.parts[1] if relative.parts[0] == "src" else "include"
        if relative.parts[0] == "src" and folder not in BELOW:
            problems.append(f"{relative}:1: src/{folder} is not in the list of layers")
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = INCLUDE.match(line)
            problem = problem_of(folder, *found.groups()) if found else None
            if problem:
                problems.append(f"{relative}:{number}: {line.strip()}: {problem}")
    if not files:
        problems.append("no source file found")
    print("\n".join(problems) if problems else f"{len(files)} files include downwards only")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
