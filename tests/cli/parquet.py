#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the Parquet files of `jfrec export` hold what `jfrec print` prints, and do engines read them?

usage: parquet.py JFREC SOURCE_ROOT [RECORDING...]

Every table of every recording in tests/data/ok, or of RECORDINGs, is read by tests/parquet_file.py,
and by DuckDB, pyarrow and polars where the Python that runs this has them (JFREC_TEST_PYTHON names
another one).
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

tests = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path[:0] = [tests, tests + "/bombs"]
import make  # noqa: E402
import parquet_file  # noqa: E402
import tables  # noqa: E402
from tap import finish, result, skip  # noqa: E402

jfrec, root, *given = sys.argv[1:]
jfrec = os.path.realpath(jfrec)
OK = root + "/tests/data/ok/"
TYPE = "jdk.ThreadAllocationStatistics"


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, errors="replace", timeout=600)


def export(directory, *args):
    return run(jfrec, "export", *args, "-o", directory, "--force")


def read_all(directory):
    """{event type: table} of a directory without partitions."""
    found = {}
    for path in glob.glob(glob.escape(directory) + "/*.parquet"):
        columns, pairs = parquet_file.read_parquet(path)
        found[pairs["jfrec.type"]] = columns
    return found


def content(directory):
    files = {}
    for folder, _, names in os.walk(directory):
        for name in names:
            with open(os.path.join(folder, name), "rb") as f:
                files[os.path.relpath(os.path.join(folder, name), directory)] = f.read()
    return files


def check_recording(recording, work):
    name = os.path.basename(recording)
    out = work + "/out"
    shutil.rmtree(out, ignore_errors=True)
    done = export(out, recording)
    if done.returncode not in (0, 1):
        result(False, f"{name}: the tables are what is printed", done.stderr)
        return
    try:
        wrong = tables.difference(tables.events(jfrec, [recording]), read_all(out))
    except (AssertionError, KeyError, IndexError, ValueError) as e:
        wrong = [f"{type(e).__name__}: {e}"]
    result(not wrong, f"{name}: the tables are what is printed", *wrong)


# Engines ----------------------------------------------------------------------------------------

ASK = """
import glob, json, sys
engine, directory = sys.argv[1:]
answers = {}
for path in sorted(glob.glob(glob.escape(directory) + "/*.parquet")):
    if engine == "duckdb":
        import duckdb
        quoted = path.replace("'", "''")
        rows = duckdb.sql(f"SELECT count(*) FROM read_parquet(['{quoted}'])").fetchall()[0][0]
        names = [d[0] for d in duckdb.sql(f"DESCRIBE FROM read_parquet(['{quoted}'])").fetchall()]
        sums = {}
        for n in names:
            q = '"' + n.replace('"', '""') + '"'
            sums[n] = duckdb.sql(f"SELECT count({q}), count(DISTINCT {q}) "
                                 f"FROM read_parquet(['{quoted}'])").fetchall()[0]
    elif engine == "pyarrow":
        import pyarrow.parquet as pq, pyarrow.compute as pc
        table = pq.ParquetFile(path).read()
        rows = table.num_rows
        sums = {n: (len(table[n]) - table[n].null_count,
                    pc.count_distinct(table[n]).as_py()) for n in table.column_names}
    else:
        import polars
        table = polars.read_parquet(path, glob=False)
        rows = table.height
        sums = {n: (table[n].len() - table[n].null_count(),
                    table[n].drop_nulls().n_unique()) for n in table.columns}
    answers[path.rsplit("/", 1)[1]] = [rows, sums]
print(json.dumps(answers))
"""


def check_engine(engine, directory):
    python = os.environ.get("JFREC_TEST_PYTHON", sys.executable)
    name = f"{engine} reads the files"
    if run(python, "-c", f"import {engine}").returncode:
        skip(name, f"{python} has no module {engine}")
        return
    done = run(python, "-c", ASK, engine, directory)
    if done.returncode:
        result(False, name, done.stderr)
        return
    answers, wrong = json.loads(done.stdout), []
    for path in glob.glob(glob.escape(directory) + "/*.parquet"):
        columns, _ = parquet_file.read_parquet(path)
        rows, sums = answers[os.path.basename(path)]
        for column, (kind, values) in columns.items():
            there = [v for v in values if v is not None]
            # NaN is one value for some and none for others.
            expected = [len(there), len(set(there))]
            got = list(sums[column])
            if rows != len(values) or got[0] != expected[0] or \
                    (kind not in ("float", "float32") and got[1] != expected[1]):
                wrong.append(f"{path}: {column}: {rows} rows, {got}, not {expected}")
    result(not wrong, name, *wrong)


# Options ----------------------------------------------------------------------------------------

