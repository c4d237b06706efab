"""Recordings whose answers are known, since they were planted: events of one's choice, with the
types of the JVM that wrote a given recording.

    types = Types("tests/data/ok/jvm-25.jfr")
    r = Recording(types)
    r.add("jdk.JavaMonitorEnter", at=2.5, duration=0.25, eventThread="main", monitorClass="app.Lock")
    open("locks.jfr", "wb").write(r.bytes())

`at` and lengths of time are in seconds.  A thread, a class, a class loader or a text of the JVM is
given by its name, a stack trace by its methods, from the top: "app.Orders.load"; one that was cut
ends with "...".  What is not given is 0 or missing.

Types of other producers are declared first, by the names and classes of their fields:

    types.declare("datadog.ExecutionSample", eventThread="java.lang.Thread", weight="long")

A recording of several chunks is the bytes of several of these.  A later chunk begins `start` seconds
after the first; the wall clock of its machine may have been set by `clock` seconds in between.
"""

import struct

TICKS = 1_000_000_000  # in a second
START = 1_700_000_100  # the recording begins, in s since 1970: whole five minutes
ZERO = 5_000_000_000  # the same, in ticks

# Lengths of time as the JVM writes them, per second.
UNITS = {"TICKS": TICKS, "NANOSECONDS": 10**9, "MICROSECONDS": 10**6, "MILLISECONDS": 1000, "SECONDS": 1}


def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    for _ in range(8):
        if n < 0x80:
            out.append(n)
            return bytes(out)
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def text(s):
    if s is None:
        return b"\0"
    s = s.encode()
    return b"\1" if not s else b"\3" + varint(len(s)) + s


def with_size(body):
    return varint(len(body) + 4 | 1 << 27)[:3] + bytes([(len(body) + 4) >> 21]) + body


class Reader:
    def __init__(self, data, at):
        self.data, self.at = data, at

    def varint(self):
        value = 0
        for i in range(9):
            byte = self.data[self.at]
            self.at += 1
            if i == 8:
                return value | byte << 56
            value |= (byte & 0x7F) << 7 * i
            if byte < 0x80:
                return value
        return value

    def string(self):
        kind = self.data[self.at]
        self.at += 1
        if kind < 2:
            return "" if kind else None
        n = self.varint()
        if kind == 4:
            return "".join(chr(self.varint()) for _ in range(n))
        self.at += n
        return self.data[self.at - n : self.at].decode("utf-8" if kind == 3 else "latin-1")

    def element(self, strings):
        name = strings[self.varint()]
        attributes = {}
        for _ in range(self.varint()):
            key = strings[self.varint()]
            attributes[key] = strings[self.varint()]
        return name, attributes, [self.element(strings) for _ in range(self.varint())]


class Types:
    """The metadata event of a recording's first chunk: its bytes, and what they say."""

    def __init__(self, path):
        with open(path, "rb") as f:
            data = f.read()
        self.by_id, self.by_name = {}, {}
        at = struct.unpack_from(">Q", data, 24)[0]
        r = Reader(data, at)
        size = r.varint()
        for _ in range(4):
            r.varint()
        self.event = data[at : at + size]
        self.next_id = None  # of the next type that is declared; None: one that is free
        strings = [r.string() for _ in range(r.varint())]
        self.root = r.element(strings)
        for _, attributes, parts in self.root[2][0][2]:
            self.know(attributes, parts)

    def know(self, attributes, parts):
        fields = [(a, annotations) for kind, a, annotations in parts if kind == "field"]
        c = {"id": int(attributes["id"]), "name": attributes["name"], "fields": fields}
        self.by_id[c["id"]] = self.by_name[c["name"]] = c

    def annotation(self, name, value):
        return "annotation", {"class": str(self.by_name[name]["id"]), "value": value}, []

    def declare(self, name, /, **fields):
        """An event type, of which each field has a class; startTime comes by itself."""
        ticks = [self.annotation("jdk.jfr.Timestamp", "TICKS")]
        parts = [("field", {"name": "startTime", "class": str(self.by_name["long"]["id"])}, ticks)]
        for field, kind in fields.items():
            attributes = {"name": field, "class": str(self.by_name[kind]["id"])}
            is_time = field == "duration"
            if kind not in ("long", "int", "float", "double", "boolean", "java.lang.String"):
                attributes["constantPool"] = "true"
            parts.append(("field", attributes, [self.annotation("jdk.jfr.Timespan", "TICKS")] if is_time else []))
        number = self.next_id or max(self.by_id) + 1
        self.next_id = None
        attributes = {"id": str(number), "name": name, "superType": "jdk.jfr.Event"}
        self.root[2][0][2].append(("class", attributes, parts))
        self.know(attributes, parts)
        self.encode()

    def undeclare(self, *names):
        """As the metadata of a producer that has no such types."""
        self.root[2][0][2][:] = [c for c in self.root[2][0][2] if c[1]["name"] not in names]
        for name in names:
            del self.by_name[name]
        self.encode()

    def name_as_jdk9(self):
        """All of the JDK's events as JDK 9 and 10 call them, "com.oracle.jdk.X"."""
        for _, attributes, _ in self.root[2][0][2]:
            name = attributes["name"]
            if name.startswith("jdk.") and attributes.get("superType") == "jdk.jfr.Event":
                attributes["name"] = "com.oracle." + name
                c = self.by_name.pop(name)
                c["name"] = attributes["name"]
                self.by_name[c["name"]] = c
        self.encode()

    def encode(self):
        strings = {}

        def number(s):
            return varint(strings.setdefault(s, len(strings)))

        def element(e):
            name, attributes, children = e
            out = number(name) + varint(len(attributes))
            out += b"".join(number(key) + number(value) for key, value in attributes.items())
            return out + varint(len(children)) + b"".join(map(element, children))

        tree = element(self.root)
        table = varint(len(strings)) + b"".join(map(text, strings))
        self.event = with_size(varint(0) + varint(ZERO) + varint(0) + varint(0) + table + tree)

    def unit(self, annotations):
        """How many of the field's units are a second; None where it is no time."""
        for _, attributes, _ in annotations:
            name = self.by_id[int(attributes["class"])]["name"]
            if name in ("jdk.jfr.Timespan", "jdk.jfr.Timestamp"):
                return UNITS.get(attributes.get("value", "NANOSECONDS"))
        return None


