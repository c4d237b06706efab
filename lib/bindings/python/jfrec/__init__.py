# SPDX-License-Identifier: MIT
"""Read JDK Flight Recorder recordings without a JVM.

    r = jfrec.open("app.jfr")
    pyarrow.table(r.table("jdk.GCPhasePause"))

A recording is opened by its path, its bytes, or an open file; each method reads it on its own, so
several threads may use one Recording, and none holds the interpreter's lock while it decodes.
Times are nanoseconds since 1970, UTC; durations are nanoseconds. What cannot be done is an Error
with the library's sentence; parts that cannot be read are a DamageWarning.
"""

from __future__ import annotations

import datetime as _datetime
import os as _os
import re as _re
import tempfile as _tempfile
import time as _time
from collections.abc import Iterable, Iterator
from io import UnsupportedOperation as _UnsupportedOperation
from typing import IO, Any, NamedTuple, Union

from . import _jfrec
from ._jfrec import DamageWarning, Error

__all__ = ["Chunk", "Column", "DamageWarning", "Error", "Event", "Jvm", "Profile", "Recording", "Stack",
           "Summary", "Table", "Type", "TypeSummary", "View", "jvms", "open", "record", "view"]
__version__: str = _jfrec.version

_open = open
_Path = Union[str, bytes, "_os.PathLike[Any]"]
_File = IO[bytes]
Time = Union[int, _datetime.datetime, None]


class Chunk(NamedTuple):
    """A part of a recording that explains itself: where it is in its file, and its time."""

    offset: int
    size: int
    start_ns: int
    duration_ns: int


class Column(NamedTuple):
    """A column of a table; jfrec-tables(5) describes them."""

    name: str
    field: str
    label: str | None
    type: str
    #: bool, int8 to int64, uint8 to uint64, float32, float64, time, span, text, class, loader,
    #: method, frame, stack, json
    kind: str
    unit: str | None
    is_nullable: bool


class Type(NamedTuple):
    """An event type, and the columns of its table."""

    name: str
    type: str
    label: str | None
    description: str | None
    category: str | None
    columns: list[Column]


class TypeSummary(NamedTuple):
    """How many events of a type there are."""

    name: str
    label: str | None
    count: int
    bytes: int
    first_ns: int
    last_ns: int


class Summary(NamedTuple):
    """What a recording holds; damage is the number of places that cannot be read."""

    start_ns: int
    end_ns: int
    chunks: int
    damage: int
    types: list[TypeSummary]


class Event(NamedTuple):
    """An event: the name of its table, and its values by column."""

    type: str
    values: dict[str, Any]


class Stack(NamedTuple):
    """A stack, from the root to the top, and what it weighs."""

    frames: tuple[str, ...]
    weight: int


class Profile(NamedTuple):
    """Stacks by weight, the heaviest first; unit is samples, ns or bytes."""

    unit: str
    samples: int
    value: int
    stackless: int
    stacks: list[Stack]


class View(NamedTuple):
    """The answer to a view or query: labels and units of the columns, and the rows."""

    title: str | None
    columns: list[str]
    units: list[str | None]
    rows: list[tuple[Any, ...]]


class Jvm(NamedTuple):
    """A JVM of this host."""

    pid: int
    kind: str
    jdk: int
    version: str | None
    user: str | None
    container: str | None
    main: str
    command: str
    started_ns: int
    attachable: bool
    reason: str | None


