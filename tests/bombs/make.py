# SPDX-License-Identifier: MIT
"""Bombs: small recordings that cost much where work is not bounded.

usage: make.py DIRECTORY [SCALE [NAME...]]

Each is a function that gives the bytes of a recording; its argument says how large: 1 is what run.py
asks for, and small variants (0.0001) are seeds of the fuzz targets (tests/fuzz/seeds/bomb-*.jfr).
"""

import os
import struct
import sys

LONG, INT, FLOAT, BOOLEAN, STRING = 1, 2, 3, 4, 5
SYMBOL, CLASS, LOADER, METHOD, FRAME, STACK, THREAD = 11, 12, 13, 14, 15, 16, 17
SAMPLE, PAUSE, SETTING, FLAG, LOCK, THROWN, TEXT = 31, 32, 33, 34, 35, 36, 37
OWN = 100  # the first of a bomb's own types

# Of each class: its id, name, supertype, and fields: name, type, and whether it is a key or an array.
KEY, ARRAY = "constantPool", "dimension"
EVENT = "jdk.jfr.Event"
START, DURATION = ("startTime", LONG), ("duration", LONG)
THREADED = [("eventThread", THREAD, KEY), ("stackTrace", STACK, KEY)]
CLASSES = [
    (LONG, "long"), (INT, "int"), (FLOAT, "float"), (BOOLEAN, "boolean"), (STRING, "java.lang.String"),
    (SYMBOL, "jdk.types.Symbol", None, [("string", STRING)]),
    (CLASS, "java.lang.Class", None, [("classLoader", LOADER, KEY), ("name", SYMBOL, KEY), ("modifiers", INT)]),
    (LOADER, "jdk.types.ClassLoader", None, [("type", CLASS, KEY), ("name", SYMBOL, KEY)]),
    (METHOD, "jdk.types.Method", None, [("type", CLASS, KEY), ("name", SYMBOL, KEY),
                                        ("descriptor", SYMBOL, KEY), ("modifiers", INT), ("hidden", BOOLEAN)]),
    (FRAME, "jdk.types.StackFrame", None, [("method", METHOD, KEY), ("lineNumber", INT), ("bytecodeIndex", INT)]),
    (STACK, "jdk.types.StackTrace", None, [("truncated", BOOLEAN), ("frames", FRAME, ARRAY)]),
    (THREAD, "java.lang.Thread", None, [("osName", STRING), ("osThreadId", LONG),
                                        ("javaName", STRING), ("javaThreadId", LONG)]),
    (SAMPLE, "jdk.ExecutionSample", EVENT, [START, ("sampledThread", THREAD, KEY), ("stackTrace", STACK, KEY)]),
    (PAUSE, "jdk.GCPhasePause", EVENT, [START, DURATION, ("gcId", INT), ("name", STRING)]),
    (SETTING, "jdk.ActiveSetting", EVENT, [START, ("id", LONG), ("name", STRING), ("value", STRING)]),
    (FLAG, "jdk.StringFlag", EVENT, [START, ("name", STRING), ("value", STRING), ("origin", STRING)]),
    (LOCK, "jdk.JavaMonitorEnter", EVENT, [START, DURATION, *THREADED, ("monitorClass", CLASS, KEY),
                                           ("address", LONG)]),
    (THROWN, "jdk.JavaExceptionThrow", EVENT, [START, DURATION, *THREADED, ("message", STRING),
                                               ("thrownClass", CLASS, KEY)]),
    (TEXT, "app.Text", EVENT, [START, ("text", STRING)]),
]
BEGIN = 1_700_000_000_000_000_000
MS = 1_000_000


def v(n):
    """A varint."""
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 127 and len(out) < 8:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def text(s):
    s = s.encode() if isinstance(s, str) else s
    return b"\3" + v(len(s)) + s


def event(kind, *parts):
    body = v(kind) + b"".join(parts)
    n = len(body) + 4
    return bytes([n & 127 | 128, n >> 7 & 127 | 128, n >> 14 & 127 | 128, n >> 21]) + body


def pool(kind, entries):
    """Constants; their keys are 1, 2..."""
    return v(kind) + v(len(entries)) + b"".join(v(i) + e for i, e in enumerate(entries, 1))


class Metadata:
    def __init__(self):
        self.strings = {}

    def element(self, name, attributes=(), children=()):
        def index(s):
            return v(self.strings.setdefault(str(s), len(self.strings)))
        return b"".join([index(name), v(len(attributes)), *(index(k) + index(x) for k, x in attributes),
                         v(len(children)), *children])

    def field(self, name, kind, what=None, label=None):
        return self.element("field", [("name", name), ("class", kind)] + (
            [(what, "true" if what == KEY else 1)] if what else []), [self.label(label)] if label else [])

    def label(self, value):
        return self.element("annotation", [("class", 8), ("value", value)])

    def type(self, number, name, above=None, fields=(), more=()):
        return self.element("class", [("id", number), ("name", name)] + ([("superType", above)] if above else []) +
                            ([("simpleType", "true")] if number == SYMBOL else []),
                            [*(self.field(*f) for f in fields), *more])


