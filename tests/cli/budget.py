#!/usr/bin/env python3
"""No command takes more instructions than tests/bench/budget.tsv allows.

usage: [UPDATE=1] budget.py JFREC SOURCE_ROOT LACKING COMPILER

Instructions do not depend on what else the machine does, but on the compiler and the C library:
each pair of these has a column, and another pair is skipped. With UPDATE=1 the column of this pair
is written anew; a change of more than ALLOWED, up or down, fails until that is done, so that the
table says what the code takes today."""
import os
import platform
import re
import shutil
import struct
import subprocess
import sys
import tempfile

JFREC, SOURCE, LACKING = map(os.path.realpath, sys.argv[1:4])
sys.path.insert(0, os.path.join(SOURCE, "tests"))
from tap import finish, result, skip  # noqa: E402

TABLE = os.path.join(SOURCE, "tests", "bench", "budget.tsv")
ALLOWED = 0.03
# Enough events that they, and not the start of the program, are most of the work.
COPIES = 40

WORK = tempfile.mkdtemp(prefix="jfrec-budget-")
RECORDING = os.path.join(WORK, "forty.jfr")

COMMANDS = {
    "summary": ["summary", RECORDING],
    "print": ["print", RECORDING],
    "print --json": ["print", "--json", RECORDING],
    "print --xml": ["print", "--xml", RECORDING],
    "print --ndjson": ["print", "--ndjson", RECORDING],
    "view all-views": ["view", "--jobs", "1", "all-views", RECORDING],
    "analyze": ["analyze", RECORDING],
    "flame": ["flame", "--jobs", "1", "-o", os.path.join(WORK, "flame.html"), RECORDING],
    "export": ["export", "-o", os.path.join(WORK, "tables"), RECORDING],
}


def write_copies(path, chunk):
    """The chunk again and again, each copy a second after the one before. Times of events are
    relative to the header's (format: nanoseconds of the start at byte 32)."""
    began, = struct.unpack_from(">q", chunk, 32)
    with open(path, "wb") as f:
        for i in range(COPIES):
            copy = bytearray(chunk)
            struct.pack_into(">q", copy, 32, began + i * 1_000_000_000)
            f.write(copy)


def count(words):
    """Instructions of a command, or None. It is not confined: valgrind makes code as it goes."""
    done = subprocess.run([LACKING, "all", "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", JFREC, *words],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={"PATH": os.environ["PATH"], "LC_ALL": "C"})
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found[1]) if found and done.returncode == 0 else None


def read_table():
    with open(TABLE, encoding="utf-8") as f:
        lines = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    return lines[0][1:], {line[0]: line[1:] for line in lines[1:]}


def write_table(pairs, rows):
    with open(TABLE, encoding="utf-8") as f:
        notes = [line for line in f if line.startswith("#")]
    with open(TABLE, "w", encoding="utf-8") as f:
        f.writelines(notes)
        for line in ["command", *pairs], *([name, *rows[name]] for name in rows):
            f.write("\t".join(line) + "\n")


def check(name, taken, allowed):
    change = taken / allowed - 1 if taken else 0
    what = f"{name}: {taken} instructions, {change:+.1%}"
    result(taken and abs(change) <= ALLOWED, what,
           "it failed" if not taken else
           f"tests/bench/budget.tsv says {allowed}; callgrind_annotate tells which functions" if change > 0 else
           f"it takes less than {allowed}, which tests/bench/budget.tsv says: UPDATE=1 writes that down")


def main():
    pair = f"{sys.argv[4]}, {' '.join(platform.libc_ver())}, {platform.machine()}"
    pairs, rows = read_table()
    update = os.environ.get("UPDATE")
    if not shutil.which("valgrind"):
        return skip("instructions", "no valgrind")
    if pair not in pairs and not update:
        return skip("instructions", f"tests/bench/budget.tsv has no column for {pair}")
    with open(os.path.join(SOURCE, "tests", "data", "ok", "jvm-25.jfr"), "rb") as f:
        write_copies(RECORDING, f.read())
    if pair not in pairs:
        pairs.append(pair)
    column = pairs.index(pair)
    for name, words in COMMANDS.items():
        taken = count(words)
        row = rows.setdefault(name, [])
        row += ["-"] * (len(pairs) - len(row))
        if update:
            row[column] = str(taken)
        elif row[column].isdigit():
            check(name, taken, int(row[column]))
        else:
            skip(name, f"tests/bench/budget.tsv does not say for {pair}")
    if update:
        write_table(pairs, rows)


try:
    main()
finally:
    shutil.rmtree(WORK)
finish()
