# SPDX-License-Identifier: MIT
"""Recordings as a data source of Spark 4.

    spark.read.format("jfr").option("events", "jdk.GCPhasePause").load("/recordings/*.jfr")

Each row is an event of one type, with the columns that jfrec-tables(5) describes, and `recording`,
the file. Spark finds the format by itself where this package is installed, on the driver and on all
workers; else call jfrec.spark.register(spark). Files must have the same path on all of them.

Options:

events          the event type, in full or by its simple name
path            a file, a directory or a pattern; load() sets it
columns         names separated by commas: only these are decoded, as with a schema of one's own
where           an expression (jfrec-where(7)) that events must fulfil
stack           "string" (default): stack traces are the methods from the top, separated by
                semicolons; "frames": arrays of structs: method, line, bci (bytecode index), type
errors          "fail" (default): what cannot be read fails the job; "skip": it is left out;
                "report": it is left out, and a row with its sentence in the column `error`, which
                there is then, stands for it
partitionBytes  about how much of the recordings a task reads (64 MB): larger recordings are split
                by their chunks, smaller ones are read together
pushFilters     "true": conditions on startTime are pushed down, so that other rows are not made.
                Needs Spark 4.1, with spark.sql.python.filterPushdown.enabled set to true
"""

from __future__ import annotations

import datetime
import glob
import json
import os
import urllib.parse
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import pyarrow
import pyarrow.compute
from pyspark.sql import SparkSession
from pyspark.sql import types as sql
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

import jfrec

__all__ = ["JfrDataSource", "register"]

_PARTITION_BYTES = 64 << 20
_SUFFIXES = (".jfr", ".jfr.gz", ".jfr.zst", ".jfr.lz4", ".jfr.xz")
_INTEGERS = {"bool": 1, "int8": 8, "int16": 16, "int32": 32, "int64": 64,
             "uint8": 9, "uint16": 17, "uint32": 33, "uint64": 65}
_TYPES: dict[str, Any] = {
    "bool": sql.BooleanType, "int8": sql.ByteType, "int16": sql.ShortType,
    "int32": sql.IntegerType, "int64": sql.LongType, "uint8": sql.ShortType,
    "uint16": sql.IntegerType, "uint32": sql.LongType,
    "uint64": lambda: sql.DecimalType(20, 0), "float32": sql.FloatType,
    "float64": sql.DoubleType, "time": sql.TimestampType, "span": sql.LongType}
_FRAMES = sql.ArrayType(sql.StructType([
    sql.StructField("method", sql.StringType()), sql.StructField("line", sql.IntegerType()),
    sql.StructField("bci", sql.IntegerType()), sql.StructField("type", sql.StringType())]))


def register(spark: SparkSession) -> None:
    """Have this session know the format "jfr"."""
    spark.dataSource.register(JfrDataSource)


# Files ------------------------------------------------------------------------------------------

def _local(path: str) -> str:
    """The path in a URL; what is no URL is one."""
    scheme = urllib.parse.urlsplit(path).scheme
    if scheme not in ("", "file"):
        raise ValueError(f"{path}: only files can be read; copy them, or mount what has them")
    return urllib.parse.unquote(urllib.parse.urlsplit(path).path) if scheme else path


def _in_directory(path: str) -> list[str]:
    found = [os.path.join(at, name) for at, _, names in os.walk(path) for name in names
             if name.endswith(_SUFFIXES) and not name.startswith((".", "_"))]
    return sorted(found)


def _files(options: dict[str, str]) -> list[str]:
    """All files that are named, each pattern's and directory's in order."""
    patterns = json.loads(options["paths"]) if "paths" in options else []
    if "path" in options:
        patterns.append(options["path"])
    if not patterns:
        raise ValueError("no recording is named; call load() with a path")
    found: list[str] = []
    for pattern in map(_local, patterns):
        names = [pattern] if os.path.exists(pattern) else sorted(glob.glob(pattern, recursive=True))
        if not names:
            raise FileNotFoundError(f"there is no file {pattern}")
        for name in names:
            found += _in_directory(name) if os.path.isdir(name) else [name]
    return list(dict.fromkeys(found))


