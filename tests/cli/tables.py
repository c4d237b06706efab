# SPDX-License-Identifier: MIT
#
# tables.py - SQL, SQLite files and engines hold what `jfrec print --ndjson` prints
#
# usage: tables.py JFREC SOURCE_ROOT [--engines LIST] [RECORDING...]
#
# Of each recording of tests/data/ok (or those named), and each event type: the number of rows, and
# of each column how many values it has, the sum of numbers (whole ones modulo 2^64, floating-point
# ones to 1e-9), or the set of texts. One statement for each table says so: of `jfrec sql`, of
# Python's SQLite on a file of `export --format sqlite`, and on Parquet files of the engines of the
# LIST (all: duckdb, polars, pyarrow, clickhouse, spark), as far as the Python that runs this, or
# the one that JFREC_TEST_PYTHON names, has them.

import glob
import json
import math
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tables  # noqa: E402
from ask_engine import SCALE, WORD, answer, group, quoted, statement  # noqa: E402
from tap import finish, result, skip  # noqa: E402

jfrec, root, *recordings = sys.argv[1:]
ENGINES = {"duckdb": "duckdb", "polars": "polars", "pyarrow": "pyarrow", "clickhouse": "chdb",
           "spark": "pyspark"}
engines = ["duckdb", "polars", "pyarrow", "clickhouse"]
if recordings[:1] == ["--engines"]:
    engines = recordings[1].split(",") if recordings[1] else []
    recordings = recordings[2:]
recordings = recordings or sorted(glob.glob(os.path.join(root, "tests/data/ok/*.jfr")))
PYTHON = os.environ.get("JFREC_TEST_PYTHON") or sys.executable
# SQLite has 64 bits and says so when a sum has more, and keeps a number of 2^63 on as a text.
HALVES = ("json_array(sum(CASE typeof({}) WHEN 'integer' THEN {} & 4294967295 END), "
          "sum(CASE typeof({}) WHEN 'integer' THEN {} >> 32 END), "
          "json_group_array({}) FILTER (WHERE typeof({}) = 'text'))")
FORMS = {"text": ("count({})", "json_group_array(DISTINCT {}) FILTER (WHERE {} IS NOT NULL)"),
         "int": ("count({})", HALVES), "boolean": ("count({})", "sum({})"),
         "time": ("count({})", HALVES),
         "float": ("count(*) FILTER (WHERE abs({}) < 1e999)",
                   f"sum({{}} * {SCALE!r}) FILTER (WHERE abs({{}}) < 1e999)")}


def run(*args):
    return subprocess.run([jfrec, *args], capture_output=True)


def schema_of(path):
    """{type: (table, [(column, kind, nth field of this name, field)])}"""
    found = {}
    for table in json.loads(run("sql", "--schema", "--json", path).stdout)["tables"]:
        seen, columns = {}, []
        for c in table["columns"]:
            nth = seen[c["field"]] = seen.get(c["field"], -1) + 1
            columns.append((c["name"], c["kind"], nth, c["field"]))
        found[table["type"]] = (table["name"], columns)
    return found


# What is printed --------------------------------------------------------------------------------

def numbered(pairs):
    """An object with the number of the name, if it is there again."""
    found = {}
    for name, value in pairs:
        nth = 0
        while (name, nth) in found:
            nth += 1
        found[name, nth] = value
    return found


def plain(value):
    """A nested object as it was."""
    if isinstance(value, dict):
        return {k[0]: plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list) else value


def printed(path):
    """{type: rows}"""
    lines = run("print", "--ndjson", "--flat", "--utc", "--stack", "string", "--stack-depth",
                "8192", path).stdout
    rows = {}
    for line in lines.splitlines():
        row = json.loads(line, object_pairs_hook=numbered)
        rows.setdefault(row.pop(("type", 0)) or "", []).append(row)
    return rows


