# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
"""Reads gpuprof trace files with nothing but the published schema: a second implementation of the format.

Field numbers and types come from include/gpuprof/trace.proto. Checksums are not verified here.
"""

import re
import struct
from pathlib import Path
from types import SimpleNamespace

MAGIC = b"GPUPROF\x1a"
VERSION = 2
FILE_HEADER_BYTES = 16
FRAME_HEADER = struct.Struct("<IIQ")  # payload bytes, kind, checksum

# Frame kinds that hold one record an array position, and the list they go to.
COLUMNAR = {
    "KERNELS": "kernels",
    "API_CALLS": "api_calls",
    "COPIES": "copies",
    "SETS": "sets",
    "SYNCHRONIZATIONS": "synchronizations",
    "OVERHEADS": "overheads",
    "GRAPH_EXECUTIONS": "graph_executions",
    "JIT": "jits",
    "MEMORY_EVENTS": "memory_events",
    "MEMORY_POOL_EVENTS": "memory_pool_events",
    "UNIFIED_MEMORY": "unified_memory",
    "NVTX_EVENTS": "nvtx_events",
    "TELEMETRY_SAMPLES": "telemetry_samples",
}

# Frame kinds that hold one record, and the list they go to.
SINGLE = {
    "PROCESS_INFO": "processes",
    "CUPTI_INFO": "cupti",
    "DEVICE": "devices",
    "CLOCK_SAMPLE": "clocks",
    "LEDGER": "ledgers",
    "NOTICE": "notices",
    "PROCESS_END": "ends",
    "COUNTER_PLAN": "plans",
    "COUNTER_GROUPS": "groups",
    "COUNTER_WINDOW": "windows",
    "THREAD_NAME": "thread_names",
    "NVTX_CATEGORY": "nvtx_categories",
    "CONTEXT": "contexts",
    "STREAM": "streams",
    "CAPTURE_PHASE": "capture_phases",
    "LAUNCH_COUNTS": "launch_counts",
    "TELEMETRY_DEVICE": "telemetry_devices",
    "TELEMETRY_XID": "telemetry_xids",
}

# Messages that are not named after their frame kind.
MESSAGES = {"JIT": "Jits"}


class Schema:
    """Messages and frame kinds of a .proto file: enough of the language for trace.proto."""

    def __init__(self, path):
        text = re.sub(r"//.*", "", Path(path).read_text())
        kinds = re.search(r"enum FrameKind \{(.*?)\}", text, re.S).group(1)
        self.kinds = {int(number): name for name, number in re.findall(r"FRAME_(\w+) = (\d+)", kinds)}
        self.messages = {}
        for name, body in re.findall(r"message (\w+) \{(.*?)\}", text, re.S):
            fields = re.findall(r"(repeated )?(\w+) (\w+) = (\d+);", body)
            self.messages[name] = {
                int(number): (field, kind, bool(repeated)) for repeated, kind, field, number in fields
            }

    def message_of(self, kind):
        """PROCESS_INFO -> ProcessInfo"""
        return MESSAGES.get(kind) or "".join(part.capitalize() for part in kind.split("_"))


def read_varint(data, position):
    result = shift = 0
    while True:
        byte = data[position]
        position += 1
        result |= (byte & 0x7F) << shift
        if byte < 0x80:
            return result, position
        shift += 7


def convert(kind, raw):
    if kind == "sint64":
        return (raw >> 1) ^ -(raw & 1)
    if kind == "bool":
        return bool(raw)
    return raw


def scalars(kind, data):
    """The values of a packed field."""
    if kind == "double":
        return list(struct.unpack(f"<{len(data) // 8}d", data))
    values = []
    position = 0
    while position < len(data):
        raw, position = read_varint(data, position)
        values.append(convert(kind, raw))
    return values


def decode(schema, message, data):
    """A message as a dict that holds every field of the schema."""
    fields = schema.messages[message]
    result = {}
    for name, kind, repeated in fields.values():
        empty = b"" if kind == "bytes" else 0.0 if kind == "double" else None if kind in schema.messages else 0
        result[name] = [] if repeated else empty
    position = 0
    while position < len(data):
        tag, position = read_varint(data, position)
        name, kind, repeated = fields[tag >> 3]
        wire = tag & 7
        if wire == 0:
            raw, position = read_varint(data, position)
            values = [convert(kind, raw)]
        elif wire == 1:
            values = list(struct.unpack_from("<d", data, position))
            position += 8
        elif wire == 2:
            size, position = read_varint(data, position)
            chunk = data[position : position + size]
            if len(chunk) != size:
                raise ValueError(f"{message}.{name} runs past the end of its frame")
            position += size
            if kind == "bytes":
                values = [chunk]
            elif kind in schema.messages:
                values = [SimpleNamespace(**decode(schema, kind, chunk))]
            else:
                values = scalars(kind, chunk)
        else:
            raise ValueError(f"{message}.{name} has wire type {wire}")
        if repeated:
            result[name].extend(values)
        else:
            result[name] = values[-1]
    return result


