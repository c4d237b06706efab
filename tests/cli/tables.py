# SPDX-License-Identifier: MIT
#
# tables.py - SQL and SQLite files hold what `jfrec print --ndjson` prints
#
# usage: tables.py JFREC SOURCE_ROOT [RECORDING...]
#
# Of each recording of tests/data/ok (or those named), and each event type: the number of rows, the
# sum of each column of numbers (whole ones modulo 2^64), and the set of texts of each other one.
# Rows from a file of `export --format sqlite` are read with Python's own SQLite.

import glob
import json
import math
import os
import sqlite3
import struct
import subprocess
import sys
import tempfile
from datetime import datetime, timezone

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result, skip  # noqa: E402

jfrec, root = sys.argv[1:3]
recordings = sys.argv[3:] or sorted(glob.glob(os.path.join(root, "tests/data/ok/*.jfr")))
WORD = 1 << 64


def run(*args):
    return subprocess.run([jfrec, *args], capture_output=True)


def ns_of(text):
    """Nanoseconds of a time with nine decimals and Z."""
    whole, fraction = text[:-1].split(".")
    try:
        at = datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc)
    except ValueError:
        return None
    return int(at.timestamp()) * 10**9 + int(fraction)


class Column:
    """What is compared of a column."""

    def __init__(self):
        self.count = self.whole = 0
        self.fraction = 0.0
        self.texts = set()

    def add(self, value):
        if value is None:
            return
        self.count += 1
        if isinstance(value, (bool, int)):
            self.whole = (self.whole + int(value)) % WORD
        elif isinstance(value, float):
            if math.isfinite(value):
                self.fraction += value
            else:
                self.count -= 1
        else:
            self.texts.add(value)

    def agrees(self, other):
        return (self.count == other.count and self.whole == other.whole
                and math.isclose(self.fraction, other.fraction, rel_tol=1e-9, abs_tol=1e-9)
                and self.texts == other.texts)

    def __repr__(self):
        return f"{self.count} {self.whole} {self.fraction} {sorted(map(str, self.texts))[:3]}"


def columns_of(path):
    """{type: {column: (kind, field)}}, {type: table}"""
    document = json.loads(run("sql", "--schema", "--json", path).stdout)
    columns, tables = {}, {}
    for table in document["tables"]:
        tables[table["type"]] = table["name"]
        columns[table["type"]] = {c["field"]: (c["name"], c["kind"]) for c in table["columns"]}
    return columns, tables


def wanted(path, columns):
    """What print --ndjson has: {type: [rows, {field: Column}]}; some times are beyond Python's"""
    found, beyond = {}, set()
    lines = run("print", "--ndjson", "--flat", "--utc", "--stack", "string", "--stack-depth", "8192",
                path).stdout
    for line in lines.decode().split("\n")[:-1]:
        event = json.loads(line)
        kind = event.pop("type")
        of = found.setdefault(kind, [0, {}])
        of[0] += 1
        for key, value in event.items():
            key = "type" if key == "values.type" else key
            if key not in columns[kind]:
                continue
            if columns[kind][key][1] == "time" and value is not None:
                value = ns_of(value)
                if value is None:
                    beyond.add((kind, key))
                    continue
            elif columns[kind][key][1] in ("json",) and value is not None:
                value = value if isinstance(value, str) else json.dumps(value)
            elif columns[kind][key][1].startswith("float") and value is not None:
                value = float(value)
                if columns[kind][key][1] == "float32":
                    # The shortest text of a float is not the double that is nearest to it.
                    value = struct.unpack("f", struct.pack("f", value))[0]
            elif columns[kind][key][1] == "duration" and value is not None:
                value = max(min(value, 2**63 - 1), -2**63)
            of[1].setdefault(key, Column()).add(value)
    for kind, key in beyond:
        del found[kind][1][key]
    return found


def value_in(kind, value, stacks):
    if value is None:
        return None
    if kind == "stack" and stacks is not None:
        return stacks[value]
    if kind == "json":
        try:
            parsed = json.loads(value)
        except ValueError:
            return value
        return value if isinstance(parsed, str) else json.dumps(parsed)
    if kind == "uint64":
        return int(value)
    return value


def in_file(path, columns, tables, directory):
    """The same, from a database."""
    target = os.path.join(directory, "x.db")
    run("export", "--format", "sqlite", "--force", "-o", target, path)
    db = sqlite3.connect(target)
    found = {}
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    stacks = dict(db.execute("SELECT id, frames FROM stack"))
    for name, rows in db.execute("SELECT name, rows FROM type").fetchall():
        if not rows:
            continue
        kind = next(k for k in columns if tables[k] == name or f"event_{tables[k]}" == name)
        quoted = name.replace('"', '""')
        of = found.setdefault(kind, [0, {}])
        names = list(columns[kind].items())
        listed = ", ".join('"' + n.replace('"', '""') + '"' for _, (n, _) in names)
        for row in db.execute(f'SELECT {listed} FROM "{quoted}"'):
            of[0] += 1
            for (field, (_, how)), value in zip(names, row):
                of[1].setdefault(field, Column()).add(value_in(how, value, stacks))
    db.close()
    return found


def by_sql(path, columns, tables, kinds):
    """The same, by jfrec sql, of these event types."""
    found = {}
    for kind in kinds:
        table = tables[kind]
        names = list(columns[kind].items())
        listed = ", ".join('"' + n.replace('"', '""') + '"' for _, (n, _) in names)
        quoted = table.replace('"', '""')
        listed = listed or "1"
        got = run("sql", "--ndjson", path, f'SELECT {listed} FROM "{quoted}"')
        for line in got.stdout.decode().split("\n")[:-1]:
            of = found.setdefault(kind, [0, {}])
            of[0] += 1
            for (field, (_, how)), value in zip(names, json.loads(line).values()):
                if how.startswith("float") and value is not None:
                    value = float(value)
                of[1].setdefault(field, Column()).add(value_in(how, value, None))
    return found


def differences(want, got):
    said = []
    for kind in sorted(set(want) | set(got)):
        a, b = want.get(kind, [0, {}]), got.get(kind, [0, {}])
        if a[0] != b[0]:
            said.append(f"{kind}: {b[0]} rows, not {a[0]}")
        for field, column in a[1].items():
            if not column.agrees(b[1].get(field, Column())):
                said.append(f"{kind}.{field}: {b[1].get(field)}, not {column}")
    return said


def is_plain(columns):
    """Does NDJSON have a key for each column?  Two fields of one name share one."""
    return all(name == field for of in columns.values() for field, (name, _) in of.items())


with tempfile.TemporaryDirectory() as directory:
    for path in recordings:
        name = os.path.basename(path)
        columns, tables = columns_of(path)
        if not is_plain(columns):
            skip(name, "an event type has two fields of one name")
            continue
        want = wanted(path, columns)
        if run("export", "--help").returncode == 0:
            said = differences(want, in_file(path, columns, tables, directory))
            result(not said, f"{name}: a database has what NDJSON has", *said)
        said = differences(want, by_sql(path, columns, tables, sorted(want)))
        result(not said, f"{name}: SQL has what NDJSON has", *said)
finish()
