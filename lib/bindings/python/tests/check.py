#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does the package give what the tool prints?

usage: check.py JFREC SOURCE_ROOT [JVM_PID]

Runs with the package on its path; tests/cli/python_package.py builds and calls it.
"""

import ctypes
import datetime
import io
import json
import os
import subprocess
import sys
import tempfile
import threading
import warnings

sys.path[:0] = [os.path.join(sys.argv[2], "tests"), os.path.join(sys.argv[2], "tests/bombs")]
import jfrec  # noqa: E402
import make  # noqa: E402
from tap import finish, result, skip  # noqa: E402

tool, root = sys.argv[1:3]
OK = root + "/tests/data/ok/"
RECORDING = OK + "jvm-17.jfr"
TYPE = "jdk.ThreadAllocationStatistics"


def count(*args):
    return int(subprocess.run([tool, "print", "--count", *args], capture_output=True,
                              check=True).stdout)


class Array(ctypes.Structure):
    _fields_ = [("length", ctypes.c_int64)] + [(n, ctypes.c_int64) for n in (
        "null_count", "offset", "n_buffers", "n_children")] + [(n, ctypes.c_void_p) for n in (
            "buffers", "children", "dictionary", "release", "private_data")]


class Stream(ctypes.Structure):
    _fields_ = [(n, ctypes.c_void_p) for n in (
        "get_schema", "get_next", "get_last_error", "release", "private_data")]


def rows_of(table):
    """How many rows a table has, by Arrow's C stream interface and nothing else."""
    return sum(batches_of(table))


def batches_of(table):
    """The same of each batch."""
    capsule = table.__arrow_c_stream__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = pointer(capsule, b"arrow_array_stream")
    stream = Stream.from_address(address)
    get_next = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(stream.get_next)
    rows = []
    while True:
        array = Array()
        status = get_next(address, ctypes.addressof(array))
        assert status == 0, os.strerror(status)
        if not array.release:
            return rows
        rows.append(array.length)
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(array.release)(ctypes.addressof(array))


def fails(kind, fn, *args, **named):
    try:
        fn(*args, **named)
    except kind as e:
        return str(e)
    return None


def check_shared_text():
    """2,000 events that have one text of 100 KB: it is there once, so all are one batch."""
    got = batches_of(jfrec.open(make.make("shared_text", 0.1)).table("app.Text"))
    result(got == [2000], "a text that events share is in a batch once", got)


def check_tables(r):
    types = {t.name: t for t in r.types()}
    columns = {c.name: c for c in types[TYPE].columns}
    result(columns["startTime"].kind == "time" and columns["allocated"].unit == "bytes",
           "types have columns", columns)
    summary = r.summary()
    wrong = [t.name for t in summary.types
             if t.name in types and t.count and rows_of(r.table(t.name)) != t.count]
    result(not wrong and len(summary.types) > 20, "each table has as many rows as it has events",
           wrong)
    # What describes a chunk is no event for print.
    result(sum(t.count for t in summary.types if t.name in types) == count(RECORDING) and
           summary.chunks > 0 and summary.damage == 0 and summary.end_ns > summary.start_ns, "a summary", summary)
    simple = r.table("ThreadAllocationStatistics", batch_rows=1)
    result(rows_of(simple) == count("-e", TYPE, RECORDING), "a table by its simple name, in small batches")
    where = "allocated > 100000"
    result(rows_of(r.table(TYPE, columns=["allocated"], where=where)) ==
           count("-e", TYPE, "--where", where, RECORDING), "some of its rows")
    with open(RECORDING, "rb") as f:
        data = f.read()
    many = jfrec.open(data * 3)
    chunks = many.chunks()
    parts = [rows_of(many.table(TYPE, chunks=(i, 1))) for i in range(len(chunks) - 1)]
    parts.append(rows_of(many.table(TYPE, chunks=(len(chunks) - 1, None))))
    result(len(chunks) == 3 * len(r.chunks()) and sum(c.size for c in chunks) == 3 * len(data) and
           sum(parts) == 3 * rows_of(r.table(TYPE)), "its chunks, one by one", parts)
    result(fails(ValueError, many.table, TYPE, chunks=(0, 0)), "no chunk at all")
    middle = (summary.start_ns + summary.end_ns) // 2
    early = rows_of(r.table(TYPE, end=middle))
    late = rows_of(r.table(TYPE, start=middle))
    result(early + late == rows_of(r.table(TYPE)), "rows by time", early, late)


def check_others(r):
    events = list(r.events(TYPE))
    result(len(events) == count("-e", TYPE, RECORDING) and
           all(e.type == TYPE and e.values["allocated"] >= 0 and
               isinstance(e.values["startTime"], int) for e in events), "events one by one")
    result(sum(1 for _ in r.events()) == count(RECORDING), "all events")
    profile = jfrec.open(OK + "trace-25.jfr").stacks("trace", counts=True)
    result(profile.samples == sum(s.weight for s in profile.stacks) + profile.stackless,
           "stacks", profile[:4])
    view = jfrec.view(RECORDING, "SELECT allocated, startTime FROM ThreadAllocationStatistics")
    result(len(view.rows) == len(events) and view.units[0] == "bytes" and
           sorted(v[0] for v in view.rows) == sorted(e.values["allocated"] for e in events),
           "a query", view[:3])
    result(jfrec.view(r, "gc-configuration").rows is not None, "a view")


