#!/usr/bin/env python3
"""A report of many samples stays small, and its times say what its trees say, up to a unit.

usage: report_day.py JFREC STACKS

STACKS is what meson builds of tests/bench/stacks.c.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from page_times import add, block, read_times, read_trees  # noqa: E402
from tap import finish, result  # noqa: E402

MOST_BYTES = 3_000_000
PERIOD_NS = 20_000_000  # each sample weighs it


def report(jfrec, directory, *stacks):
    """The page of a recording that STACKS makes."""
    recording, page = os.path.join(directory, "a.jfr"), os.path.join(directory, "a.html")
    subprocess.run([sys.argv[2], recording, *stacks], check=True)
    subprocess.run([jfrec, "report", "--force", recording, "-o", page], check=True)
    with open(page, encoding="utf-8") as f:
        return f.read()


def check(name, page, is_exact):
    times = block(page, "times")
    count = times.number()
    times.number()
    times.number()
    times.number()
    (_, _, weights), = read_trees(block(page, "data"))
    unit, spans = read_times(times, count)
    nodes = [n for n, weight in enumerate(weights) if weight]
    sums = add([[(nodes[n], w) for n, w in entries] for entries in spans])
    entries = sum(len(s) for s in spans)
    print(f"# {len(page)} bytes, {entries} entries of {len(weights)} nodes in {count} spans, in units of {unit}")
    result(0 < count <= 1500, f"{name}: at most 1,500 spans", count)
    result(len(page) < MOST_BYTES, f"{name}: the page is small", len(page))
    if is_exact is not None:
        result((unit == PERIOD_NS) == is_exact,
               f"{name}: {'nothing is rounded' if is_exact else 'light stacks are seen in fewer spans'}", unit)
    worst = max(abs(sums.get(n, 0) - w) for n, w in enumerate(weights))
    result(worst < unit, f"{name}: no node is off by a unit", f"{worst} of {unit}")
    whole = sum(weights)
    off = abs(sum(sums.values()) - whole)
    result(off <= whole / 1000, f"{name}: what some lose, others gain", f"{off} of {whole}")


def main():
    with tempfile.TemporaryDirectory() as directory:
        check("few samples", report(sys.argv[1], directory, "0.02", "2", "50", "10", "1"), True)
        # More entries than there is room for.
        check("many samples", report(sys.argv[1], directory, "1.5", "5", "20000", "6", "1"), False)
        # In one chunk more nodes than a tree may have.
        check("many stacks", report(sys.argv[1], directory, "0.16", "5", "20000", "30", "1"), None)
    finish()


main()
