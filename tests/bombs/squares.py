# SPDX-License-Identifier: MIT
"""Bombs for `analyze`: recordings whose judging once took time that grew with their square.

Each is a function as those of make.py; 1 is so large that a square takes minutes.
"""

from make import (CLASS, DURATION, EVENT, INT, KEY, LONG, MS, PAUSE, START, STRING, THREADED, chunk, event, joined, pool,
                  stacks_of, text, v)

COLLECTION, HEAP, MIXED, COLLECTOR, HEAP_SIZE, FAILED, COPY, SWAP, READ, DUMP = range(50, 60)
OBJECT, REFERENCE, FIELD, OLD = range(60, 64)
TYPES = [
    (COLLECTION, "jdk.GarbageCollection", EVENT, [START, DURATION, ("gcId", LONG), ("name", STRING), ("cause", STRING)]),
    (HEAP, "jdk.GCHeapSummary", EVENT, [START, ("gcId", LONG), ("when", STRING), ("heapUsed", LONG)]),
    (MIXED, "jdk.G1GarbageCollection", EVENT, [START, DURATION, ("gcId", LONG), ("type", STRING)]),
    (COLLECTOR, "jdk.GCConfiguration", EVENT, [START, ("oldCollector", STRING)]),
    (HEAP_SIZE, "jdk.GCHeapConfiguration", EVENT, [START, ("maxSize", LONG)]),
    (FAILED, "jdk.EvacuationFailed", EVENT, [START, ("gcId", LONG), ("evacuationFailed", COPY)]),
    (COPY, "jdk.types.CopyFailed", None, [("totalSize", LONG)]),
    (SWAP, "jdk.SwapSpace", EVENT, [START, ("totalSize", LONG), ("freeSize", LONG)]),
    (READ, "jdk.SocketRead", EVENT, [START, DURATION, *THREADED, ("host", STRING), ("port", INT), ("bytesRead", LONG)]),
    (DUMP, "jdk.ThreadDump", EVENT, [START, ("result", STRING)]),
    (OBJECT, "jdk.types.OldObject", None, [("type", CLASS, KEY), ("description", STRING), ("referrer", REFERENCE, KEY)]),
    (REFERENCE, "jdk.types.Reference", None, [("field", FIELD, KEY), ("object", OBJECT, KEY)]),
    (FIELD, "jdk.types.OldObjectField", None, [("name", STRING), ("modifiers", INT)]),
    (OLD, "jdk.OldObjectSample", EVENT, [START, *THREADED, ("object", OBJECT, KEY)]),
]


def recording(lasts, *events, pools=()):
    return chunk(joined(events), pools, TYPES, lasts=lasts)


def collector(name):
    return event(COLLECTOR, v(0), text(name)) + event(HEAP_SIZE, v(0), v(1 << 30))


def collection(i, at, name="G1New"):
    return event(COLLECTION, v(at), v(1000), v(i), text(name), text("Allocation Failure"))


def left(i, at):
    return event(HEAP, v(at + 10), v(i), text("After GC"), v(i << 10))


def pause(i, at, lasts):
    return event(PAUSE, v(at), v(lasts), v(i), text("Pause"))


def collections(n):
    """Collections, none of them full, and what each left."""
    count = n(500000)
    return recording(count * MS, collector("ParallelOld"), *(
        collection(i, i * MS, "ParallelScavenge") + left(i, i * MS) for i in range(count)))


def mixed(n):
    """Collections, and mixed ones with other numbers."""
    count = n(400000)
    return recording(count * MS, collector("G1Old"), *(
        collection(i, i * MS) + left(i, i * MS) + event(MIXED, v(i * MS), v(1000), v(i + count), text("Mixed"))
        for i in range(count)))


def failures(n):
    """Collections that found no room for what survived, and no full one near any."""
    count = n(500000)
    return recording(count * 100, collector("G1Old"), *(collection(i, i * 100) for i in range(count)),
                     *(event(FAILED, v(i * 100), v(i), v(1000)) for i in range(n(10000))))


def clusters(n):
    """Pauses of which a pass over all joins two: the last ones, in the next one that before these..."""
    count = n(300000)
    starts = [i * 7 * MS // 2 for i in range(count)]
    starts += [starts[-1] + 7 * MS // 2 + i * 29 * MS // 10 for i in range(3)]
    return recording(starts[-1] + MS, *(pause(i, at, MS) for i, at in enumerate(starts)))


def around(n):
    """Short pauses within one that lasts as long as half of the recording."""
    count, apart = n(600000), 30000 * MS
    return recording(2 * count * apart, pause(0, 0, count * apart), *(pause(i, i * apart, 10) for i in range(count)))


def swaps(n):
    """More and more is swapped out, and all pauses are short."""
    count = n(400000)
    return recording(count * MS, *(event(SWAP, v(i * MS), v(1 << 40), v((1 << 40) - i)) + pause(i, i * MS, 1000)
                                   for i in range(count)))


def held(n):
    """Objects of which each is held by the next; many samples of each."""
    count, objects = n(400000), range(1, n(20000) + 1)
    return recording(count, *(event(OLD, v(i), v(1), v(1), v(1 + i % len(objects))) for i in range(count)), pools=[
        *stacks_of(len(objects), [[1]]), pool(OBJECT, [v(i) + text("Size: 10") + v(i) for i in objects]),
        pool(REFERENCE, [v(1 + i % 10) + v(i % len(objects) + 1) for i in objects]),
        pool(FIELD, [text(f"field{i}") + v(0) for i in range(10)])])


def long_waits(n):
    """Reads that all last as long as the recording, which is a month."""
    month = 30 * 86400 * 1000 * MS
    return recording(month, *(event(READ, v(i), v(month), v(1 + i % 10), v(1), text("db"), v(5432), v(10))
                              for i in range(n(1000000))), pools=stacks_of(10, [[1, 2]]))


def dumps(n):
    """A thread dump of 16 MB that many events share."""
    return recording(10**9, *(event(DUMP, v(i), b"\2\1") for i in range(n(80000))),
                     pools=[pool(STRING, [text("\tat a.B.c(B.java)\n" * n(850000))])])


BOMBS = {f.__name__: f for f in (collections, mixed, failures, clusters, around, swaps, held, long_waits, dumps)}


def make(name, scale=1.0):
    return BOMBS[name](lambda count: max(1, int(count * scale)))
