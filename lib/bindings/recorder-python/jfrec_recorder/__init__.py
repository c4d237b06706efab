# SPDX-License-Identifier: MIT
"""Events of Python programs, by libjfrec-recorder.

    from jfrec_recorder import Event, Recorder

    order = Event("shop.Order", number="long", customer="text", paid="bool")

    with Recorder(filename="shop.jfr"):
        with order.span(number=1, customer="Ann") as event:
            event.paid = pay()

It needs ctypes and the shared library, and no compiler.  An event takes some microseconds, most of
them Python's own; while nothing records, well under one.
"""

import ctypes
import os
import struct
import threading

_KINDS = {"long": 0, "int": 2, "bool": 6, "double": 8, "text": 9}
_UNITS = {"plain": 0, "bytes": 1, "nanoseconds": 2, "milliseconds": 3, "percentage": 5}
_MOST_TEXT = 32767  # bytes, as in C


class RecorderError(Exception):
    """What the recorder says is wrong."""


class _Error(ctypes.Structure):
    _fields_ = [("sys", ctypes.c_int), ("text", ctypes.c_char * 256)]


class _Options(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("name", ctypes.c_char_p),
                ("repository", ctypes.c_char_p), ("filename", ctypes.c_char_p),
                ("max_age_ns", ctypes.c_uint64), ("max_size", ctypes.c_uint64),
                ("max_chunk", ctypes.c_uint64), ("memory_size", ctypes.c_uint64),
                ("flush_ns", ctypes.c_uint64), ("keep_repository", ctypes.c_bool),
                ("no_attach", ctypes.c_bool), ("settings", ctypes.c_char_p)]


class _Field(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("label", ctypes.c_char_p), ("kind", ctypes.c_int),
                ("unit", ctypes.c_int)]


class _Type(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("name", ctypes.c_char_p), ("label", ctypes.c_char_p),
                ("category", ctypes.c_char_p), ("description", ctypes.c_char_p),
                ("flags", ctypes.c_uint), ("threshold_ns", ctypes.c_uint64),
                ("fields", ctypes.POINTER(_Field)), ("field_count", ctypes.c_size_t),
                ("on", ctypes.POINTER(ctypes.c_uint8)), ("id", ctypes.c_uint32)]


class _Pen(ctypes.Structure):
    _fields_ = [("at", ctypes.c_void_p), ("end", ctypes.c_void_p), ("start", ctypes.c_void_p),
                ("writer", ctypes.c_void_p), ("buffer", ctypes.c_void_p), ("type", ctypes.c_uint32),
                ("is_long", ctypes.c_bool), ("is_full", ctypes.c_bool)]


def _library():
    """What this process has of it already, or what came with this package, or what is installed."""
    name = "libjfrec-recorder.so.0"
    try:
        ctypes.CDLL(name, os.RTLD_NOLOAD)
        return name
    except OSError:
        beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    if os.path.exists(beside):
        return beside
    try:
        ctypes.CDLL(name)
        return name
    except OSError as e:
        raise ImportError(f"{e}; this package was installed without the library: install "
                          "libjfrec-recorder, or a wheel of jfrec-recorder for this system") from None


def _load():
    name = _library()
    # What emits keeps Python's lock: between opening and closing an event this thread does nothing else.
    quick, slow = ctypes.PyDLL(name), ctypes.CDLL(name)
    for library in (quick, slow):
        library.jfrec_recorder_now.restype = ctypes.c_uint64
        library.jfrec_event_open.restype = ctypes.c_bool
        library.jfrec_event_open.argtypes = [ctypes.POINTER(_Pen), ctypes.POINTER(_Type),
                                             ctypes.c_uint64, ctypes.c_size_t]
        library.jfrec_event_close.argtypes = [ctypes.POINTER(_Pen)]
    return quick, slow


_quick, _slow = _load()
_off = (ctypes.c_uint8 * 1)(0)
_local = threading.local()


def _check(result, error):
    if result:
        raise RecorderError(error.text.decode(errors="replace"))


def _varint(value):
    """Seven bits a byte, the lowest first; the ninth byte has eight."""
    out = bytearray()
    while value >= 0x80 and len(out) < 8:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return out