def chunk(events, pools=(), types=(), more=lambda m: (), pool_events=None, lasts=10**9):
    """A chunk with these events, pools and more types (rows as those of CLASSES); lasts: in ns."""
    m = Metadata()
    classes = [m.type(8, "jdk.jfr.Label", "java.lang.annotation.Annotation", [("value", STRING)])]
    classes += [m.type(*c) for c in (*CLASSES, *types)] + list(more(m))
    root = m.element("root", (), [m.element("metadata", (), classes),
                                  m.element("region", [("locale", "en_US"), ("gmtOffset", "0")])])
    metadata = event(0, v(0), v(0), v(1), v(len(m.strings)), *(text(s) for s in m.strings), root)
    checkpoints = pool_events or event(1, v(0), v(0), v(0), b"\1", v(len(pools)), *pools)
    at = 68 + len(events)
    end = at + len(checkpoints)
    return b"FLR\0" + struct.pack(">HHQQQqqqq", 2, 1, end + len(metadata), at, end, BEGIN, lasts, 0,
                                  10**9) + b"\0\0\0\1" + events + checkpoints + metadata


def joined(parts):
    return b"".join(parts)


def stacks_of(names, stacks, threads=10, name=lambda i: f"n{i}"):
    """Pools of as many classes with a method each, and of stack traces of these."""
    n = range(1, names + 1)
    return [pool(SYMBOL, [text(name(i)) for i in n]), pool(CLASS, [v(0) + v(i) + v(1) for i in n]),
            pool(METHOD, [v(i) + v(i) + v(0) + v(1) + b"\0" for i in n]),
            pool(STACK, [b"\0" + v(len(s)) + joined(v(m) + v(1) + v(1) for m in s) for s in stacks]),
            pool(THREAD, [text(f"t{i}") + v(i) + text(f"t{i}") + v(i) for i in range(threads)])]


def samples(count, stacks, threads=10, apart=MS):
    return joined(event(SAMPLE, v(i * apart), v(1 + i % threads), v(1 + i % stacks)) for i in range(count))


def spread(seed, most):
    """Numbers from 1 to most that look chosen at random, and are the same each time."""
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) & (1 << 64) - 1
        yield 1 + (seed >> 33) % most


def random_stacks(count, depth, names):
    numbers = spread(count, names)
    return [[next(numbers) for _ in range(depth)] for _ in range(count)]


# The bombs --------------------------------------------------------------------------------------- #

def deep(n):
    names, depth = n(2000), n(65535)
    return chunk(samples(n(2000), 4), stacks_of(names, random_stacks(4, depth, names)))


def tree(n):
    """4,000,000 nodes of a call tree."""
    names, count = n(2000), n(4000)
    return chunk(samples(count, count), stacks_of(names, random_stacks(count, n(1000), names)))


def names(n):
    count = n(100000)
    return chunk(samples(n(50000), n(5000)), stacks_of(count, random_stacks(n(5000), 64, count)))


def long_names(n):
    """Six names of 10 MB, which every page has."""
    size = n(10_000_000)
    return chunk(samples(60, 6), stacks_of(6, [[1], [2, 1], [3, 2], [4, 3], [5, 4], [6]],
                                           name=lambda i: chr(96 + i) * size + str(i)))


def times(n):
    """All that a clock can say, and from beginning to end 584 years."""
    at = [0, 1, 1 << 40, 1 << 55, 1 << 62, (1 << 63) - 1, (1 << 64) - 1]
    return chunk(joined(event(SAMPLE, v(t), v(1), v(1)) + event(PAUSE, v(t), v(t), v(1), text("x"))
                        for t in at * n(50)), stacks_of(10, [[1, 2, 3]]))


def threads(n):
    count = n(200000)
    return chunk(samples(count, 1, count, 1000), stacks_of(10, [[1, 2, 3]], count))


def shared_text(n):
    """One constant of 1 MB that 40,000 events have."""
    return chunk(samples(1, 1) + joined(event(TEXT, v(i), b"\2\1") + event(PAUSE, v(i), v(100), v(i), b"\2\1")
                                        for i in range(n(20000))),
                 [pool(STRING, [text("S" * n(1_000_000))]), *stacks_of(1, [[1]])])


def loaders(n):
    """Class loaders whose class has the next one as its loader."""
    count = range(1, n(100000) + 1)
    return chunk(samples(n(5000), 1), [
        pool(LOADER, [v(i + 1) + v(0) for i in count]), pool(CLASS, [v(i) + v(0) + v(0) for i in count]),
        pool(METHOD, [v(i) + v(0) + v(0) + v(0) + b"\0" for i in count]),
        pool(STACK, [b"\0" + v(len(count[:1000])) + joined(v(i) + v(1) + v(1) for i in count[:1000])])])


def chunks(n):
    return chunk(event(SAMPLE, v(1), v(0), v(0))) * n(3000)


def pauses(n):
    return chunk(joined(event(PAUSE, v(i), v(1 << 40), v(i), b"\0") for i in range(n(500000))))


