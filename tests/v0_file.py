"""Recordings of version 0.9, as Oracle's JDK 7 and 8, JRockit and async-profiler 1.x wrote them."""

import struct

# Kinds of values.
KINDS = "boolean byte u1 short u2 int u4 long u8 float double utf string array struct structs".split()
PACKED = {"boolean": ">?", "byte": ">b", "u1": ">B", "short": ">h", "u2": ">H", "int": ">i", "u4": ">I",
          "long": ">q", "u8": ">Q", "float": ">f", "double": ">d"}
# Contents: units, and the pools that have a number of their own.
BYTES, EPOCH, MILLIS, NANOS, TICKS, ADDRESS, FRACTION = 1, 2, 3, 4, 5, 6, 11
THREAD, JAVATHREAD, STACK, CLASS, GROUP, METHOD, UTF, FRAME, STATE = 7, 8, 9, 10, 31, 32, 33, 47, 34
HOTSPOT = "http://www.oracle.com/hotspot/"


def utf(text):
    data = text if isinstance(text, bytes) else text.encode()
    return struct.pack(">H", len(data)) + data


def string(text):
    data = text.encode("utf-16-be", "surrogatepass")
    return struct.pack(">I", len(data) // 2) + data


class Value:
    """A value of a structure: (id, kind[, content]); kind "struct N", "structs N" or "array KIND" has a second part."""

    def __init__(self, name, kind, content=0, label=None, transition=0):
        self.name, self.content, self.label, self.transition = name, content, label or name.title(), transition
        self.kind, _, more = kind.partition(" ")
        self.aux = KINDS.index(more) if self.kind == "array" else int(more or 0)

    def declared(self):
        return (utf(self.name) + utf(self.label) + utf("") +
                struct.pack(">bbIII", self.transition, KINDS.index(self.kind), self.content, self.aux, 0))

    def scalar(self, kind, v):
        if kind == "utf":
            return utf(v)
        return string(v) if kind == "string" else struct.pack(PACKED[kind], v)

    def put(self, v, structures):
        if self.kind == "struct":
            return put_all(structures[self.aux], v, structures)
        if self.kind == "structs":
            return struct.pack(">I", len(v)) + b"".join(put_all(structures[self.aux], x, structures) for x in v)
        if self.kind == "array":
            return struct.pack(">I", len(v)) + b"".join(self.scalar(KINDS[self.aux], x) for x in v)
        return self.scalar(self.kind, v)


def put_all(values, given, structures):
    assert len(values) == len(given), (values, given)
    return b"".join(v.put(x, structures) for v, x in zip(values, given))


class Producer:
    def __init__(self, uri, number=1):
        self.uri, self.number, self.structures, self.events, self.contents = uri, number, [], [], []

    def structure(self, *values):
        self.structures.append([v if isinstance(v, Value) else Value(*v) for v in values])
        return len(self.structures) - 1

    def event(self, number, path, flags, *values, label=None):
        """flags: of s (start), t (thread), k (stack), r (requestable)."""
        e = (number, path, flags, self.structure(*values), label or path.rsplit("/", 1)[-1].title())
        self.events.append(e)
        return e

    def content(self, number, name, key, *values):
        self.contents.append((number, name, key, self.structure(*values)))

    def declared(self):
        out = struct.pack(">I", self.number) + utf("producer") + utf("") + utf(self.uri) + struct.pack(">I", 0)
        out += struct.pack(">I", len(self.structures))
        for s in self.structures:
            out += struct.pack(">I", len(s)) + b"".join(v.declared() for v in s)
        out += struct.pack(">I", len(self.events))
        for number, path, flags, s, label in self.events:
            out += struct.pack(">I", number) + utf(label) + utf("") + utf(path)
            out += struct.pack(">????II", *(f in flags for f in "stkr"), s, 0)
        out += struct.pack(">I", len(self.contents))
        for number, name, key, s in self.contents:
            out += struct.pack(">I", number) + utf(name) + utf("") + struct.pack(">bI", KINDS.index(key), s)
        return out


class Chunk:
    """Events and checkpoints in the order in which they are added; data() ends it."""

    def __init__(self, *producers, start_ms=1524063405352, ms=10000, ticks=14006972, rate=1000000, locale="sv_SE", gmt=3600000):
        self.producers, self.clock, self.place = producers, (start_ms, start_ms + ms, ticks, rate), (locale, gmt)
        self.body, self.last_checkpoint = b"", 0

    def ticks(self, ms):
        return self.clock[2] + int(ms * self.clock[3] / 1000)

    def add(self, raw):
        self.body += struct.pack(">I", len(raw) + 4) + raw

    def event(self, producer, event, ms, values, begin=None, thread=0, stack=0):
        """ms: when it ends, after the chunk's start; begin: when it began."""
        number, _, flags, s, _ = event
        raw = struct.pack(">IQ", number, self.ticks(ms))
        if "s" in flags:
            raw += struct.pack(">Q", self.ticks(ms if begin is None else begin))
        if "t" in flags:
            raw += struct.pack(">I", thread)
        if "k" in flags:
            raw += struct.pack(">Q", stack)
        self.add(raw + put_all(producer.structures[s], values, producer.structures))

    def lost(self, ms, thread, count):
        self.add(struct.pack(">IQII", 2, self.ticks(ms), thread, count))

    def checkpoint(self, ms, *pools):
        """pools: (producer, content number, {key: values})."""
        at = 16 + len(self.body)
        raw = struct.pack(">IQQ", 1, self.ticks(ms), self.last_checkpoint)
        for producer, number, entries in pools:
            _, _, key, s = next(c for c in producer.contents if c[0] == number)
            raw += struct.pack(">II", number, len(entries))
            for k, v in entries.items():
                raw += struct.pack(PACKED[key], k) + put_all(producer.structures[s], v, producer.structures)
        self.add(raw)
        self.last_checkpoint = at

    def data(self):
        raw = struct.pack(">I", 0) + struct.pack(">I", len(self.producers))
        raw += b"".join(p.declared() for p in self.producers)
        raw += struct.pack(">QQQQQ", *self.clock, self.last_checkpoint)
        if self.place[0] is not None:
            raw += utf(self.place[0]) + struct.pack(">i", self.place[1])
        return (b"FLR\0" + struct.pack(">HHQ", 0, 9, 16 + len(self.body)) + self.body +
                struct.pack(">I", len(raw) + 4) + raw)


def hotspot(trace_bci=True):
    """HotSpot's own producer with its pools, as of JDK 8; its events are to be added."""
    p = Producer(HOTSPOT + "jvm/")
    frame = [("method", "u8", METHOD), ("line", "int")] + [("bci", "int")] * trace_bci + [("type", "u1", FRAME)]
    frames = p.structure(*frame)
    p.content(THREAD, "Thread", "u4", ("name", "utf"))
    p.content(JAVATHREAD, "JavaThread", "u8", ("thread", "u4", THREAD), ("allocInsideTla", "u8", BYTES),
              ("allocOutsideTla", "u8", BYTES), ("group", "u4", GROUP))
    p.content(GROUP, "ThreadGroup", "u4", ("parent", "u4", GROUP), ("name", "utf"))
    p.content(CLASS, "Class", "u8", ("loaderClass", "u8", CLASS), ("name", "u8", UTF), ("modifiers", "short"))
    p.content(METHOD, "Method", "u8", ("class", "u8", CLASS), ("name", "u8", UTF), ("signature", "u8", UTF),
              ("modifiers", "short"), ("hidden", "boolean"))
    p.content(UTF, "UTFConstant", "u8", ("utf8", "utf"))
    p.content(STACK, "StackTrace", "u8", ("truncated", "boolean"), ("frames", f"structs {frames}"))
    p.content(FRAME, "FrameType", "u1", ("desc", "utf"))
    p.content(STATE, "ThreadState", "u2", ("name", "utf"))
    return p