class Event(bytes):
    """An event as it lies in the file, of which is known what it is, and from when to when it was."""

    name: str
    at: float
    duration: float


class Recording:
    def __init__(self, types, start=0, clock=0):
        self.types, self.start, self.clock = types, start, clock
        self.pools = {}  # the name of a type -> content -> (key, bytes)
        self.events = []
        self.end = start + 1.0
        self.is_finished = True  # else its JVM still writes it, or was killed

    def constant(self, kind, content):
        """The key of a constant, which is stored once."""
        pool = self.pools.setdefault(kind, {})
        if content not in pool:
            pool[content] = None
            key = len(pool)
            is_text = kind == "java.lang.String"
            pool[content] = key, text(content) if is_text else self.struct(self.types.by_name[kind], self.meaning(kind, content))
        return pool[content][0]

    def meaning(self, kind, content):
        """A constant's fields."""
        if kind == "java.lang.Thread":
            # The id is of the name, so that equal names are one thread.
            number = 100 + len(self.pools[kind])
            return {"osName": content, "javaName": content, "osThreadId": number, "javaThreadId": number}
        if kind == "java.lang.Class":
            # Its loader may be named before the class: "app>app.Orders"
            loader, _, name = content.rpartition(">")
            return {"name": name.replace(".", "/"), "classLoader": loader or "bootstrap"}
        if kind == "jdk.types.ClassLoader":
            return {"name": content, "type": None if content == "bootstrap" else "app.Loader_" + content}
        if kind == "jdk.types.Method":
            owner, _, name = content.rpartition(".")
            return {"type": owner, "name": name, "descriptor": "()V"}
        if kind == "jdk.types.StackTrace":
            frames = [m for m in content if m != "..."]
            return {
                "truncated": len(frames) < len(content),
                "frames": [{"method": m, "lineNumber": 1, "type": "JIT compiled"} for m in frames],
            }
        # A type of one text: a symbol, the state of a thread, the cause of a collection.
        return {self.types.by_name[kind]["fields"][0][0]["name"]: content}

    def value(self, field, annotations, given):
        kind = self.types.by_id[int(field["class"])]["name"]
        if field.get("constantPool"):
            if given is None:
                return varint(0)
            return varint(self.constant(kind, tuple(given) if isinstance(given, list) else given))
        unit = self.types.unit(annotations)
        if kind == "java.lang.String":
            return text(given)
        if kind in ("float", "double"):
            return struct.pack(">f" if kind == "float" else ">d", given or 0)
        if kind in ("boolean", "byte"):
            return bytes([int(given or 0) & 0xFF])
        if kind in ("char", "short", "int", "long"):
            return varint(round((given or 0) * unit) if unit else int(given or 0))
        return self.struct(self.types.by_id[int(field["class"])], given or {})

    def struct(self, kind, given):
        out = b""
        for field, annotations in kind["fields"]:
            v = given.get(field["name"])
            if field.get("dimension"):
                v = v or []
                out += varint(len(v)) + b"".join(self.value(field, annotations, item) for item in v)
            else:
                out += self.value(field, annotations, v)
        return out

    def add(self, name, /, at, **given):
        kind = self.types.by_name[name]
        unknown = set(given) - {field["name"] for field, _ in kind["fields"]}
        if unknown:
            raise KeyError(f"{name} has no {unknown}")
        # The start is in ticks, counted from where the machine's clock began.
        given["startTime"] = at + ZERO / TICKS
        event = Event(with_size(varint(kind["id"]) + self.struct(kind, given)))
        event.name, event.at, event.duration = name, at, given.get("duration") or 0
        self.events.append(event)
        self.end = max(self.end, at + event.duration)

    def checkpoint(self):
        pools = b""
        for kind, pool in self.pools.items():
            entries = b"".join(varint(key) + value for key, value in pool.values())
            pools += varint(self.types.by_name[kind]["id"]) + varint(len(pool)) + entries
        return with_size(varint(1) + varint(ZERO) + varint(0) + varint(0) + b"\0" + varint(len(self.pools)) + pools)

    def bytes(self):
        events = b"".join(self.events)
        checkpoint = self.checkpoint()
        metadata = self.types.event
        at = 68 + len(events)
        header = b"FLR\0" + struct.pack(
            ">HHQQQQQQQI", 2, 1, at + len(checkpoint) + len(metadata), at, at + len(checkpoint),
            (START + self.start + self.clock) * 10**9, round((self.end - self.start) * 10**9),
            ZERO + self.start * TICKS, TICKS, 3 if self.is_finished else 1 << 24 | 1)
        return header + events + checkpoint + metadata