def rows(columns):
    """Records of a columnar message; deltas are summed up. The first column counts the records, others may end early."""
    count = len(next(iter(columns.values()), []))
    full = {}
    for name, values in columns.items():
        if len(values) > count:
            raise ValueError(f"column {name} holds {len(values)} of {count} records")
        values = values + [0] * (count - len(values))
        if "_delta" in name:
            total, sums = 0, []
            for value in values:
                total += value
                sums.append(total)
            values = sums
        full[name.replace("_delta", "")] = values
    names = list(full)
    return [SimpleNamespace(**dict(zip(names, record))) for record in zip(*full.values())]


class Trace:
    """What a trace file holds: a list for each kind of record, and the dictionaries."""

    def __init__(self, path, schema):
        self.path = Path(path)
        self.strings, self.shapes, self.queues = [], [], []
        self.frames = []
        for target in list(COLUMNAR.values()) + list(SINGLE.values()):
            setattr(self, target, [])
        data = self.path.read_bytes()
        if data[:8] != MAGIC:
            raise ValueError(f"{path} is not a gpuprof trace")
        if struct.unpack_from("<I", data, 8)[0] != VERSION:
            raise ValueError(f"{path} has another version")
        position = FILE_HEADER_BYTES
        self.torn = False
        while position < len(data):
            if position + FRAME_HEADER.size > len(data):
                self.torn = True
                break
            size, number, _ = FRAME_HEADER.unpack_from(data, position)
            position += FRAME_HEADER.size
            if position + size > len(data):
                self.torn = True
                break
            self._take(schema, schema.kinds[number], data[position : position + size])
            position += size

    def _take(self, schema, kind, payload):
        self.frames.append(kind)
        if kind == "DISCARDED":
            return
        fields = decode(schema, schema.message_of(kind), payload)
        if kind == "STRINGS":
            self._extend(self.strings, fields, [value.decode(errors="surrogateescape") for value in fields["values"]])
        elif kind == "KERNEL_SHAPES":
            self._extend(self.shapes, fields, self._shapes_of(fields))
        elif kind == "QUEUES":
            self._extend(self.queues, fields, rows({k: v for k, v in fields.items() if k != "first_id"}))
        elif kind in COLUMNAR:
            records = rows(fields)
            for record in records:
                if hasattr(record, "shape"):
                    record.shape = self.shapes[record.shape]
                if hasattr(record, "queue"):
                    record.queue = self.queues[record.queue]
                if hasattr(record, "function"):
                    record.function = self.strings[record.function]
                if kind == "NVTX_EVENTS":
                    record.name = self.strings[record.name]
                    record.domain = self.strings[record.domain]
            getattr(self, COLUMNAR[kind]).extend(records)
        else:
            record = SimpleNamespace(**fields)
            if kind == "COUNTER_WINDOW" and record.graph == 0:
                record.launches = [self.shapes[shape] for shape in record.launches]
            getattr(self, SINGLE[kind]).append(record)

    @staticmethod
    def _extend(dictionary, fields, values):
        if fields["first_id"] != len(dictionary):
            raise ValueError(f"a dictionary goes on at {fields['first_id']}, but holds {len(dictionary)} entries")
        dictionary.extend(values)

    def _shapes_of(self, fields):
        triples = {}
        for name in ("grid", "block", "cluster"):
            flat = fields.pop(name)
            triples[name] = [tuple(flat[i : i + 3]) for i in range(0, len(flat), 3)]
        records = rows({k: v for k, v in fields.items() if k != "first_id"})
        for i, record in enumerate(records):
            record.name = self.strings[record.name]
            record.grid = triples["grid"][i]
            record.block = triples["block"][i]
            record.cluster = triples["cluster"][i] if triples["cluster"] else (1, 1, 1)
        return records

    @property
    def process(self):
        return self.processes[0]

    @property
    def ledger(self):
        return self.ledgers[-1]

    @property
    def end(self):
        return self.ends[-1] if self.ends else None

    def notice_codes(self):
        return [notice.code for notice in self.notices]
