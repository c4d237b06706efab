"""What is printed of a damaged recording is what JDK 25 prints of the whole one.

usage: damage.py JFREC RECORDING...

The JDK's JSON of each recording is known by its checksum (NAME.expected).  Copies
of the recording are damaged in many ways, and this is checked:

  * An event whose bytes are all there is printed, and as the JDK prints it; if
    constants are lost, null may stand in their place.  Not printed is only what
    lies in bytes that are told as lost.
  * Nothing else is printed, but for events that were themselves changed, since
    nothing in the format would show that; so with constants.
  * If an event or a constant is missing, that is told, with a number of bytes,
    and the exit status is 1.
  * With --strict there is the same up to the first damage, and then no more.

Prints a test for each kind of damage, in TAP.
"""

import hashlib
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

JFREC = sys.argv[1]
HEADER = 68

# Reading the format -----------------------------------------------------------


def varint(data, at):
    value = 0
    for i in range(9):
        byte = data[at + i]
        if i == 8:
            return value | byte << 56, at + 9
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value, at + i + 1


class Chunk:
    """Where things are in a chunk that begins at an offset of the data."""

    def __init__(self, data, start):
        self.start = start
        size, checkpoint, metadata = struct.unpack_from(">QQQ", data, start + 8)
        self.end = start + size
        self.metadata = None
        self.checkpoints, self.events = [], []
        at = start + HEADER
        while at < self.end:
            length, next_at = varint(data, at)
            kind, _ = varint(data, next_at)
            if kind == 0:
                self.metadata = (at, length)
            else:
                (self.checkpoints if kind == 1 else self.events).append((at, length))
            at += length


def chunks_of(data):
    chunks, at = [], 0
    while at < len(data):
        chunks.append(Chunk(data, at))
        at = chunks[-1].end
    return chunks


# Running ------------------------------------------------------------------------


class Printed:
    def __init__(self, path, *options):
        done = subprocess.run([JFREC, "print", "--json", *options, path], capture_output=True)
        self.status = done.returncode
        self.bytes = done.stdout
        self.said = done.stderr.decode("utf-8", "replace")
        self.events = []
        if done.stdout:
            self.events = json.loads(done.stdout, parse_float=str)["recording"]["events"]

    def told_lost(self):
        """Bytes that are told as lost: [first, behind the last)."""
        ranges = []
        for line in self.said.splitlines():
            m = re.search(r"no event can begin at byte (\d+); \d+ bytes up to byte (\d+)", line)
            if m:
                ranges.append((int(m[1]), int(m[2])))
            m = re.search(r"(\d+) bytes at byte (\d+) belong to no chunk", line)
            m = m or re.search(r"(\d+) bytes at byte (\d+), behind the last flush", line)
            if m:
                ranges.append((int(m[2]), int(m[2]) + int(m[1])))
            m = re.search(r"chunk \d+ at byte (\d+): its first \d+ bytes are missing", line)
            if m:  # what stands where its header would be
                ranges.append((int(m[1]), int(m[1]) + HEADER))
            m = re.search(r"chunk \d+ at byte (\d+): it has no header", line)
            if m:
                ranges.append((int(m[1]), int(m[1]) + HEADER))
            m = re.search(r"chunk \d+ at byte (\d+): .* none of its (\d+) bytes can be read", line)
            if m:
                ranges.append((int(m[1]), int(m[1]) + int(m[2])))
        if not self.bytes:
            ranges.append((0, 1 << 62))
        return ranges


def touches(start, length, ranges):
    return any(start < end and start + length > begin for begin, end in ranges)


# Comparing ----------------------------------------------------------------------

TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+([+-][\d:]+|Z)|PT[-\dHMS.]+")


class Rule:
    """In what an event may differ from what the JDK prints.

    nulls: constants may be null, since they are lost
    other: constants may be others, since their bytes are
    times: times may be others, since the clock is
    """

    def __init__(self, nulls=False, other=False, times=False):
        self.nulls, self.other, self.times = nulls, other, times

    def same(self, golden, got):
        if golden == got:
            return True
        if isinstance(golden, str) and isinstance(got, str) and TIME.fullmatch(golden):
            return self.times and bool(TIME.fullmatch(got))
        if self.other and not isinstance(golden, (bool, int, float)):
            return True
        if got is None:
            return self.nulls
        if isinstance(golden, dict) and isinstance(got, dict):
            return golden.keys() == got.keys() and all(self.same(golden[k], got[k]) for k in golden)
        if isinstance(golden, list) and isinstance(got, list):
            return len(golden) == len(got) and all(map(self.same, golden, got))
        return False

    def same_event(self, golden, got):
        return golden["type"] == got["type"] and golden["values"].keys() == got["values"].keys() \
            and all(self.same(v, got["values"][k]) for k, v in golden["values"].items())


class Damaged:
    """A copy: its bytes, the events that were there, and which bytes were overwritten.

    unknown: what its events look like now; types that were overwritten may show
    that, or be other types
    recovered: so many events at least have to be printed
    lossy: something must be told as lost
    """

    def __init__(self, data, events, touched=(), rule=Rule(nulls=True), unknown=False,
                 recovered=0, lossy=False):
        self.data, self.touched, self.rule, self.unknown = data, list(touched), rule, unknown
        self.events = [e for e in events if e[0] + e[1] <= len(data)]
        self.recovered, self.lossy = recovered, lossy


