#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""start.py - what a process costs that does nothing, or compiles nothing, and records

usage: start.py PRELOAD.so [PAIRS]

For each way to record: a process without and one with it in turn, PAIRS times (100); the medians of what
the one with it takes longer, in wall time and in CPU time of the process, and a quarter takes less.  gcc -c is
three processes, and the figures are those of one.
"""

import os
import shutil
import statistics
import sys
import tempfile
import time


def run(command, environment):
    """Wall time and CPU time in milliseconds, of the process and those that it waited for."""
    begin = time.perf_counter()
    pid = os.posix_spawn(command[0], command, environment)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - begin
    if status:
        sys.exit(f"{command[0]}: status {status}")
    return wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3


def compare(command, plain, with_it, pairs, clean):
    """The differences of pairs, of which either comes first in turn."""
    walls, cpus = [], []
    for i in range(pairs):
        both = {}
        for which in (plain, with_it) if i % 2 else (with_it, plain):
            both[which is with_it] = run(command, which)
        clean()
        walls.append(both[True][0] - both[False][0])
        cpus.append(both[True][1] - both[False][1])
    return walls, cpus


def quarter(column):
    return sorted(column)[len(column) // 4]


def ways(preload, folder):
    """The ways to record: what is put into the environment."""
    record = {"LD_PRELOAD": preload}
    file = f"filename={folder}/r.jfr,"
    return [
        ("nothing, twice", {}),
        ("preloaded, not recording", record),
        ("attach=only", {**record, "JFREC_RECORD": "attach=only"}),
        ("to a repository", {**record, "JFREC_RECORD": f"repository={folder}"}),
        ("the same, attach=false", {**record, "JFREC_RECORD": f"repository={folder},attach=false"}),
        ("to a file", {**record, "JFREC_RECORD": f"{file}repository={folder}"}),
        ("to a file, profile", {**record, "JFREC_RECORD": f"{file}repository={folder},settings=profile"}),
    ]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    preload = os.path.abspath(sys.argv[1])
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    folder = tempfile.mkdtemp(prefix="start-")
    source = os.path.join(folder, "empty.c")
    with open(source, "w", encoding="ascii"):
        pass

    def clean():
        for entry in os.scandir(folder):
            if entry.is_dir():
                shutil.rmtree(entry.path)

    commands = [("true", ["/bin/true"], 1)]
    compiler = shutil.which("gcc")
    if compiler:
        # gcc, cc1 and as.
        commands.append(("gcc -c", [compiler, "-c", source, "-o", os.path.join(folder, "empty.o")], 3))
    plain = {"PATH": os.environ["PATH"], "HOME": folder}
    print("| each process of | records | wall | a quarter | CPU | a quarter |")
    print("|---|---|--:|--:|--:|--:|")
    os.environ.pop("JFREC_RECORD", None)
    for name, command, processes in commands:
        for way, added in ways(preload, folder):
            walls, cpus = compare(command, dict(plain), {**plain, **added}, pairs, clean)
            figures = [f for column in (walls, cpus) for f in (statistics.median(column), quarter(column))]
            print(f"| {name} | {way} |" + "".join(f" {f / processes:.2f} ms |" for f in figures), flush=True)
    shutil.rmtree(folder)
    with open("/proc/loadavg", encoding="ascii") as f:
        print(f"\nload: {f.read().strip()}")


main()