def text_of(value):
    value = plain(value)
    if isinstance(value, str):
        return value
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def of_column(kind, values, time_unit):
    """How many, and their sum or set; of floating-point numbers also the sum without signs."""
    values = [v for v in values if v is not None]
    how = group(kind)
    if how == "text":
        return len(values), {text_of(v) for v in values}
    if how == "time":
        values = [tables.nanoseconds(v) // time_unit for v in values]
    if how == "float":
        values = [v for v in values if math.isfinite(v)]
        if kind == "float32":
            # The shortest text of a float is not the double that is nearest to it.
            values = [struct.unpack("f", struct.pack("f", v))[0] for v in values]
        return (len(values), math.fsum(v * SCALE for v in values),
                math.fsum(abs(v) * SCALE for v in values))
    if kind == "duration":
        # One without end.
        values = [max(min(v, 2**63 - 1), -2**63) for v in values]
    return len(values), sum(int(v) for v in values) % WORD


def wanted(rows, columns, time_unit):
    """{(name, kind): what of_column() says}"""
    keys = {"type": "values.type"}
    return {(name, kind): of_column(kind, [r.get((keys.get(field, field), nth)) for r in rows],
                                    time_unit) for name, kind, nth, field in columns}


# What is there ----------------------------------------------------------------------------------

def from_halves(row, columns):
    """A row of SQLite's as ask_engine.answer() takes it."""
    row = list(row)
    for i, (_, kind) in enumerate(columns):
        at = 2 + 2 * i
        if group(kind) in ("int", "time"):
            low, high, large = json.loads(row[at])
            row[at] = (low or 0) + ((high or 0) << 32) + sum(int(n) for n in large)
        elif group(kind) == "text":
            row[at] = json.loads(row[at])
    return answer(row, columns)


def by_sql(path, table, columns):
    done = run("sql", "--ndjson", path, statement(columns, quoted(table), FORMS))
    try:
        pairs = json.loads(done.stdout, object_pairs_hook=lambda pairs: [v for _, v in pairs])
        return from_halves(pairs, columns)
    except ValueError:
        return done.stderr.decode()


class InFile:
    """A database of all tables."""

    def __init__(self, path, directory):
        target = os.path.join(directory, "x.db")
        run("export", "--format", "sqlite", "--force", "-o", target, path)
        self.db = sqlite3.connect(target)
        assert self.db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        self.names = {n for n, in self.db.execute("SELECT name FROM type")}
        self.stacks = dict(self.db.execute("SELECT id, frames FROM stack"))

    def __call__(self, path, table, columns):
        if table not in self.names:
            table = f"event_{table}"
        text = statement(columns, quoted(table), FORMS)
        found = from_halves(self.db.execute(text).fetchone(), columns)
        for (_, kind), values in zip(columns, found[1]):
            if kind == "stack":
                values[1] = [self.stacks[n] for n in values[1]]
        return found


def ask_all(engine, questions):
    """The answers of a child that has the engine."""
    lines = "".join(json.dumps({"path": p, "columns": c}) + "\n" for p, c in questions)
    done = subprocess.run([PYTHON, os.path.join(root, "tests/ask_engine.py"), engine], input=lines,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


# Comparing --------------------------------------------------------------------------------------

def differs(kind, want, got):
    if want[0] != got[0]:
        return True
    if group(kind) == "text":
        texts = got[1]
        if kind == "json":
            texts = [json.dumps(json.loads(t), separators=(",", ":"), ensure_ascii=False)
                     if t[:1] in "[{" else t for t in texts]
        return want[1] != set(texts) or len(set(texts)) != len(texts)
    if group(kind) == "float":
        return abs(want[1] - got[1]) > 1e-9 * max(want[2], 1e-300)
    return want[1] != got[1]


def differences(table, count, want, got):
    if isinstance(got, str):
        return [f"{table}: {got}"]
    if got[0] != count:
        return [f"{table}: {got[0]} rows, not {count}"]
    return [f"{table}.{name}: {kind}, {str(g)[:200]}, not {str(w)[:200]}"
            for ((name, kind), w), g in zip(want.items(), got[1]) if differs(kind, w, g)]


def check_sql(path, name, rows, schema, directory):
    has_export = run("export", "--help").returncode == 0
    database = InFile(path, directory) if has_export else None
    for ask, what in ((by_sql, "SQL has"), (database, "a database has")):
        said = []
        for kind in sorted(rows) if ask else []:
            table, columns = schema[kind]
            want = wanted(rows[kind], columns, 1)
            said += differences(table, len(rows[kind]), want, ask(path, table, list(want)))
        if ask:
            result(not said, f"{name}: {what} what NDJSON has", *said)


def export_all(path, directory):
    shutil.rmtree(directory, ignore_errors=True)
    run("export", "-o", directory, path)
    return {urllib.parse.unquote(os.path.basename(f))[:-len(".parquet")]: f
            for f in glob.glob(glob.escape(directory) + "/*.parquet")}


def check_clocks(directory):
    """Two JVMs whose clocks are 0.4 s apart, as those of one JVM may be: each file has its own."""
    path, later = os.path.join(root, "tests/data/ok/text-25.jfr"), f"{directory}/later.jfr"
    data = bytearray(open(path, "rb").read())
    struct.pack_into(">Q", data, 32, struct.unpack_from(">Q", data, 32)[0] + 400_000_000)
    with open(later, "wb") as f:
        f.write(data)
    first = 'SELECT min(startTime) FROM "rec.Text" GROUP BY recording ORDER BY 1'
    both, *each = ([int(line) for line in run("sql", "--csv", *files, first).stdout.split()[1:]]
                   for files in ((path, later), (path,), (later,)))
    result(both == each[0] + each[1] and both[1] - both[0] == 400_000_000,
           "each of several recordings has its own clock", both, each)


def main():
    questions, expected = [], []
    with tempfile.TemporaryDirectory() as directory:
        check_clocks(directory)
        for i, path in enumerate(recordings):
            name, count = os.path.basename(path), run("print", "--count", path)
            if count.returncode not in (0, 1) or not count.stdout:
                skip(f"{name}: tables", count.stderr.decode().strip())
                continue
            rows, schema = printed(path), schema_of(path)
            total = sum(map(len, rows.values()))
            result(int(count.stdout.split()[0]) == total, f"{name}: print --count counts the lines",
                   count.stdout, total)
            check_sql(path, name, rows, schema, directory)
            files = export_all(path, f"{directory}/{i}")
            names = {schema[kind][0]: kind for kind in rows}
            result(set(files) == set(names), f"{name}: a file for each event type that has events",
                   sorted(set(files) ^ set(names)))
            for table in sorted(set(files) & set(names)):
                kind = names[table]
                want = wanted(rows[kind], schema[kind][1], 1000)
                questions.append((files[table], list(want)))
                expected.append((name, table, len(rows[kind]), want))
        for engine in engines:
            if subprocess.run([PYTHON, "-c", f"import {ENGINES[engine]}"],
                              capture_output=True).returncode:
                skip(f"{engine} has what NDJSON has", f"{PYTHON} has no module {ENGINES[engine]}")
                continue
            answers, said = ask_all(engine, questions), {n: [] for n, *_ in expected}
            result(len(answers) == len(questions), f"{engine} answers", len(answers))
            for (name, table, count, want), got in zip(expected, answers):
                said[name] += differences(table, count, want, got)
            for name, lines in said.items():
                result(not lines, f"{name}: {engine} has what NDJSON has", *lines)
    finish()


main()