def check(copy, path):
    """What is not as it should be, or None."""
    with open(path, "wb") as file:
        file.write(copy.data)
    got = Printed(path, "--sort", "file")
    if got.status not in (0, 1):
        return "exit status %d: %s" % (got.status, got.said)
    if len(got.events) < copy.recovered:
        return "%d events, not %d; told is %s" % (len(got.events), copy.recovered, got.said)
    if copy.unknown and "neighbour's" not in got.said:
        return strict_differs(path, got)
    # Of equal events some may be missing: those in front or those behind.
    wrong = misaligned(copy, got, copy.events, got.events)
    if wrong and not misaligned(copy, got, copy.events[::-1], got.events[::-1]):
        wrong = None
    return wrong or strict_differs(path, got)


def misaligned(copy, got, events, printed):
    """The events that were there and those that are printed, one beside the other."""
    rest = iter(events)
    changed = sum(touches(at, length, copy.touched) for at, length, _ in copy.events)
    missing, nulls = [], 0
    for event in printed:
        passed = []
        for golden in rest:
            if copy.rule.same_event(golden[2], event):
                nulls += golden[2] != event
                missing += passed
                break
            passed.append(golden)
        else:
            changed -= 1  # none is like it: it must be one that was overwritten
            if changed < 0:
                return "an event that was not there: %s" % json.dumps(event)[:200]
            rest = iter(passed)
    missing += rest
    return is_untold(copy, got, missing, nulls)


def is_untold(copy, got, missing, nulls):
    lost = got.told_lost()
    untold = [e for e in missing if not touches(e[0], e[1], copy.touched + lost)]
    if untold:
        return "%d events are missing; told is %s" % (len(untold), got.said)
    is_loss = copy.lossy or any(not touches(e[0], e[1], copy.touched) for e in missing)
    if nulls and not copy.rule.times and not copy.rule.other:
        is_loss = True
    if is_loss and (got.status != 1 or got.bytes and not re.search(r"\d+ bytes", got.said)):
        return "exit status %d, %d events missing and %d with other constants, but told is: %s" % (
            got.status, len(missing), nulls, got.said)
    return None


def strict_differs(path, got):
    strict = Printed(path, "--sort", "file", "--strict")
    if strict.status != got.status:
        return "--strict: exit status %d, not %d" % (strict.status, got.status)
    if strict.events != got.events[: len(strict.events)]:
        return "--strict: another document"
    return None


# Damaging -------------------------------------------------------------------------


def patched(data, at, new):
    return data[:at] + new + data[at + len(new):]


def moved(events, by, first=0, last=1 << 62):
    return [(at + by, length, e) for at, length, e in events if first <= at and at + length <= last]