def check_options(work):
    recording = OK + "jvm-17.jfr"
    a, b = work + "/a", work + "/b"
    export(a, recording)
    export(b, recording)
    result(content(a) and content(a) == content(b), "the same recording gives the same bytes")

    done = run(jfrec, "export", recording, "-o", a)
    result(done.returncode == 1 and "--force" in done.stderr, "files are not replaced",
           done.stderr)
    done = run(jfrec, "export", recording, "-o", a, "--force", "--json", "-e", TYPE)
    said = json.loads(done.stdout)
    result(said["files"] == 1 and said["rows"] == int(run(
        jfrec, "print", "--count", "-e", TYPE, recording).stdout), "event types are chosen",
        done.stdout)
    result(os.stat(f"{a}/{TYPE}.parquet").st_mode & 0o777 == 0o600,
           "only the owner can read the files")

    shutil.rmtree(a)
    export(a, recording, "--timestamps", "ns", "-e", TYPE)
    rows = tables.events(jfrec, [recording])
    wrong = tables.difference({TYPE: rows[TYPE]}, read_all(a), unit_ns=1)
    result(not wrong, "times in nanoseconds", *wrong)

    shutil.rmtree(a)
    copy = work + "/web-host7-1.jfr"
    shutil.copy(recording, copy)
    done = export(a, copy, OK + "jvm-25.jfr", "-e", TYPE, "--label", "team=a b/c",
                  "--label-from-name", "{service}-*", "--partition", "date,service,team")
    result(done.returncode == 0, "with partitions", done.stderr)
    files = sorted(content(a))
    result(len(files) >= 2 and all(
        f.startswith(TYPE + "/date=20") and "/team=a%20b%2Fc/" in f for f in files) and
        any("/service=web/" in f and f.endswith("/web-host7-1.parquet") for f in files) and
        any("/service=jvm/" in f and f.endswith("/jvm-25.parquet") for f in files),
        "partitions are directories", *files)
    total = sum(len(parquet_file.read_parquet(os.path.join(a, f))[0]["startTime"][1])
                for f in files)
    result(total == int(run(jfrec, "print", "--count", "-e", TYPE, copy,
                            OK + "jvm-25.jfr").stdout), "and hold all rows", total)

    shutil.rmtree(a)
    export(a, copy, "-e", TYPE, "--label", "release=1.2")
    columns, pairs = parquet_file.read_parquet(f"{a}/{TYPE}.parquet")
    result(set(columns["release"][1]) == {"1.2"}, "a label is a column")
    result(pairs.get("jfrec.unit.allocated") == "bytes", "units are in the metadata", pairs)

    for why, args, code in (
            ("a label without a value", ["--label", "x"], 2),
            ("a label that is a column", ["--label", "allocated=1", "-e", TYPE], 1),
            ("a partition that is a column", ["--label", "allocated=1", "--partition", "allocated",
                                              "-e", TYPE], 1),
            ("a label twice", ["--label", "x=1", "--label", "x=2"], 1),
            ("a partition that nothing knows", ["--partition", "host"], 1),
            ("a name that does not fit", ["--label-from-name", "{a}_{b}.jfr"], 1)):
        done = run(jfrec, "export", copy, "-o", work + "/none", *args)
        result(done.returncode == code and done.stderr and
               not glob.glob(work + "/none/**/*.parquet", recursive=True),
               f"{why} is refused", done.returncode, done.stderr)
    result(run(jfrec, "export", copy).returncode == 2, "a directory is needed")
    there = work + "/there.html"
    with open(there, "w", encoding="utf-8") as f:
        f.write("kept")
    done = run(jfrec, "export", copy, "-o", there, "--force")
    with open(there, encoding="utf-8") as f:
        result(done.returncode == 2 and "is a file; name another" in str(done.stderr)
               and f.read() == "kept", "a file is not one, and stays", done.stderr)
    done = subprocess.run(
        ["sh", "-c", "ulimit -f 1; trap '' XFSZ; exec \"$@\"", "sh", jfrec, "export", recording,
         "-o", work + "/full/", "--partition", "date"], capture_output=True, text=True)
    result(done.returncode == 1 and done.stderr and not os.path.exists(work + "/full"),
           "a full disk leaves no directory", done.stderr)
    os.mkdir(work + "/mine")
    subprocess.run(["sh", "-c", "ulimit -f 1; trap '' XFSZ; exec \"$@\"", "sh", jfrec, "export",
                    recording, "-o", work + "/mine"], capture_output=True)
    result(os.listdir(work + "/mine") == [], "but that which was there")


def check_names(work):
    """`tool *.parquet` must not take a type's name for an option."""
    names = ["-o", "--force", ".hidden", "a-b"]
    with open(work + "/names.jfr", "wb") as f:
        f.write(make.own_types(lambda n: len(names), lambda i: names[i]))
    done = export(work + "/names", work + "/names.jfr")
    result(sorted(os.listdir(work + "/names")) == ["%2D-force.parquet", "%2Do.parquet", "%2Ehidden.parquet", "a-b.parquet"],
           "a hyphen or a dot at the beginning is written as %2D, %2E", os.listdir(work + "/names"), done.stderr)


def main():
    if not parquet_file.LIBRARY:
        print("1..0 # SKIP no libzstd")
        sys.exit()
    with tempfile.TemporaryDirectory() as work:
        for recording in given or sorted(glob.glob(OK + "*.jfr")):
            check_recording(recording, work)
        if not given:
            check_options(work)
            check_names(work)
            out = work + "/engines"
            export(out, OK + "jvm-17.jfr")
            for engine in ("duckdb", "pyarrow", "polars"):
                check_engine(engine, out)
    finish()


main()