# Types ------------------------------------------------------------------------------------------

def _both(a: str, b: str) -> str:
    """The kind of a column that has both, as jfrec-tables(5) says."""
    if a == b:
        return a
    if a in _INTEGERS and b in _INTEGERS:
        if "uint64" in (a, b):
            return "uint64" if a[0] == b[0] == "u" else "int64"
        most = max(_INTEGERS[a], _INTEGERS[b])
        if a[0] == b[0] == "u" or most in (1, 8, 16, 32, 64):
            return a if _INTEGERS[a] == most else b
        return {9: "int16", 17: "int32", 33: "int64"}[most]
    narrow = {"bool", "int8", "int16", "int32", "uint8", "uint16", "uint32"}
    floats = {"float32", "float64"}
    if {a, b} & floats and {a, b} <= floats | narrow:
        return "float64"
    return "text"


def _columns_of(path: str, event: str) -> list[jfrec.Column] | None:
    """None: it has no such events."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        types = jfrec.open(path).types(event)
    exact = [t for t in types if event in (t.type, t.name)] or types
    return exact[0].columns if exact else None


def _field(name: str, kind: str, stack: str = "string") -> sql.StructField:
    if kind == "stack" and stack == "frames":
        return sql.StructField(name, _FRAMES, True)
    return sql.StructField(name, _TYPES.get(kind, sql.StringType)(), True)


class _Plain(NamedTuple):
    """Who wants what, without Spark's own."""

    event: str
    columns: list[str] | None
    where: str | None
    errors: str
    stack: str
    partition_bytes: int
    push_filters: bool


def _plain(given: dict[str, str]) -> _Plain:
    # Spark keeps case in some places and not in others.
    options = {name.lower(): value for name, value in given.items()}
    event = options.get("events", "")
    if not event or any(c in event for c in "*?,"):
        raise ValueError('name one event type, such as .option("events", "jdk.GCPhasePause")')
    errors = options.get("errors", "fail")
    if errors not in ("fail", "skip", "report"):
        raise ValueError(f'errors must be "fail", "skip" or "report", not "{errors}"')
    stack = options.get("stack", "string")
    if stack not in ("string", "frames"):
        raise ValueError(f'stack must be "string" or "frames", not "{stack}"')
    columns = options.get("columns")
    size = int(options.get("partitionbytes", _PARTITION_BYTES))
    return _Plain(event, [c.strip() for c in columns.split(",")] if columns else None,
                  options.get("where"), errors, stack, max(size, 1),
                  options.get("pushfilters", "false").lower() == "true")


def _name_beside(names: set[str], wanted: str) -> str:
    name, n = wanted, 2
    while name.lower() in names:
        name, n = f"{wanted}_{n}", n + 1
    return name


class JfrDataSource(DataSource):
    """The format "jfr"."""

    @classmethod
    def name(cls) -> str:
        return "jfr"

    def schema(self) -> sql.StructType:
        how = _plain(self.options)
        kinds: dict[str, tuple[str, str]] = {}
        failures = []
        for path in _files(self.options):
            try:
                columns = _columns_of(path, how.event)
            except (jfrec.Error, OSError) as e:
                if how.errors == "fail":
                    raise ValueError(f"{path}: {e}") from None
                failures.append(f"{path}: {e}")
                continue
            for c in columns or []:
                name, kind = kinds.get(c.name.lower(), (c.name, c.kind))
                kinds[c.name.lower()] = name, _both(kind, c.kind)
        if not kinds:
            raise ValueError(f"no recording has events called {how.event}" +
                             "".join(f"; {f}" for f in failures[:3]))
        fields = [_field(*k, how.stack) for k in kinds.values()]
        if how.columns is not None:
            unknown = [c for c in how.columns if c.lower() not in kinds]
            if unknown:
                raise ValueError(f"{how.event} has no column {unknown[0]}")
            fields = [_field(*kinds[c.lower()], how.stack) for c in how.columns]
        fields.append(_field(_name_beside(set(kinds), "recording"), "text"))
        if how.errors == "report":
            fields.append(_field(_name_beside(set(kinds), "error"), "text"))
        return sql.StructType(fields)

    def reader(self, schema: sql.StructType) -> DataSourceReader:
        how = _plain(self.options)
        kind = _PushingReader if how.push_filters else _Reader
        return kind(_files(self.options), how, schema)


