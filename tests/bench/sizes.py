# SPDX-License-Identifier: MIT
"""Whether time is linear in the length of a recording, and memory in what it has distinct.

usage: sizes.py JFREC SOURCE_ROOT [-r RECORDING] [-m MB] [-n CHUNKS] [-w SERIES] [-c COMMANDS]

Recordings are written at a quarter, a half and the whole of a size, their chunks one after another
in time, and each command reads each of them. The series:

    long    the chunks of RECORDING repeated until there are MB (default 200)
    many    CHUNKS (default 2000) small chunks that all have the same names
    names   CHUNKS / 20 chunks, each with 1,000 threads, classes, methods and texts of its own
    files   a directory of CHUNKS files with one small chunk each, 64 descriptors allowed

A line of the table: user and system time in seconds and peak memory in MB at each size (no less
than what Python itself has, 10 MB). Memory is then put as a + b * length, from the half to the
whole: of `long` per GB, of the others per 1,000 chunks. Time that grows from the half to the whole
by more than 2.4 is marked.
"""

import argparse
import os
import resource
import shutil
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from plant import Recording, Types

MARK = "@@@@@"  # the number of the chunk, in names
NAMES = 1000
DESCRIPTORS = 64

COMMANDS = {
    "summary": ["summary"],
    "text": ["print"],
    "ndjson": ["print", "--ndjson"],
    "json": ["print", "--json"],
    "view": ["view", "all-views"],
    "analyze": ["analyze"],
    "flame": ["flame", "--force", "-o", "{out}.html"],
    "report": ["report", "--force", "-o", "{out}.html"],
    "export": ["export", "--force", "-o", "{out}.d"],
}


def chunks_of(path):
    with open(path, "rb") as f:
        data = f.read()
    at = 0
    while at < len(data):
        size = struct.unpack(">Q", data[at + 8 : at + 16])[0]
        yield data[at : at + size]
        at += size


def planted(types, count, mark):
    """A chunk of a second with `count` threads, classes and texts."""
    r = Recording(types)
    for i in range(count):
        at, thread = i / count, f"worker-{mark}-{i}"
        r.add("jdk.ObjectAllocationSample", at=at, eventThread=thread, objectClass=f"app.Thing_{mark}_{i}",
              weight=1000, stackTrace=[f"app.Shop_{mark}_{i}.order", "app.Main.main"])
        r.add("jdk.FileRead", at=at, duration=0.001, eventThread=thread, path=f"/data/{mark}/{i}", bytesRead=10)
    return r.bytes()


def later(chunk, shift_ns):
    """The same chunk, begun later: its ticks count from its own start."""
    start = struct.unpack(">Q", chunk[32:40])[0]
    return chunk[:32] + struct.pack(">Q", start + shift_ns) + chunk[40:]


class Series:
    """Chunks that follow each other, as often as is asked for."""

    def __init__(self, chunks):
        self.chunks = list(chunks)
        first = struct.unpack(">Q", self.chunks[0][32:40])[0]
        last = struct.unpack(">QQ", self.chunks[-1][32:48])
        self.round_ns = max(last[0] + last[1] - first, 1_000_000_000)

    def chunk(self, i):
        chunk = self.chunks[i % len(self.chunks)].replace(MARK.encode(), b"%05d" % i)
        return later(chunk, i // len(self.chunks) * self.round_ns)

    def count_for(self, size):
        return max(1, round(size / sum(map(len, self.chunks)) * len(self.chunks)))

    def write(self, path, count):
        with open(path, "wb") as f:
            for i in range(count):
                f.write(self.chunk(i))

    def write_files(self, path, count):
        os.mkdir(path)
        for i in range(count):
            with open(f"{path}/{i:05d}.jfr", "wb") as f:
                f.write(self.chunk(i))


def apart(do):
    """In a process of its own: what a child began with counts as its peak, so this one stays small."""
    pid = os.fork()
    if pid == 0:
        do()
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    if status:
        raise SystemExit("the recording could not be written")


def run(args, descriptors):
    """(CPU in s, peak in MB, exit code)"""
    pid = os.fork()
    if pid == 0:
        if descriptors:
            resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
        null = os.open("/dev/null", os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execv(args[0], args)
    _, status, used = os.wait4(pid, 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)


def chunks(options, base, name):
    """The series of that name."""
    if name == "long":
        return Series(chunks_of(options.recording or base))
    return Series([planted(Types(base), NAMES, MARK) if name == "names" else planted(Types(base), 10, "same")])


def write(options, base, name, part, path):
    """A part of the series: 4 means a quarter."""
    series = chunks(options, base, name)
    count = options.chunks // (20 if name == "names" else 1)
    if name == "long":
        count = series.count_for(options.mb << 20)
    (series.write_files if name == "files" else series.write)(path, max(1, count // part))


def measure(options, work, base, name):
    results = {}
    whole_length = options.mb / 1024 if name == "long" else options.chunks / (20000 if name == "names" else 1000)
    lengths = []
    for part in (4, 2, 1):
        path = f"{work}/{name}"
        apart(lambda: write(options, base, name, part, path))
        lengths.append(whole_length / part)
        for command in options.commands:
            out = f"{work}/out"
            args = [a.replace("{out}", out) for a in COMMANDS[command]]
            descriptors = DESCRIPTORS if name == "files" else None
            results.setdefault(command, []).append(run([options.jfrec, *args, path], descriptors))
            remove(f"{out}.html")
            remove(f"{out}.d")
        remove(path)
    for command, sizes in results.items():
        _, (half, low, _), (whole, high, _) = sizes
        b = (high - low) / (lengths[2] - lengths[1])
        cells = "  ".join(f"{cpu:7.2f} s {mb:6.0f} MB" for cpu, mb, _ in sizes)
        codes = {code for _, _, code in sizes} - {0}
        print(f"{name:6} {command:8} {cells}  {low - b * lengths[1]:6.0f} + {b:.1f} * length",
              "  NOT LINEAR" if whole > 2.4 * half and whole > 0.2 else "",
              f"  exit {codes}" if codes else "", sep="", flush=True)


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("jfrec")
    p.add_argument("root")
    p.add_argument("-r", "--recording")
    p.add_argument("-m", "--mb", type=int, default=200)
    p.add_argument("-n", "--chunks", type=int, default=2000)
    p.add_argument("-w", "--which", default="long,many,names,files")
    p.add_argument("-c", "--commands", default=",".join(COMMANDS))
    options = p.parse_args()
    options.jfrec = os.path.abspath(options.jfrec)
    options.commands = options.commands.split(",")
    base = f"{options.root}/tests/data/ok/jvm-25.jfr"
    with tempfile.TemporaryDirectory(prefix="jfrec-sizes-") as work:
        for name in options.which.split(","):
            measure(options, work, base, name)


if __name__ == "__main__":
    main()
