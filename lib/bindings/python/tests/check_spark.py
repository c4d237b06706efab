#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does the data source "jfr" of Spark have the rows of `jfrec sql`?

usage: check_spark.py JFREC SOURCE_ROOT WORK_DIRECTORY

Runs with the package on its path; tests/cli/spark.py builds and calls it. Spark runs as a cluster
of two executors, which are processes of their own, and of which one is killed at the end.
"""

import collections
import json
import math
import os
import re
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(sys.argv[2], "tests"))
import pyarrow  # noqa: E402
from pyspark.sql import SparkSession, functions  # noqa: E402
from pyspark.sql.datasource import DataSourceReader  # noqa: E402

import fleet  # noqa: E402
import jfrec  # noqa: E402
from tap import finish, result, skip  # noqa: E402

tool, root, work = sys.argv[1:4]
OK = root + "/tests/data/ok/"


def session():
    s = (SparkSession.builder.master(os.environ.get("JFREC_TEST_SPARK", "local-cluster[2,1,700]"))
         .config("spark.ui.enabled", "false").config("spark.sql.session.timeZone", "UTC")
         .config("spark.sql.shuffle.partitions", "2").config("spark.executor.memory", "600m")
         .config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
         .config("spark.executorEnv.LD_LIBRARY_PATH", os.environ.get("LD_LIBRARY_PATH", ""))
         .config("spark.local.dir", work + "/spark").config("spark.sql.ansi.enabled", "true")
         .getOrCreate())
    s.sparkContext.setLogLevel("OFF")
    return s


def by_sql(recordings, statement):
    done = subprocess.run([tool, "sql", "--ndjson", *recordings, statement], capture_output=True,
                          check=False)
    return [list(json.loads(line).values()) for line in done.stdout.splitlines()]


def rows_of(frame, columns):
    """As by_sql() has them, in whose JSON there is neither NaN nor infinity."""
    return [[None if isinstance(row[i], float) and not math.isfinite(row[i]) else row[i]
             for i in range(len(columns))] for row in frame.collect()]


def same_rows(name, spark, recordings, event, columns, where="1", **options):
    """Rows of some columns, of which the first is startTime."""
    listed = ", ".join(f'"{c}"' for c in columns[1:])
    # One by one, since chunks that are read as one recording share a clock.
    statement = f'SELECT startTime / 1000, {listed} FROM "{event}" WHERE {where}'
    wanted = [row for r in recordings for row in by_sql([r], statement)]
    reader = spark.read.format("jfr").option("events", event)
    for key, value in options.items():
        reader = reader.option(key, value)
    frame = reader.load(recordings[0] if len(recordings) == 1 else recordings)
    if where != "1":
        frame = frame.filter(where)
    picked = [functions.unix_micros(functions.col("startTime"))] + \
        [functions.col(f"`{c}`") for c in columns[1:]]
    got = rows_of(frame.select(*picked), columns)
    count = [collections.Counter(json.dumps(r, default=int) for r in rows) for rows in (wanted, got)]
    result(wanted and count[0] == count[1], f"{name}: {event}", len(wanted), len(got),
           *list(count[0] - count[1])[:3], *list(count[1] - count[0])[:3])
    return frame


# What it reads ----------------------------------------------------------------------------------

def check_rows(spark):
    both = [OK + "jvm-17.jfr", OK + "jvm-25.jfr"]
    frame = same_rows("two JDKs", spark, both, "jdk.ThreadAllocationStatistics",
                      ["startTime", "allocated", "thread.javaName"])
    result(frame.select("recording").distinct().count() == 2, "each row has its recording")
    same_rows("stack traces", spark, both, "jdk.JavaMonitorWait",
              ["startTime", "eventThread.javaName", "monitorClass", "timeout", "stackTrace"])
    same_rows("by its simple name", spark, both[:1], "ClassDefine", ["startTime", "definedClass"])
    frame = spark.read.format("jfr").option("events", "JavaMonitorWait").load(both)
    there = {r["recording"].rsplit("/", 1)[1]: r["eventThread.virtual"] for r in frame.collect()}
    result(there == {"jvm-17.jfr": None, "jvm-25.jfr": False}, "a column that one JDK lacks", there)
    same_rows("all kinds of fields", spark, [OK + "fields-25.jfr"], "rec.Plain",
              ["startTime"] + plain_columns(OK + "fields-25.jfr", "rec.Plain"))
    frame = spark.read.format("jfr").option("events", "ClassDefine").load(OK)
    counted = by_sql(sorted(OK + f for f in os.listdir(OK) if f.endswith(".jfr")),
                     'SELECT count(*) FROM ClassDefine')
    result(frame.count() == counted[0][0], "a directory", frame.count(), counted)
    frame = spark.read.format("jfr").option("events", "ClassDefine").option(
        "columns", "stackTrace").load(OK + "jvm-*.jfr")
    result(frame.columns == ["stackTrace", "recording"] and
           frame.count() == by_sql(both, "SELECT count(*) FROM ClassDefine")[0][0],
           "a pattern, and the columns that are asked for", frame.columns)
    frame = spark.read.format("jfr").schema("stackTrace string, unknown int").option(
        "events", "ClassDefine").load(both[0])
    result([r["unknown"] for r in frame.collect()] == [None] * frame.count(),
           "a schema of one's own; what there is not is null")
    same_rows("an expression", spark, both, "jdk.ThreadAllocationStatistics",
              ["startTime", "allocated"], where="allocated > 100000")
    frame = spark.read.format("jfr").option("events", "ThreadAllocationStatistics").option(
        "where", "allocated > 100000").load(both)
    wanted = by_sql(both, "SELECT count(*) FROM ThreadAllocationStatistics WHERE allocated > 100000")
    result(frame.count() == wanted[0][0], "an expression of jfrec", frame.count(), wanted)


def check_frames(spark):
    """Stack traces as lists, beside those of the Python package."""
    both, event = [OK + "jvm-17.jfr", OK + "jvm-25.jfr"], "jdk.JavaMonitorWait"
    frame = spark.read.format("jfr").option("events", event).option("stack", "frames").load(both)
    got = [r["stackTrace"] for r in frame.select("stackTrace").collect()]
    wanted = []
    for path in both:
        table = jfrec.open(path).table(event, ["stackTrace"], stack="frames")
        wanted += pyarrow.table(table)["stackTrace"].to_pylist()
    got = [stack and [f.asDict() for f in stack] for stack in got]
    result(any(wanted) and sorted(map(json.dumps, got)) == sorted(map(json.dumps, wanted)),
           "stack traces as lists of frames", got[:1], wanted[:1])
    line = frame.selectExpr("stackTrace[0].line AS line").collect()
    result([r["line"] for r in line].count(-1) > 0, "which SQL takes apart", line[:3])


def plain_columns(recording, event):
    kinds = ("int8", "int16", "int32", "int64", "float64", "text")
    columns = jfrec.open(recording).types(event)[0].columns
    return [c.name for c in columns if c.kind in kinds and "." not in c.name][:8]


PUSHDOWN = "spark.sql.python.filterPushdown.enabled"


def check_times(spark, pushed):
    """Times hold; pushed: they are pushed down, as Spark 4.1 can where it is configured so."""
    how = "pushed down" if pushed else "by Spark"
    if pushed and not hasattr(DataSourceReader, "pushFilters"):
        skip("times are pushed down", "Spark 4.1 is the first that can")
        return
    spark.conf.set(PUSHDOWN, str(pushed).lower())
    recording = OK + "jvm-25.jfr"
    times = sorted(r[0] // 1000 for r in by_sql(
        [recording], "SELECT startTime FROM ThreadAllocationStatistics"))
    middle = times[len(times) // 2]
    frame = spark.read.format("jfr").option("events", "ThreadAllocationStatistics").option(
        "pushFilters", str(pushed).lower()).load(recording)
    at = functions.timestamp_micros(functions.lit(middle))
    for word, column, wanted in (
            ("from", functions.col("startTime") >= at, sum(t >= middle for t in times)),
            ("after", functions.col("startTime") > at, sum(t > middle for t in times)),
            ("until", functions.col("startTime") <= at, sum(t <= middle for t in times)),
            ("before", functions.col("startTime") < at, sum(t < middle for t in times)),
            ("at", functions.col("startTime") == at, sum(t == middle for t in times))):
        got = frame.filter(column).count()
        result(got == wanted, f"{word} a time, {how}", got, wanted)
    spark.conf.set(PUSHDOWN, "false")


def check_parts(spark):
    """Large recordings are split by chunks, and small ones packed."""
    many = work + "/many.jfr"
    chunks = []
    for name in ("jvm-17.jfr", "jvm-25.jfr", "contexts-25.jfr"):
        with open(OK + name, "rb") as f:
            chunks.append(f.read())
    with open(many, "wb") as f:
        f.write(b"".join(chunks) * 3)
    number = len(jfrec.open(many).chunks())
    frame = same_rows("in parts", spark, [many], "jdk.ThreadAllocationStatistics",
                      ["startTime", "allocated", "thread.javaName"], partitionBytes="1")
    result(number >= 9 and frame.rdd.getNumPartitions() == number, "a task for each chunk",
           number, frame.rdd.getNumPartitions())
    files = [OK + "jvm-17.jfr", OK + "jvm-25.jfr", OK + "contexts-25.jfr"]
    frame = spark.read.format("jfr").option("events", "ClassDefine").load(files)
    result(frame.rdd.getNumPartitions() == 1, "one task for small files",
           frame.rdd.getNumPartitions())


def check_bad(spark):
    bad, good, damaged = work + "/bad.jfr", OK + "jvm-17.jfr", work + "/damaged.jfr"
    with open(bad, "wb") as f:
        f.write(b"this is no recording, whatever it is called" * 100)
    with open(good, "rb") as f:
        data = bytearray(f.read())
    with open(damaged, "wb") as f:
        f.write(data + b"garbage" * 100)
    rows = by_sql([good], "SELECT count(*) FROM ThreadAllocationStatistics")[0][0]

    def read(errors, *paths):
        frame = spark.read.format("jfr").option("events", "ThreadAllocationStatistics").option(
            "errors", errors).load(list(paths))
        return frame.collect()

    for name, path in (("a file that is not a recording", bad), ("a damaged one", damaged),
                       ("a missing one", work + "/gone-[x].jfr")):
        try:
            read("fail", good, path)
            said = ""
        except Exception as e:  # of Spark, Py4J or Python
            said = str(e)
        result(path in said, f"{name} fails the job by default", said[-600:])
    got = read("skip", good, bad, damaged)
    result(len(got) == 2 * rows, "it is skipped", len(got), rows)
    got = read("report", good, bad, damaged)
    failures = [r for r in got if r["error"] is not None]
    result(len(got) - len(failures) == 2 * rows and
           {os.path.basename(r["recording"]) for r in failures} == {"bad.jfr", "damaged.jfr"} and
           all(r["startTime"] is None for r in failures), "or a row says why",
           *[r["error"] for r in failures])
    for options, words in (({}, "name one event type"), ({"events": "a,b"}, "name one event type"),
                           ({"events": "x", "errors": "no"}, "errors must be"),
                           ({"events": "x", "stack": "no"}, "stack must be"),
                           ({"events": "jdk.NoSuch"}, "no recording has events called jdk.NoSuch")):
        try:
            reader = spark.read.format("jfr")
            for key, value in options.items():
                reader = reader.option(key, value)
            reader.load(good).collect()
            said = ""
        except Exception as e:
            said = str(e)
        result(words in said, f"options {options} are refused", said[-600:])


# Questions --------------------------------------------------------------------------------------

def check_questions(spark):
    """The five of jfrec-engines(7), on Parquet, in the words of Spark."""
    recordings, _ = fleet.export(tool, root, work)
    with open(root + "/man/jfrec-engines.7.scd", encoding="utf-8") as f:
        blocks = [b for b in re.findall(r"(?ms)^```\n(.*?)^```$", f.read())
                  if b.startswith("SELECT") and "parquet.`" in b]
    result(len(blocks) == 5, "the page has five questions for Spark", len(blocks))
    os.chdir(work)
    for block in blocks:
        table = re.search(r"lake/([^`/]*)", block)[1]
        got = spark.sql(block.replace("`lake/", f"`{work}/lake/")).collect()
        events = by_sql(recordings, f'SELECT count(*) FROM "{table}"')[0][0]
        total = sum(int(r[-1]) for r in got)
        result(got and total <= events and (len(got) == 20 or total == events),
               f"the page's question of {table}", total, events)


# Killed -----------------------------------------------------------------------------------------

def children_of(pid):
    """All processes below it, with their command lines."""
    parents, found = {}, {}
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as f:
                parents[int(name)] = int(f.read().rsplit(")", 1)[1].split()[1])
            with open(f"/proc/{name}/cmdline", encoding="utf-8", errors="replace") as f:
                found[int(name)] = f.read().replace("\0", " ")
        except (OSError, ValueError):
            continue

    def is_below(p):
        while p in parents and p != pid:
            p = parents[p]
        return p == pid
    return {p: line for p, line in found.items() if p != pid and p in parents and is_below(p)}


def check_killed(spark):
    """A job goes on when the process that reads, and then the whole executor, is killed."""
    many = work + "/many.jfr"
    wanted = by_sql([many], "SELECT count(*), sum(allocated) FROM ThreadAllocationStatistics")[0]
    reader = spark.read.format("jfr").option("events", "ThreadAllocationStatistics").option(
        "partitionBytes", "1")

    def slowly(batches):
        for batch in batches:
            time.sleep(0.7)
            yield batch

    for what, word in (("a worker of Python", "pyspark.daemon"),
                       ("an executor", "CoarseGrainedExecutorBackend")):
        frame = reader.load(many).select("allocated")
        frame = frame.mapInArrow(slowly, "allocated decimal(20, 0)")
        answer, killed = [], []

        def work_on(to=answer, frame=frame):
            to.append(frame.agg(functions.count("*"), functions.sum("allocated")).collect()[0])
        job = threading.Thread(target=work_on)
        job.start()
        end = time.monotonic() + 240
        while job.is_alive() and not killed and time.monotonic() < end:
            time.sleep(0.3)
            tracker = spark.sparkContext.statusTracker()
            running = [tracker.getStageInfo(s) for s in tracker.getActiveStageIds()]
            if not any(i and i.numCompletedTasks >= 1 for i in running):
                continue
            for pid, line in children_of(os.getpid()).items():
                if word in line and not killed:
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)
        job.join(400)
        result(killed and answer and list(answer[0]) == wanted, f"{what} is killed in between",
               killed, answer, wanted)


def main():
    spark = session()
    check_rows(spark)
    check_frames(spark)
    check_times(spark, False)
    check_times(spark, True)
    check_parts(spark)
    check_bad(spark)
    check_questions(spark)
    check_killed(spark)
    spark.stop()
    finish()


main()