# Reading ----------------------------------------------------------------------------------------

class _Part(NamedTuple):
    """Some chunks of a file: from the index of the first one on; count is None: all that follow."""

    path: str
    first: int
    count: int | None


class _Partition(InputPartition):
    def __init__(self, parts: list[_Part]) -> None:
        super().__init__([tuple(p) for p in parts])


def _split(path: str, most: int) -> list[tuple[_Part, int]]:
    """A file in parts of about that size, with their sizes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            size = os.stat(path).st_size
            chunks = jfrec.open(path).chunks() if size > most and path.endswith(".jfr") else []
        except (jfrec.Error, OSError):
            # Whoever reads it finds out, too.
            return [(_Part(path, 0, None), 0)]
    parts, first, sum_of = [], 0, 0
    for i, chunk in enumerate(chunks):
        sum_of += chunk.size
        if sum_of >= most and i + 1 < len(chunks):
            parts.append((_Part(path, first, i + 1 - first), sum_of))
            first, sum_of = i + 1, 0
    parts.append((_Part(path, first, None), sum_of if chunks else size))
    return parts


def _nanoseconds(value: Any) -> int | None:
    if not isinstance(value, datetime.datetime):
        return None
    if value.tzinfo is None:
        value = value.astimezone()
    since = value - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return (since // datetime.timedelta(microseconds=1)) * 1000


class _Reader(DataSourceReader):
    def __init__(self, files: list[str], how: _Plain, schema: sql.StructType) -> None:
        self.files, self.how, self.schema = files, how, schema
        self.start: int | None = None
        self.end: int | None = None

    def _narrow(self, f: Any) -> None:
        """Times have microseconds here, and nanoseconds in the recording."""
        kind, column = type(f).__name__, getattr(f, "attribute", None)
        ns = _nanoseconds(getattr(f, "value", None))
        if ns is None or column is None or tuple(c.lower() for c in column) != ("starttime",):
            return
        if kind in ("GreaterThan", "GreaterThanOrEqual", "EqualTo"):
            self.start = ns if self.start is None else max(ns, self.start)
        if kind in ("LessThan", "LessThanOrEqual", "EqualTo"):
            end = ns + (0 if kind == "LessThan" else 1000)
            self.end = end if self.end is None else min(end, self.end)

    def partitions(self) -> list[InputPartition]:
        most, found = self.how.partition_bytes, []
        parts: list[_Part] = []
        sum_of = 0
        for path in self.files:
            for part, size in _split(path, most):
                if parts and sum_of + size > most:
                    found.append(_Partition(parts))
                    parts, sum_of = [], 0
                parts.append(part)
                sum_of += size
        return [*found, _Partition(parts)]

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        for part in partition.value:
            yield from self._read_part(_Part(*part))

    def _read_part(self, part: _Part) -> Iterator[pyarrow.RecordBatch]:
        with warnings.catch_warnings(record=True) as damage:
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", jfrec.DamageWarning)
            try:
                yield from self._batches(part)
                said = [str(w.message) for w in damage]
            except (jfrec.Error, OSError, pyarrow.ArrowException) as e:
                said = [str(w.message) for w in damage] + [str(e)]
        if said and self.how.errors == "fail":
            raise RuntimeError(f"{part.path}: {said[0]}; .option(\"errors\", \"report\") or "
                               "\"skip\" reads what is whole")
        if said and self.how.errors == "report":
            yield self._failures(part.path, said)

    def _batches(self, part: _Part) -> Iterator[pyarrow.RecordBatch]:
        columns = _columns_of(part.path, self.how.event)
        if columns is None:
            # Damage that hides them is to be told, too.
            jfrec.open(part.path).summary()
            return
        there = {c.name.lower(): c for c in columns}
        wanted = [there[f.name.lower()].name for f in self.schema.fields
                  if f.name.lower() in there]
        # An event without a column that is wanted is a row, too.
        table = jfrec.open(part.path).table(
            self.how.event, columns=wanted or [columns[0].name], where=self.how.where,
            start=self.start, end=self.end, chunks=(part.first, part.count),
            stack=self.how.stack)
        for batch in pyarrow.RecordBatchReader.from_stream(table):
            yield self._as_asked(batch, part.path, set(there))

    def _as_asked(self, batch: pyarrow.RecordBatch, path: str,
                  there: set[str]) -> pyarrow.RecordBatch:
        by_name = {name.lower(): batch.column(i) for i, name in enumerate(batch.schema.names)}
        recording = _name_beside(there, "recording")
        arrays, fields = [], []
        for f in self.schema.fields:
            kind = _arrow_type(f.dataType)
            if f.name.lower() in by_name:
                arrays.append(_cast(by_name[f.name.lower()], kind))
            elif f.name == recording:
                arrays.append(pyarrow.repeat(pyarrow.scalar(path), batch.num_rows))
            else:
                arrays.append(pyarrow.nulls(batch.num_rows, kind))
            fields.append(pyarrow.field(f.name, kind))
        return pyarrow.RecordBatch.from_arrays(arrays, schema=pyarrow.schema(fields))

    def _failures(self, path: str, said: list[str]) -> pyarrow.RecordBatch:
        """A row for each sentence. The last text columns are those that schema() added."""
        texts = [f.name for f in self.schema.fields if isinstance(f.dataType, sql.StringType)]
        error = [n for n in texts if n == "error" or n.startswith("error_")][-1:]
        recording = [n for n in texts if n == "recording" or n.startswith("recording_")][-1:]
        arrays, fields = [], []
        for f in self.schema.fields:
            kind = _arrow_type(f.dataType)
            value = said if [f.name] == error else [path] * len(said) if [f.name] == recording \
                else [None] * len(said)
            arrays.append(pyarrow.array(value, kind))
            fields.append(pyarrow.field(f.name, kind))
        return pyarrow.RecordBatch.from_arrays(arrays, schema=pyarrow.schema(fields))


class _PushingReader(_Reader):
    """Spark refuses a reader that has this method unless its configuration enables it."""

    # What is pushed down narrows what is read, and Spark looks at each row.
    def pushFilters(self, filters: list[Any]) -> Iterator[Any]:
        for f in filters:
            self._narrow(f)
            yield f


def _arrow_type(kind: sql.DataType) -> pyarrow.DataType:
    simple = {sql.BooleanType: pyarrow.bool_, sql.ByteType: pyarrow.int8,
              sql.ShortType: pyarrow.int16, sql.IntegerType: pyarrow.int32,
              sql.LongType: pyarrow.int64, sql.FloatType: pyarrow.float32,
              sql.DoubleType: pyarrow.float64, sql.StringType: pyarrow.string}
    if isinstance(kind, sql.ArrayType):
        return pyarrow.list_(_arrow_type(kind.elementType))
    if isinstance(kind, sql.StructType):
        return pyarrow.struct([(f.name, _arrow_type(f.dataType)) for f in kind.fields])
    if isinstance(kind, sql.DecimalType):
        return pyarrow.decimal128(kind.precision, kind.scale)
    if isinstance(kind, sql.TimestampType):
        return pyarrow.timestamp("us", "UTC")
    if type(kind) not in simple:
        raise ValueError(f"no column of a recording is {kind.simpleString()}")
    return simple[type(kind)]()


def _cast(array: pyarrow.Array, kind: pyarrow.DataType) -> pyarrow.Array:
    if pyarrow.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pyarrow.types.is_timestamp(array.type) and pyarrow.types.is_timestamp(kind):
        # Down, also before 1970: as in Parquet.
        array = pyarrow.compute.floor_temporal(array, unit="microsecond")
    if pyarrow.types.is_uint64(array.type) and pyarrow.types.is_int64(kind):
        return array.view(pyarrow.int64())
    return array.cast(kind, safe=False)
