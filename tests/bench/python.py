#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the Python package costs: rows per second of CPU time, by each way to read one event type.

usage: python.py RECORDING TYPE [JFR]

Runs with the package, pyarrow and pyspark; JFR is the JDK's tool, whose JSON a plain loop reads. Its
CPU time counts, and so does that of Python. Prints rows of Markdown, the best of three runs in turn.
"""

import ctypes
import json
import os
import subprocess
import sys
import time

import pyarrow
from pyspark.sql import types as sql

import jfrec
from jfrec.spark import JfrDataSource

recording, name = sys.argv[1:3]
jfr = sys.argv[3] if len(sys.argv) > 3 else None


class Array(ctypes.Structure):
    _fields_ = [("length", ctypes.c_int64), ("rest", ctypes.c_void_p * 7),
                ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)), ("data", ctypes.c_void_p)]


def by_c():
    """The library's stream, and nothing after it."""
    capsule = jfrec.open(recording).table(name).__arrow_c_stream__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    stream = pointer(capsule, b"arrow_array_stream")
    get_next = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(
        ctypes.c_void_p.from_address(stream + ctypes.sizeof(ctypes.c_void_p)).value)
    rows = 0
    while True:
        array = Array()
        assert get_next(stream, ctypes.addressof(array)) == 0
        if not array.release:
            return rows
        rows += array.length
        array.release(ctypes.addressof(array))


def by_pyarrow():
    return pyarrow.table(jfrec.open(recording).table(name)).num_rows


def by_source():
    """What a worker of Spark does, without Spark."""
    source = JfrDataSource({"path": recording, "events": name})
    reader = source.reader(source.schema())
    assert isinstance(source.schema(), sql.StructType)
    return sum(batch.num_rows for part in reader.partitions() for batch in reader.read(part))


def by_events():
    return sum(1 for _ in jfrec.open(recording).events(name))


def by_jfr():
    with subprocess.Popen([jfr, "print", "--json", "--events", name, recording],
                          stdout=subprocess.PIPE) as child:
        events = json.load(child.stdout)["recording"]["events"]
    return sum(1 for e in events if e["values"]["startTime"])


def cpu():
    t = os.times()
    return t.user + t.system + t.children_user + t.children_system


def main():
    ways = [("the C stream", by_c), ("table() in pyarrow", by_pyarrow),
            ("the data source of Spark", by_source), ("events()", by_events)]
    if jfr:
        ways.append(("a loop over jfr print --json", by_jfr))
    # CPU times are counted in ticks.
    tick, least, rows = 1 / os.sysconf("SC_CLK_TCK"), {}, 0
    for _ in range(3):
        for title, way in ways:
            before, now = cpu(), time.monotonic()
            rows = way()
            least[title] = max(min(cpu() - before, least.get(title, now)), tick)
    print(f"| {rows} rows | CPU s | rows per second |")
    print("|---|--:|--:|")
    for title, seconds in least.items():
        print(f"| {title} | {seconds:.2f} | {rows / seconds:,.0f} |")


main()