def check_sources():
    with open(RECORDING, "rb") as f:
        data = f.read()
        by_fd = jfrec.open(f.fileno())
    n = count(RECORDING)
    with open(RECORDING, "rb") as f:
        by_file = jfrec.open(f)
        f.read(1000)
        result(sum(1 for _ in by_file.events()) == n, "from an open file, wherever it is read")
    result(sum(1 for _ in by_file.events()) == n, "which may be closed")
    result(sum(1 for _ in jfrec.open(io.BytesIO(data)).events()) == n, "from a file that is in memory")
    result(fails(TypeError, jfrec.open, io.StringIO("a.jfr")), "not from a file of text")
    result(sum(1 for _ in jfrec.open(data).events()) == n, "from bytes")
    result(sum(1 for _ in jfrec.open(bytearray(data)).events()) == n, "from a bytearray")
    result(sum(1 for _ in by_fd.events()) == n == sum(1 for _ in by_fd.events()),
           "from a descriptor, twice")
    by_fd.close()
    result(fails(ValueError, by_fd.summary), "a recording that is closed")
    both = jfrec.open([RECORDING, OK + "jvm-25.jfr"])
    result(sum(1 for _ in both.events()) == n + count(OK + "jvm-25.jfr"), "from two files")
    stream = jfrec.open(data).table(TYPE)
    del data
    result(rows_of(stream) > 0, "bytes live as long as their table")


def check_failures(r):
    text = fails(jfrec.Error, jfrec.open("/nonexistent").summary)
    result(text and "No such file" in text, "a file that is missing", text)
    try:
        rows_of(r.table(TYPE, where="nonsense >"))
        result(False, "an expression that is wrong")
    except jfrec.Error as e:
        result(e.code == "expression", "an expression that is wrong", e)
    result(fails(jfrec.Error, r.table("nowhere.X").__arrow_c_stream__), "a table that is missing")
    result(fails(jfrec.Error, r.table(TYPE, ["x"]).__arrow_c_stream__),
           "a column that is missing")
    result(fails(ValueError, r.table, "x", start=datetime.datetime(2026, 1, 1)),
           "a time without a zone")
    with open(RECORDING, "rb") as f:
        data = f.read()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        n = sum(1 for _ in jfrec.open(data[:len(data) * 2 // 3]).events())
    result(any(issubclass(w.category, jfrec.DamageWarning) for w in caught) and n >= 0,
           "damage is a warning", [str(w.message) for w in caught])


def check_threads(r):
    """Several at once, and another one gets its turn meanwhile."""
    found, expected = [], rows_of(r.table("jdk.ActiveSetting"))
    threads = [threading.Thread(target=lambda: found.append(
        (rows_of(r.table("jdk.ActiveSetting")), r.summary().chunks))) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    result(len(found) == 8 and {f[0] for f in found} == {expected}, "several threads", found)


def check_engines(r):
    table = r.table(TYPE)
    expected = count("-e", TYPE, RECORDING)
    for name, read in (("pyarrow", lambda m: m.table(table).num_rows),
                       ("polars", lambda m: m.DataFrame(table).height),
                       ("pandas", lambda m: len(m.DataFrame.from_arrow(table)))):
        try:
            module = __import__(name)
        except ImportError:
            skip(f"{name} takes a table", "it is not installed")
            continue
        result(read(module) == expected, f"{name} takes a table")


FRAMED = "jdk.CPUTimeSample"


def printed_frames():
    """What the tool prints of the frames of each stack trace."""
    lines = subprocess.run([tool, "print", "--ndjson", "--flat", "--stack", "frames",
                            "--stack-depth", "8192", "-e", FRAMED,
                            OK + "trace-25.jfr"], capture_output=True, check=True).stdout
    stacks = [json.loads(line)["stackTrace"] for line in lines.splitlines()]
    return sorted(json.dumps(s and s["frames"]) for s in stacks)


def check_frames():
    """Stack traces as lists of frames."""
    table = jfrec.open(OK + "trace-25.jfr").table(FRAMED, ["stackTrace"], stack="frames")
    expected = printed_frames()
    result(rows_of(table) == len(expected) > 0, "stack traces as lists")
    for name, read in (("pyarrow", lambda m: m.table(table)["stackTrace"].to_pylist()),
                       ("polars", lambda m: m.DataFrame(table)["stackTrace"].to_list()),
                       ("duckdb", lambda m: [r[0] for r in m.from_arrow(
                           pyarrow.table(table)).fetchall()])):
        try:
            module = __import__(name)
            pyarrow = __import__("pyarrow")
        except ImportError:
            skip(f"{name} takes lists of frames", "it is not installed")
            continue
        found = sorted(json.dumps(s) for s in read(module))
        result(found == expected, f"{name} takes lists of frames", found[:1], expected[:1])
    result(fails(ValueError, jfrec.open(RECORDING).table, TYPE, stack="x"), "no other form")


def check_jvms(pid):
    if not pid:
        skip("a JVM is recorded", "no JVM was started")
        return
    result([j.pid for j in jfrec.jvms(pid)] == [int(pid)], "a JVM is found")
    with jfrec.record(pid, "1s") as r:
        result(r.summary().types, "a JVM is recorded")
    with tempfile.TemporaryDirectory() as work:
        path = work + "/a.jfr"
        jfrec.record(int(pid), "1s", settings="default", path=path)
        result(count(path) > 0 and os.stat(path).st_mode & 0o777 == 0o600, "into a file")
        result(fails(FileExistsError, jfrec.record, pid, "1s", path=path), "which must be new")


def main():
    r = jfrec.open(RECORDING)
    check_tables(r)
    check_shared_text()
    check_others(r)
    check_sources()
    check_failures(r)
    check_threads(r)
    check_engines(r)
    check_frames()
    check_jvms(sys.argv[3] if len(sys.argv) > 3 else None)
    finish()


main()
