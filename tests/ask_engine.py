#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ask an engine for the sums and the texts of tables: one statement for each table.

usage: ask_engine.py duckdb|polars|pyarrow|clickhouse|spark

Lines in: {"path": a Parquet file, "columns": [[name, kind], ...]}. A line out for each: the number
of rows, and for each column how many values it has, and their sum, or the list of different texts.
Sums of whole numbers are taken modulo 2^64; those of floating-point ones are of finite numbers,
each times SCALE. The Python that runs this must have the engine.
"""

import concurrent.futures
import json
import os
import sys

# The largest doubles can be added then.
SCALE = 2.0 ** -20
WORD = 1 << 64


def group(kind):
    """Of a kind as `jfrec sql --schema` names it."""
    if kind in ("float32", "float64"):
        return "float"
    if kind in ("time", "boolean"):
        return kind
    return "int" if kind == "duration" or "int" in kind else "text"


def quoted(name, mark='"'):
    return mark + name.replace(mark, mark + mark) + mark


def statement(columns, table, forms, mark='"'):
    """forms: of each group, what counts and what sums {}."""
    listed = ["count(*)"]
    for name, kind in columns:
        count, total = forms[group(kind)]
        listed += [count.replace("{}", quoted(name, mark)), total.replace("{}", quoted(name, mark))]
    return f"SELECT {', '.join(listed)} FROM {table}"


def answer(row, columns):
    """A row of the statement as a line has it."""
    out = []
    for i, (_, kind) in enumerate(columns):
        count, total = row[1 + 2 * i], row[2 + 2 * i]
        if group(kind) == "text":
            total = [t for t in total or [] if t is not None]
        elif group(kind) == "float":
            total = float(total or 0)
        else:
            total = int(total or 0) % WORD
        out.append([int(count), total])
    return [int(row[0]), out]


# Engines ----------------------------------------------------------------------------------------

def duckdb():
    import duckdb as engine
    finite = "isfinite({}::DOUBLE)"
    forms = {"text": ("count({})", "list(DISTINCT {})"), "int": ("count({})", "sum({})"),
             "boolean": ("count({})", "sum({}::INTEGER)"), "time": ("count({})", "sum(epoch_us({}))"),
             "float": (f"count(*) FILTER ({finite})",
                       f"sum({{}}::DOUBLE * {SCALE}) FILTER ({finite})")}

    def ask(path, columns):
        table = f"read_parquet([{quoted(path, chr(39))}])"
        return answer(engine.sql(statement(columns, table, forms)).fetchall()[0], columns)
    return ask


def clickhouse():
    from chdb import session
    s = session.Session()
    finite = "isFinite(toFloat64({}))"
    forms = {"text": ("count({})", "groupUniqArray({})"),
             "int": ("count({})", "sumWithOverflow(reinterpretAsInt64(toInt128(assumeNotNull({})))"
                                  " * isNotNull({}))"),
             "boolean": ("count({})", "sum({})"),
             "time": ("count({})", "sumWithOverflow(toUnixTimestamp64Micro({}))"),
             "float": (f"countIf({finite})", f"sumIf(toFloat64({{}}) * {SCALE}, {finite})")}

    def ask(path, columns):
        table = "file(" + quoted(path, "'").replace("\\", "\\\\") + ", Parquet)"
        said = s.query(statement(columns, table, forms) + " SETTINGS max_ast_elements = 500000, "
                       "output_format_json_quote_64bit_integers = 0", "JSONCompactEachRow")
        return answer(json.loads(said.bytes()), columns)
    return ask


def polars():
    import polars as engine

    def one(column, kind):
        there = column.drop_nulls()
        how = group(kind)
        if how == "text":
            return [there.len(), there.unique().to_list()]
        if how == "float":
            there = there.cast(engine.Float64)
            there = there.filter(there.is_finite())
            return [there.len(), float((there * SCALE).sum() or 0)]
        if how == "time":
            there = there.to_physical()
        if kind == "uint64":
            there = there.reinterpret(signed=True)
        return [there.len(), int(there.cast(engine.Int64).sum() or 0) % WORD]

    def ask(path, columns):
        table = engine.read_parquet(path, glob=False)
        return [table.height, [one(table[name], kind) for name, kind in columns]]
    return ask


def pyarrow():
    import pyarrow as engine
    import pyarrow.compute as compute
    import pyarrow.parquet as parquet

    def one(column, kind):
        there = column.drop_null()
        how = group(kind)
        if how == "text":
            return [len(there), compute.unique(there).to_pylist()]
        if how == "float":
            there = there.cast(engine.float64())
            there = there.filter(compute.is_finite(there))
            return [len(there), compute.sum(compute.multiply(there, SCALE)).as_py() or 0.0]
        if kind != "uint64":
            there = there.cast(engine.int64())
        return [len(there), (compute.sum(there).as_py() or 0) % WORD]

    def ask(path, columns):
        table = parquet.ParquetFile(path).read()
        return [table.num_rows, [one(table[name], kind) for name, kind in columns]]
    return ask


SPARK_FORMS = {"text": ("count({})", "collect_set({})"),
               "int": ("count({})", "sum(cast({} AS decimal(38, 0)))"),
               "boolean": ("count({})", "sum(cast({} AS int))"),
               "time": ("count({})", "sum(cast(unix_micros({}) AS decimal(38, 0)))"),
               "float": ("count(if(abs(double({})) < double('inf'), 1, null))",
                         "sum(if(abs(double({})) < double('inf'), "
                         f"double({{}}) * {SCALE!r}D, null))")}


def spark():
    from pyspark.sql import SparkSession
    s = (SparkSession.builder.master(os.environ.get("JFREC_TEST_SPARK", "local[2]"))
         .config("spark.ui.enabled", "false").config("spark.sql.session.timeZone", "UTC")
         .config("spark.sql.shuffle.partitions", "1").getOrCreate())
    s.sparkContext.setLogLevel("ERROR")

    def ask(path, columns):
        # A path is a pattern for it.
        path = "".join("\\" + c if c in "*?[]{}\\" else c for c in path)
        view = f"t{abs(hash(path))}"
        s.read.parquet(path).createOrReplaceTempView(view)
        text = statement(columns, view, SPARK_FORMS, "`")
        return answer(s.sql(text).collect()[0], columns)
    return ask


def main():
    ask = {"duckdb": duckdb, "clickhouse": clickhouse, "polars": polars, "pyarrow": pyarrow,
           "spark": spark}[sys.argv[1]]()

    def reply(line):
        question = json.loads(line)
        try:
            return ask(question["path"], [tuple(c) for c in question["columns"]])
        except Exception as e:  # whatever an engine raises is its answer
            return f"{type(e).__name__}: {e}"[:600]

    jobs = 4 if sys.argv[1] == "spark" else 1
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for found in pool.map(reply, sys.stdin):
            print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
