#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the questions of jfrec-engines(7) run as they are, and give what the events say?

usage: engines.py JFREC SOURCE_ROOT [RECORDING...]

DuckDB runs them, where the Python that runs this, or the one that JFREC_TEST_PYTHON names, has it.
They are asked of the fleet of fleet.py, and of RECORDINGs, too.
"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import fleet  # noqa: E402
import tables  # noqa: E402
from tap import finish, result  # noqa: E402

jfrec, root, *more = sys.argv[1:]
PYTHON = os.environ.get("JFREC_TEST_PYTHON") or sys.executable
ASK = """import sys, json, duckdb
rows = duckdb.sql(f"SELECT to_json(t) FROM ({sys.argv[1]}) t").fetchall()
print(json.dumps([list(json.loads(r[0]).values()) for r in rows]))
"""
HOUR_NS = 3600 * 10**9


def queries():
    with open(root + "/man/jfrec-engines.7.scd", encoding="utf-8") as f:
        for block in re.findall(r"(?ms)^```\n(.*?)^```$", f.read()):
            table = re.search(r"read_parquet\('lake/([^/]*)/", block)
            if table:
                yield table[1], block


def grouped(rows, *keys):
    """How many rows have the same keys."""
    return collections.Counter(tuple(key(r) for key in keys) for r in rows)


def expected(table, rows):
    """The numbers that the answer must have: counts, or sums."""
    if table == "jdk.ExecutionSample":
        return sorted(grouped(rows, lambda r: tables.nanoseconds(r["startTime"]) // HOUR_NS,
                              lambda r: r["stackTrace"].split(";")[0]).values())[-20:]
    if table == "jdk.GCPhasePause":
        return [len(rows)]
    if table == "jdk.SocketRead":
        return [sum(r["duration"] for r in rows) / 1e9]
    if table == "jdk.ObjectAllocationSample":
        sums = collections.Counter()
        for r in rows:
            sums[r["objectClass"]] += r["weight"]
        return sorted(sums.values())[-20:]
    return [len(rows)]


def given(table, answer):
    if table == "jdk.ExecutionSample":
        return sorted(row[3] for row in answer)
    if table == "jdk.SocketRead":
        return [sum(float(row[3]) for row in answer)]
    if table == "jdk.ObjectAllocationSample":
        return sorted(int(row[1]) for row in answer)
    return [sum(row[-1] for row in answer)]


def close(a, b):
    return len(a) == len(b) and all(abs(x - y) <= 1e-9 * max(abs(x), abs(y)) for x, y in zip(a, b))


def main():
    if subprocess.run([PYTHON, "-c", "import duckdb"], capture_output=True).returncode:
        print(f"1..0 # SKIP {PYTHON} has no module duckdb")
        sys.exit()
    with tempfile.TemporaryDirectory() as work:
        recordings, done = fleet.export(jfrec, root, work, more)
        result(done.returncode in (0, 1) and os.path.isdir(work + "/lake"), "a folder of tables",
               done.stderr)
        events = tables.events(jfrec, recordings)
        for table, query in queries():
            done = subprocess.run([PYTHON, "-c", ASK, query], cwd=work, capture_output=True,
                                  text=True)
            answer = json.loads(done.stdout) if done.returncode == 0 else []
            wanted, got = expected(table, events[table]), given(table, answer)
            result(answer and close(wanted, got), f"the page's question of {table}",
                   done.stderr, wanted, got)
    finish()


main()