def own_types(n, name, fields=(START, ("x", LONG)), count=100000, types=()):
    count = range(n(count))
    rest = joined(b"\1" for f in fields[1:])
    return chunk(joined(event(OWN + i, v(i), rest) for i in count),
                 types=[*types, *((OWN + i, name(i), EVENT, fields) for i in count)])


def types(n):
    return own_types(n, lambda i: f"app.T{i}")


def packages(n):
    """Types that all end in one name."""
    return own_types(n, lambda i: f"app.p{i}.T")


def cases(n):
    """Types whose names differ in capital letters only."""
    return own_types(n, lambda i: "".join(c.upper() if i >> k & 1 else c for k, c in enumerate("abcdefghijklmnopq")))


def columns(n):
    """One type of 60,000 fields of one name."""
    fields = [START] + [("x", LONG)] * n(60000)
    return chunk(event(OWN, v(1), b"\1" * (len(fields) - 1)) * n(10), types=[(OWN, "app.Wide", EVENT, fields)])


def growing(n):
    """Each chunk knows another field of a type."""
    return joined(chunk(event(OWN, v(i), b"\1"), types=[(OWN, "app.Grows", EVENT, [START, (f"f{i}", LONG)])])
                  for i in range(n(2000)))


def doubling(n):
    """Structs that have the next one twice: a million leaves."""
    depth = min(20, max(2, n(20)))
    return chunk(event(OWN, v(1), b"\1" * (1 << min(depth, 16))), types=[
        (OWN, "app.Tree", EVENT, [START, ("a", OWN + 1)]),
        *((OWN + i, f"app.S{i}", None, [("a", OWN + i + 1), ("b", OWN + i + 1)]) for i in range(1, depth)),
        (OWN + depth, "app.Leaf", None, [("x", LONG)])])


def array(n):
    """One event with an array of 30,000,000 structs."""
    count = n(30_000_000)
    return chunk(event(OWN, v(1), v(count), b"\1\0" * count) if count < 1 << 26 else b"", types=[
        (OWN, "app.Array", EVENT, [START, ("array", OWN + 1, ARRAY)]),
        (OWN + 1, "app.A", None, [("a", LONG), ("b", STRING)])])


def labels(n):
    """A label of 60 KB that 10,000 types and their fields share."""
    label, count = "L" * n(60_000), range(n(10000))
    return chunk(joined(event(OWN + i, v(i), b"\1") for i in count), more=lambda m: [
        m.type(OWN + i, f"app.T{i}", EVENT, [START, ("x", LONG, None, label)], [m.label(label)]) for i in count])


def settings(n):
    return chunk(joined(event(SETTING, v(i), v(SAMPLE), text(f"s{i}"), text(str(i))) for i in range(n(100000))))


def flags(n):
    return chunk(joined(event(FLAG, v(i), text(f"F{i}"), text(str(i)), text("x")) for i in range(n(100000))))


def locks(n):
    """Each a lock of its own, and all at once."""
    count = n(100000)
    return chunk(joined(event(LOCK, v(i), v(count * MS), v(1 + i % 10), v(1), v(1 + i % n(5000)), v(i))
                        for i in range(count)), stacks_of(n(5000), [[1, 2, 3]]))


def thrown(n):
    """Each an exception with a message of its own."""
    return chunk(joined(event(THROWN, v(i * 1000), v(0), v(1 + i % 10), v(1), text(f"message {i}" * 5), v(1))
                        for i in range(n(100000))), stacks_of(10, [[1, 2, 3]]))


def checkpoints(n):
    """50,000 checkpoints with a constant each; each says how far back the one before it is."""
    parts, count = [], n(50000)
    for i in range(count):
        back = -len(parts[-1]) if parts else 0
        parts.append(event(1, v(0), v(0), v(back), b"\1", v(1), v(STRING), v(1), v(i + 1), text(f"{i:09d}")))
    events = joined(event(TEXT, v(i), b"\2" + v(i + 1)) for i in range(count)) + joined(parts[:-1])
    return chunk(events, pool_events=parts[-1])


def invisible(n):
    """Names of what cannot be seen."""
    return chunk(samples(100, 10), stacks_of(n(1000), random_stacks(10, 20, n(1000)),
                                             name=lambda i: "\u200b\u200d\u2060\U000e0041" * 20 + str(i)))


BOMBS = {f.__name__: f for f in (
    deep, tree, names, long_names, times, threads, shared_text, loaders, chunks, pauses, types, packages, cases,
    columns, growing, doubling, array, labels, settings, flags, locks, thrown, checkpoints, invisible)}


def make(name, scale=1.0):
    return BOMBS[name](lambda count: max(1, int(count * scale)))


def main():
    directory, scale = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    os.makedirs(directory, exist_ok=True)
    for name in sys.argv[3:] or BOMBS:
        with open(os.path.join(directory, f"bomb-{name}.jfr"), "wb") as f:
            f.write(make(name, scale))


if __name__ == "__main__":
    main()
