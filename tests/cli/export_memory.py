#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does `jfrec export` keep within its memory when many tables fill their row groups in turn?

usage: export_memory.py JFREC [sanitized]

A batch keeps the memory of a row group that it has written, for the next one. Forty types whose rows
fill one each, and then come no more, would so keep 320 MB, were that not counted.
"""

import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import parquet_file  # noqa: E402
from plant import varint  # noqa: E402
from tap import finish, result  # noqa: E402

jfrec = os.path.abspath(sys.argv[1])
TYPES, FIELDS = 40, 255
# 8 MB of numbers, as table_file.c has it, and some rows of the next group.
ROWS = (8 << 20) // 8 // (FIELDS + 2) + 50
# Batches take 96 MB at most; the recording, which is mapped, and the rest are a good deal less.
MOST_KB = 160 << 10


def event(kind, rest):
    size = len(varint(kind) + rest) + 4
    return bytes([size & 127 | 128, size >> 7 & 127 | 128, size >> 14 & 127 | 128, size >> 21]) + \
        varint(kind) + rest


def chunk(kind):
    """One chunk, which declares a type of many fields, and has its events."""
    strings = {}

    def element(name, attributes=(), children=()):
        def index(text):
            return varint(strings.setdefault(text, len(strings)))
        return b"".join([index(name), varint(len(attributes))] +
                        [index(k) + index(v) for k, v in attributes] +
                        [varint(len(children)), *children])

    names = ["startTime", *(f"f{i}" for i in range(FIELDS))]
    root = element("root", (), [
        element("metadata", (), [
            element("class", [("id", "9"), ("name", "long")]),
            element("class", [("id", "20"), ("name", f"t.T{kind}"),
                              ("superType", "jdk.jfr.Event")],
                    [element("field", [("name", n), ("class", "9")]) for n in names])]),
        element("region", [("locale", "en_US"), ("gmtOffset", "0")])])
    events = event(20, bytes([5] * (FIELDS + 1))) * ROWS
    checkpoint = event(1, bytes(5))
    metadata = event(0, b"\0\0\1" + varint(len(strings)) + b"".join(
        b"\3" + varint(len(t)) + t.encode() for t in strings) + root)
    size = 68 + len(events) + len(checkpoint) + len(metadata)
    head = b"FLR\0" + struct.pack(">HHQQQqqqq", 2, 1, size, 68 + len(events),
                                  68 + len(events) + len(checkpoint), 10**18, 10**9, 0, 10**9)
    return head + b"\0\0\0\1" + events + checkpoint + metadata


def peak(*args):
    """Exit status, and the most memory in KB."""
    child = subprocess.Popen([jfrec, *args], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, used.ru_maxrss


def make(path):
    """In a process of its own: a child begins with the memory that its parent has."""
    if os.fork() == 0:
        with open(path, "wb") as f:
            for kind in range(TYPES):
                f.write(chunk(kind))
        os._exit(0)
    os.wait()


def main():
    if "sanitized" in sys.argv[2:]:
        print("1..0 # SKIP sanitizers keep memory of their own")
        sys.exit()
    with tempfile.TemporaryDirectory() as work:
        make(work + "/many.jfr")
        status, memory = peak("export", work + "/many.jfr", "-o", work + "/out")
        files = os.listdir(work + "/out")
        result(status == 0 and len(files) == TYPES, "a table for each type", status, len(files))
        result(memory < MOST_KB, "the batches of tables that were written count", f"{memory} KB")
        if parquet_file.LIBRARY:
            columns, _ = parquet_file.read_parquet(f"{work}/out/t.T{TYPES - 1}.parquet")
            result(all(values == [5] * ROWS for name, (_, values) in columns.items()
                       if name != "startTime"), "and all rows are there")
    finish()


main()