def _text(value):
    if value is None:
        return b"\0"
    data = value.encode(errors="replace")
    if len(data) > _MOST_TEXT:
        data = data[:_MOST_TEXT].decode(errors="ignore").encode()
    return b"\3" + _varint(len(data)) + data if data else b"\1"


_ENCODERS = {
    "long": lambda value: _varint(int(value or 0) & 0xffffffffffffffff),
    "int": lambda value: _varint(int(value or 0) & 0xffffffff),
    "bool": lambda value: b"\1" if value else b"\0",
    "double": lambda value: struct.pack(">d", value or 0),
    "text": _text,
}


class Recorder:
    """The recording of this program, as long as the block; options as in jfrec-recorder(3)."""

    def __init__(self, **options):
        self._options = _Options(struct_size=ctypes.sizeof(_Options))
        for name, value in options.items():
            if name not in [field[0] for field in _Options._fields_[1:]]:
                raise TypeError(f"Recorder() has no option {name!r}")
            setattr(self._options, name, value.encode() if isinstance(value, str) else value)

    def __enter__(self):
        error = _Error()
        _check(_slow.jfrec_recorder_start(ctypes.byref(self._options), ctypes.byref(error)), error)
        return self

    def __exit__(self, *unused):
        error = _Error()
        _check(_slow.jfrec_recorder_stop(ctypes.byref(error)), error)

    def dump(self, path):
        """Write what is recorded up to now; it goes on."""
        error = _Error()
        _check(_slow.jfrec_recorder_dump(str(path).encode(), ctypes.byref(error)), error)


class Event:
    """A type of events with named fields of these kinds: long, int, bool, double, text.

    A unit may follow the kind: size="long bytes".
    """

    def __init__(self, name, label=None, category=None, **fields):
        kinds = [kind.split() for kind in fields.values()]
        self.names = tuple(fields)
        self._encoders = [_ENCODERS[kind[0]] for kind in kinds]
        # C keeps pointers to all of these until the type is registered, and to the type for ever.
        self._fields = (_Field * len(fields))(*[
            _Field(field.encode(), field.encode(), _KINDS[kind[0]], _UNITS[(kind + ["plain"])[1]])
            for field, kind in zip(fields, kinds)])
        self._type = _Type(struct_size=ctypes.sizeof(_Type), name=name.encode(),
                           label=(label or name.rpartition(".")[2]).encode(),
                           category=(category or "Python").encode(), flags=1, fields=self._fields,
                           field_count=len(fields), on=ctypes.cast(_off, ctypes.POINTER(ctypes.c_uint8)))
        _slow.jfrec_event_register(ctypes.byref(self._type))
        self._pointer = ctypes.pointer(self._type)
        _keep.append(self)

    @property
    def enabled(self):
        """Is it recorded now?"""
        return self._type.on[0] != 0

    def emit(self, begin=0, **values):
        """Write an event that began then, or now."""
        if not self._type.on[0]:
            return
        data = b"".join([encode(values.get(name)) for name, encode in zip(self.names, self._encoders)])
        try:
            pen = _local.pen
        except AttributeError:
            pen = _local.pen = _Pen()
        if not _quick.jfrec_event_open(pen, self._pointer, begin or _quick.jfrec_recorder_now(), len(data)):
            return
        try:
            if len(data) <= pen.end - pen.at:
                ctypes.memmove(pen.at, data, len(data))
                pen.at += len(data)
            else:
                pen.is_full = True
        finally:
            _quick.jfrec_event_close(pen)

    def span(self, **values):
        """A context manager: the event lasts as long as the block, whose fields may still be set."""
        return _Span(self, values)


class _Span:
    def __init__(self, event, values):
        self.__dict__.update(_event=event, _values=values, _begin=0)

    def __setattr__(self, name, value):
        if name not in self._event.names:
            raise AttributeError(f"the event has no field {name!r}")
        self._values[name] = value

    def __enter__(self):
        self.__dict__["_begin"] = _quick.jfrec_recorder_now() if self._event.enabled else 0
        return self

    def __exit__(self, *unused):
        if self._begin:
            self._event.emit(self._begin, **self._values)


_keep = []