def cut_off(r):
    """The end is missing."""
    sizes = [HEADER + (len(r.data) - HEADER) * i // 40 for i in range(1, 40)]
    for c in r.chunks:
        sizes += [c.start + HEADER, c.start + HEADER + 1, c.end - 1]
    for size in sizes:
        yield "after %d bytes" % size, Damaged(r.data[:size], r.events)


def overwritten(r, at, new):
    hole = [(at, at + len(new))]
    other = any(touches(*place, hole) for c in r.chunks for place in c.checkpoints)
    types = any(touches(*c.metadata, hole) for c in r.chunks)
    times = touches(0, HEADER, hole)
    return "%d bytes at %d" % (len(new), at), Damaged(
        patched(r.data, at, new), r.events, hole, Rule(True, other, times), types)


def all_over(r, length, count):
    step = max(1, (len(r.data) - HEADER) // count)
    return range(HEADER, len(r.data) - length, step)


def zeros(r):
    """A part was never written."""
    for length in (10, 100, 4096):
        for at in all_over(r, length, 20):
            yield overwritten(r, at, bytes(length))


def noise(r):
    """A part was overwritten by something else."""
    for at in all_over(r, 512, 20):
        yield overwritten(r, at, b"\xff" * 512)


def text(r):
    """The same by what looks like events: they may be printed, and hide others."""
    for at in all_over(r, 512, 20):
        name, copy = overwritten(r, at, b"Here stands something else.\n" * 20)
        copy.unknown = True
        yield name, copy


def headers(r):
    """Fields of the headers, one by one."""
    for k, c in enumerate(r.chunks):
        size = c.end - c.start

        def field(name, offset, layout, values, rule=Rule()):
            for value in values:
                new = struct.pack(layout, value)
                if r.data[c.start + offset:].startswith(new):
                    continue
                yield "%s %x of chunk %d" % (name, value, k + 1), Damaged(
                    patched(r.data, c.start + offset, new), r.events, rule=rule)

        numbers = (0, 1, 67, 1 << 31, 1 << 63, (1 << 64) - 1)
        # The first chunk's clock serves the others.
        lost = Rule(times=k == 0)
        yield from field("magic", 0, ">I", (0, 0x464C5201), lost)
        yield from field("version", 4, ">H", (0, 3, 0xFFFF), lost)
        yield from field("minor version", 6, ">H", (0, 1, 0xFFFF))
        yield from field("size", 8, ">Q", (*numbers, 68, size // 2, size + 1, size * 2, size - 1))
        yield from field("checkpoint", 16, ">Q", (*numbers, 100, size - 1, size))
        yield from field("metadata", 24, ">Q", (*numbers, 100, size - 1, size))
        yield from field("start", 32, ">Q", numbers, rule=Rule(times=True))
        yield from field("duration", 40, ">Q", numbers, rule=Rule(times=True))
        yield from field("start in ticks", 48, ">Q", numbers, rule=Rule(times=True))
        yield from field("ticks per second", 56, ">Q", numbers, rule=Rule(times=True))
        yield from field("generation", 64, ">B", (1, 2, 255))
        yield from field("flags", 66, ">H", (0, 2), lost)
        yield from field("flags", 66, ">H", (1, 3, 0xFFFF))


def chains(r):
    """The way from checkpoint to checkpoint."""
    for c in r.chunks:
        for at, _ in c.checkpoints:
            delta_at = at
            for _ in range(4):
                _, delta_at = varint(r.data, delta_at)
            delta, end = varint(r.data, delta_at)
            if delta == 0:
                continue
            for first in (r.data[delta_at] ^ 1, r.data[delta_at] ^ 0x40):
                yield "byte %d" % delta_at, Damaged(
                    patched(r.data, delta_at, bytes([first])), r.events, rule=Rule())


def types(r):
    """The types of one chunk."""
    for k, c in enumerate(r.chunks):
        at, length = c.metadata
        hole = [(at, at + length)]
        can_be_recovered = len(r.chunks) > 1 and len(set(e["type"] for e in (
            e for place, _, e in r.events if c.start <= place < c.end))) >= 3
        for size in (1, 20, length // 100, length // 2, length - 10, length):
            for new in (bytes(size), b"\xff" * size):
                yield "%d bytes %d of chunk %d" % (size, new[0], k + 1), Damaged(
                    patched(r.data, at, new), r.events, hole, Rule(nulls=True), True,
                    len(r.events) if can_be_recovered and size > 20 else 0)


def garbage(r):
    """Something in front of, between or behind the chunks."""
    for new in (bytes(5000), b"\xff" * 100, b"FLR\0" * 10, r.data[:HEADER] + bytes(1), r.data[5:3000], b"\1"):
        for at in [c.start for c in r.chunks] + [len(r.data)]:
            # What may be a chunk that lost its header has events.
            own = moved(r.events, at - 5, first=5, last=3000) if new == r.data[5:3000] else []
            events = moved(r.events, 0, last=at) + own + moved(r.events, len(new), first=at)
            yield "%d bytes at %d" % (len(new), at), Damaged(
                r.data[:at] + new + r.data[at:], events, rule=Rule(nulls=bool(own)), recovered=len(r.events))


def glued(r):
    """A part of a recording, and behind it another; and a part without its beginning."""
    size = len(r.data)
    for i in range(1, 20):
        cut = HEADER + (size - HEADER) * i // 20
        yield "the whole behind %d bytes" % cut, Damaged(
            r.data[:cut] + r.data, moved(r.events, 0, last=cut) + moved(r.events, cut),
            recovered=len(r.events))
        yield "the whole before the end from byte %d" % cut, Damaged(
            r.data + r.data[cut:], r.events + moved(r.events, size - cut, first=cut),
            recovered=len(r.events))
        yield "the end from byte %d" % cut, Damaged(
            r.data[cut:], moved(r.events, -cut, first=cut), rule=Rule(nulls=True, times=True), lossy=True)


class Recording:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        self.chunks = chunks_of(self.data)
        golden = Printed(path)
        with open(path[:-4] + ".expected") as file:
            sums = [line.split("\t")[1] for line in file if line.startswith("json\t")]
        assert sums == [hashlib.sha256(golden.bytes).hexdigest()], "this is not the JDK's JSON"
        events = Printed(path, "--sort", "file").events
        places = [place for c in self.chunks for place in c.events]
        assert len(places) == len(events), "%s: %d places, %d events" % (path, len(places), len(events))
        self.events = [(at, length, e) for (at, length), e in zip(places, events)]

KINDS = (cut_off, zeros, noise, text, headers, chains, types, garbage, glued)


def main():
    tests = failed = 0
    with tempfile.TemporaryDirectory() as work:
        for path in sys.argv[2:]:
            recording = Recording(path)
            for kind in KINDS:
                wrong = []
                for name, copy in kind(recording):
                    found = check(copy, os.path.join(work, "damaged.jfr"))
                    if found:
                        wrong.append("%s: %s" % (name, found))
                tests += 1
                failed += bool(wrong)
                print("%sok %d - %s: %s" % ("not " if wrong else "", tests, kind.__name__,
                                            os.path.basename(path)))
                for sentence in wrong[:5]:
                    print("# " + sentence[:600].replace("\n", "\n# "))
    print("1..%d" % tests)
    sys.exit(failed > 0)


main()