def _ns(time: Time) -> int | None:
    if not isinstance(time, _datetime.datetime):
        return time
    if time.tzinfo is None:
        raise ValueError("a time without a zone; use datetime.timezone.utc")
    since = time - _datetime.datetime(1970, 1, 1, tzinfo=_datetime.timezone.utc)
    return (since // _datetime.timedelta(microseconds=1)) * 1000


def _list(where: str | Iterable[str] | None) -> list[str]:
    if where is None:
        return []
    return [where] if isinstance(where, str) else list(where)


def _names(events: str | Iterable[str] | None) -> str | None:
    return events if events is None or isinstance(events, str) else ",".join(events)


class Table:
    """The rows of one event type, for whatever takes Arrow's PyCapsule interface.

    pyarrow.table(t), polars.DataFrame(t), pandas.DataFrame.from_arrow(t). Nothing is read before,
    and each time it is taken the recording is read again. Texts are dictionaries, each text once for
    all rows of a batch that have it; cast(pyarrow.string()) makes plain ones of a column.
    """

    def __init__(self, recording: Recording, name: str, columns: list[str] | None,
                 where: list[str], start: int | None, end: int | None, batch_rows: int,
                 chunks: tuple[int, int | None] | None, stack_frames: bool) -> None:
        self.recording, self.name, self.columns = recording, name, columns
        self._where, self._start, self._end, self._rows = where, start, end, batch_rows
        self._stack_frames = stack_frames
        self._chunks = (0, 0)
        if chunks is not None:
            first, count = chunks
            if first < 0 or (count is not None and count < 1):
                raise ValueError(f"there are no chunks {chunks}; the first one is 0")
            self._chunks = (first + 1, (1 << 64) - 1 if count is None else count)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule with an ArrowArrayStream; a schema that is asked for is not followed."""
        return _jfrec.stream(self.recording._source(), None, self._where, self._start, self._end,
                             self.name, self.columns, self._rows, *self._chunks,
                             self._stack_frames)

    def __repr__(self) -> str:
        return f"<jfrec.Table {self.name} of {self.recording!r}>"


class Recording:
    """A recording, or several that are read as one. Made by jfrec.open() and jfrec.record()."""

    def __init__(self, source: list[bytes] | bytes | int, name: str) -> None:
        self._given: list[bytes] | bytes | int | None = source
        self._name = name

    def _source(self) -> list[bytes] | bytes | int:
        if self._given is None:
            raise ValueError("the recording is closed")
        return self._given

    def close(self) -> None:
        """Close the descriptor, if it was opened by one. Others need not be closed."""
        given, self._given = self._given, None
        if isinstance(given, int):
            _os.close(given)

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __del__(self) -> None:
        if isinstance(getattr(self, "_given", None), int):
            self.close()

    def __repr__(self) -> str:
        return f"<jfrec.Recording {self._name}>"

    def types(self, events: str | Iterable[str] | None = None) -> list[Type]:
        """The event types that the recording declares, each a table: all of them or these, whose
        names may have asterisks."""
        return [Type(*head, [Column(*c) for c in columns])
                for *head, columns in _jfrec.tables(self._source(), _names(events), [])]

    def chunks(self) -> list[Chunk]:
        """The chunks, by their headers: what several processes can share a recording by."""
        return [Chunk(*c) for c in _jfrec.chunks(self._source())]

    def table(self, name: str, columns: Iterable[str] | None = None,
              where: str | Iterable[str] | None = None, start: Time = None, end: Time = None,
              *, batch_rows: int = 0, chunks: tuple[int, int | None] | None = None,
              stack: str = "string") -> Table:
        """The events of a type: all columns or these, for which `where` holds (jfrec-where(7)),
        which began at `start` or later and before `end`.

        chunks: only those of chunks(), from the index of the first one on, and how many (None:
        all that follow). The tables of all parts have the rows of the whole.

        stack: stack traces are strings, the methods from the top separated by semicolons; with
        "frames" they are lists of structs: method, line, bci (bytecode index) and type."""
        if stack not in ("string", "frames"):
            raise ValueError(f'stack must be "string" or "frames", not {stack!r}')
        if isinstance(columns, str):
            columns = [columns]
        return Table(self, name, None if columns is None else list(columns), _list(where),
                     _ns(start), _ns(end), batch_rows, chunks, stack == "frames")

    def events(self, events: str | Iterable[str] | None = None,
               where: str | Iterable[str] | None = None, start: Time = None,
               end: Time = None) -> Iterator[Event]:
        """The events one by one, in the order of the recording: of all types or of these, whose
        names may have asterisks."""
        for name, values in _jfrec.Rows(self._source(), _names(events), _list(where), _ns(start),
                                        _ns(end)):
            yield Event(name, values)

    def summary(self) -> Summary:
        """How many events of each type there are, and when the recording began and ended."""
        *head, types = _jfrec.summary(self._source(), None, [])
        return Summary(*head, [TypeSummary(*t) for t in types])

    def stacks(self, profile: str = "cpu", *, weight: str | None = None, by_thread: bool = False,
               with_lines: bool = False, counts: bool = False,
               where: str | Iterable[str] | None = None, start: Time = None,
               end: Time = None) -> Profile:
        """Where time or memory goes: cpu, wall, alloc, lock, io, exceptions and others, or an
        event type with stack traces, weighed by one of its fields."""
        *head, text = _jfrec.stacks(self._source(), None, _list(where), _ns(start), _ns(end),
                                    profile, weight, by_thread, with_lines, counts)
        stacks = []
        for line in text.decode("utf-8", "replace").splitlines():
            frames, _, number = line.rpartition(" ")
            stacks.append(Stack(tuple(frames.split(";")), int(number)))
        stacks.sort(key=lambda s: (-s.weight, s.frames))
        return Profile(*head, stacks)

    def view(self, name: str, *, events: str | Iterable[str] | None = None,
             where: str | Iterable[str] | None = None, start: Time = None,
             end: Time = None) -> View:
        """The answer to a view such as "hot-methods", to a query (jfrec-query(7)), or the events of
        a type as a table."""
        title, columns, rows = _jfrec.view(self._source(), _names(events), _list(where),
                                           _ns(start), _ns(end), name)
        return View(title, [c[0] for c in columns], [c[1] for c in columns], rows)


def open(
    source: _Path | bytearray | memoryview | int | _File | Iterable[_Path],
) -> Recording:
    """Open a recording: a path; the bytes of one; an open file, or the number of a file
    descriptor, which is duplicated; or several paths, to be read as one. It is read by the methods
    of the result, of which the first one finds out whether it is there.

    Of an open file all is read, wherever its position is; of one that has no descriptor, such as
    io.BytesIO, what read() gives.

    A bytes object is a recording if it begins as one (or is compressed), else a path.
    """
    if isinstance(source, int):
        return Recording(_os.dup(source), f"descriptor {source}")
    if hasattr(source, "fileno"):
        return _open_file(source)
    if isinstance(source, (bytearray, memoryview)):
        source = bytes(source)
    if isinstance(source, bytes) and _is_recording(source):
        return Recording(source, f"{len(source)} bytes")
    if isinstance(source, (str, bytes, _os.PathLike)):
        return Recording([_os.fsencode(source)], _os.fsdecode(source))
    paths = [_os.fsencode(p) for p in source]
    return Recording(paths, f"{len(paths)} recordings")


def _open_file(file: _File) -> Recording:
    """Its lines are no paths, though a file can be iterated, too."""
    try:
        return Recording(_os.dup(file.fileno()), str(getattr(file, "name", "an open file")))
    except _UnsupportedOperation:
        data = file.read()
    if not isinstance(data, bytes):
        raise TypeError(f"a recording is read from a binary file, not from {type(file).__name__}")
    return Recording(data, f"{len(data)} bytes")


def _is_recording(data: bytes) -> bool:
    """A path has no NUL, and a recording, compressed or not, hardly goes without."""
    return b"\0" in data or data[:4] in (b"FLR\0", b"\x28\xb5\x2f\xfd") or len(data) > 4096


def view(source: _Path | bytes | int | Recording, name: str, **options: Any) -> View:
    """open(source).view(name, ...)"""
    recording = source if isinstance(source, Recording) else open(source)
    return recording.view(name, **options)


def jvms(target: str | int | None = None) -> list[Jvm]:
    """The JVMs of this host, or those that a pid or a part of a main class means. None is
    attached to."""
    return [Jvm(**j) for j in _jfrec.jvms(None if target is None else str(target))]


_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}


def _seconds(duration: str | float | _datetime.timedelta) -> float:
    if isinstance(duration, _datetime.timedelta):
        return duration.total_seconds()
    if isinstance(duration, (int, float)):
        return float(duration)
    found = _re.fullmatch(r"(\d+)(ms|s|m|h|d)", duration)
    if not found:
        raise ValueError(f"{duration!r} is not a duration; use 30s, 5m or 2h")
    return int(found[1]) * _UNITS[found[2]]


def record(target: str | int, duration: str | float | _datetime.timedelta,
           settings: str | None = "profile", path: _Path | None = None) -> Recording:
    """Record a JVM, which a pid or a part of its main class means, and fetch the recording: into
    a file, which must not exist, or without a path into an unnamed temporary one.

    settings: a configuration that the JVM knows, "default" or "profile". On an exception, such as
    KeyboardInterrupt, the recording in the JVM ends, too.
    """
    seconds = _seconds(duration)
    session = _jfrec.Session(str(target), settings, int(seconds) + 1)
    try:
        _time.sleep(seconds)
        if path is None:
            with _tempfile.TemporaryFile() as file:
                session.fetch(file.fileno())
                return open(file.fileno())
        with _open(path, "xb", opener=lambda p, flags: _os.open(p, flags, 0o600)) as file:
            try:
                session.fetch(file.fileno())
            except BaseException:
                _os.unlink(path)
                raise
        return open(path)
    finally:
        session.close()
