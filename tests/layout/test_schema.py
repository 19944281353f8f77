# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Validates every stored report against docs/report.schema.json with a second JSON Schema implementation.

Readers ignore unknown fields, so the published schema allows them. What gpuprof itself writes must be documented: the
same schema closed to unknown fields has to hold too.
"""
import copy
import json
import os
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed (apt-get install python3-jsonschema)")
    sys.exit(77)

ROOT = pathlib.Path(os.environ.get("GPUPROF_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
FOLDERS = [ROOT / "tests/golden", ROOT / "examples/recorded"]


def closed(schema):
    """The schema with every object that lists its properties closed to others."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if result.get("type") == "object" and "properties" in result:
        result["additionalProperties"] = False
    return result


def refuse_constant(text):
    raise ValueError(f"{text} is not JSON")


def problems_of(path, validators):
    try:
        document = json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse_constant)
    except ValueError as error:
        return [f"{path}: {error}"]
    found = []
    for validator in validators:
        for error in validator.iter_errors(document):
            place = "/".join(str(step) for step in error.absolute_path)
            found.append(f"{path}: at /{place}: {error.message[:300]}")
    return found


def mutations(document, required):
    """Documents that must not validate: the schema has to catch each."""
    for field in required:
        broken = copy.deepcopy(document)
        del broken[field]
        yield f"without {field}", broken
    broken = copy.deepcopy(document)
    broken["schema"] = "gpuprof.report/2"
    yield "another version", broken
    if document.get("kernels"):
        for field, value in [("launches", -1), ("share", "0.5"), ("selected", 1), ("counters", [])]:
            broken = copy.deepcopy(document)
            broken["kernels"][0][field] = value
            yield f"kernels[0].{field} = {value!r}", broken


def main():
    schema = json.loads((ROOT / "docs/report.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    published = jsonschema.Draft7Validator(schema)
    validators = [published, jsonschema.Draft7Validator(closed(schema))]
    reports = sorted(path for folder in FOLDERS if folder.is_dir() for path in folder.rglob("report*.json"))
    if not reports:
        print("no report.json found below", *FOLDERS)
        return 1
    problems = [problem for path in reports for problem in problems_of(path, validators)]
    if not problems:
        for path in reports:
            for name, broken in mutations(json.loads(path.read_text(encoding="utf-8")), schema["required"]):
                if published.is_valid(broken):
                    problems.append(f"{path}: the schema accepts the report {name}")
    print("\n".join(problems) if problems else f"{len(reports)} reports are valid")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
