#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Are the lists of frames that `jfrec export --stack frames` writes those of `jfrec print`?

usage: frame_lists.py JFREC SOURCE_ROOT [RECORDING...]

Each stack trace of each recording of tests/data/ok, or of RECORDINGs, is read by
tests/parquet_file.py, and by the engines that the Python that runs this has, or the one that
JFREC_TEST_PYTHON names: method, line, bytecode index and type of each frame are the same.
"""

import collections
import glob
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import parquet_file  # noqa: E402
from tap import finish, result, skip  # noqa: E402

jfrec, root, *given = sys.argv[1:]
recordings = given or sorted(glob.glob(root + "/tests/data/ok/*.jfr"))
PYTHON = os.environ.get("JFREC_TEST_PYTHON") or sys.executable
ENGINES = {"duckdb": "duckdb", "polars": "polars", "pyarrow": "pyarrow", "clickhouse": "chdb"}
PARTS = ("method", "line", "bci", "type")
# Lines in: [path, columns]; out: the lists of each column, with all rows.
ASK = """
import json, sys
engine = sys.argv[1]
if engine == "clickhouse":
    from chdb import session
    s = session.Session()
for line in sys.stdin:
    path, columns = json.loads(line)
    if engine == "duckdb":
        import duckdb
        ask = lambda c: [json.loads(r[0]) if r[0] else None for r in duckdb.sql(
            "SELECT to_json(" + c + ") FROM read_parquet(['" + path.replace("'", "''") + "'])").fetchall()]
    elif engine == "polars":
        import polars
        ask = lambda c: polars.read_parquet(path, glob=False)[c[1:-1]].to_list()
    elif engine == "pyarrow":
        import pyarrow.parquet
        ask = lambda c: pyarrow.parquet.ParquetFile(path).read()[c[1:-1]].to_pylist()
    else:
        ask = lambda c: [json.loads(r)[0] for r in s.query(
            "SELECT " + c + " FROM file('" + path.replace("'", "''") + "', Parquet) SETTINGS "
            "output_format_json_named_tuples_as_objects = 1",
            "JSONCompactEachRow").bytes().decode().splitlines()]
    print(json.dumps({c: ask('"' + c + '"') for c in columns}))
"""


def run(*args):
    return subprocess.run([jfrec, *args], capture_output=True)


def printed(recording):
    """{type: {column: lists}}, where some event has a list."""
    lines = run("print", "--ndjson", "--flat", "--stack", "frames", "--stack-depth", "8192",
                recording).stdout
    rows = collections.defaultdict(list)
    for line in lines.splitlines():
        row = json.loads(line)
        rows[row.pop("type", "")].append(row)
    found = {}
    for kind, all_rows in rows.items():
        columns = {name for row in all_rows for name, value in row.items()
                   if isinstance(value, dict) and set(value) == {"truncated", "frames"}}
        if columns:
            found[kind] = {c: [list_of(r.get(c)) for r in all_rows] for c in columns}
    return found


def list_of(stack):
    """A frame that is missing is one without parts; a list that is missing has none."""
    if stack is None:
        return None
    return [{p: f and f[p] for p in PARTS} for f in stack["frames"] or []]


def tables(directory):
    """{type: (path, {column: lists})} of the files that have lists."""
    found = {}
    for path in glob.glob(glob.escape(directory) + "/*.parquet"):
        columns, pairs = parquet_file.read_parquet(path)
        lists = {n: values for n, (kind, values) in columns.items() if kind == "list"}
        if lists:
            found[pairs["jfrec.type"]] = path, lists
    return found


def differences(name, wanted, got, no_nulls=False):
    """In any order, which is of time in print.  An engine whose lists cannot be null has empty ones."""
    wanted = [w or [] for w in wanted] if no_nulls else wanted
    if len(wanted) != len(got):
        return [f"{name}: {len(got)} rows, not {len(wanted)}"]
    lists = [collections.Counter(json.dumps(v, sort_keys=True) for v in each)
             for each in (wanted, got)]
    return [f"{name}: {n} times not {text[:300]}" for text, n in (lists[0] - lists[1]).items()][:3]


def check_files(recording, directory):
    """What the engines are to say."""
    name, wanted = os.path.basename(recording), printed(recording)
    run("export", recording, "-o", directory, "--stack", "frames")
    questions = []
    try:
        found, wrong = tables(directory), []
    except (AssertionError, KeyError, IndexError, ValueError) as e:
        result(False, f"{name}: lists of frames", f"{type(e).__name__}: {e}")
        return questions
    for kind, columns in wanted.items():
        path, lists = found.get(kind, ("", {}))
        for column, rows in columns.items():
            wrong += differences(f"{kind}.{column}", rows, lists.get(column, []))
        if path:
            questions.append((name, kind, path, columns))
    result(not wrong, f"{name}: lists of frames", *wrong)
    return questions


def check_engine(engine, questions):
    title = f"{engine} reads lists of frames"
    if subprocess.run([PYTHON, "-c", f"import {ENGINES[engine]}"], capture_output=True).returncode:
        skip(title, f"{PYTHON} has no module {ENGINES[engine]}")
        return
    lines = "".join(json.dumps([path, list(columns)]) + "\n" for _, _, path, columns in questions)
    done = subprocess.run([PYTHON, "-c", ASK, engine], input=lines, capture_output=True, text=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    wrong = [] if len(answers) == len(questions) else [done.stderr[-2000:]]
    for (name, kind, _, columns), answer in zip(questions, answers):
        for column, rows in columns.items():
            wrong += differences(f"{name}: {kind}.{column}", rows, answer[column],
                                 engine == "clickhouse")
    result(not wrong, title, *wrong)


def main():
    if not parquet_file.LIBRARY:
        print("1..0 # SKIP no libzstd")
        sys.exit()
    questions = []
    with tempfile.TemporaryDirectory() as work:
        for i, recording in enumerate(recordings):
            questions += check_files(recording, f"{work}/{i}")
        result(questions, "there are lists")
        for engine in ENGINES:
            check_engine(engine, questions)
        if not given:
            done = run("export", recordings[0], "-o", f"{work}/x.db", "--format", "sqlite",
                       "--stack", "frames")
            result(done.returncode == 2 and b"--stack" in done.stderr, "a database has no lists",
                   done.stderr)
    finish()


main()
