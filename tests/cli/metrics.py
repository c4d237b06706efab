#!/usr/bin/env python3
"""Are the metrics of a recording OpenMetrics, and what its events say?

usage: metrics.py JFREC RECORDING...

Compares what `stream --metrics` prints with what `print --ndjson` does, and reads it with
the parser of prometheus_client where that is to be had.
"""

import json
import math
import re
import subprocess
import sys

SAMPLE = re.compile(r'([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (-?[0-9]+(?:\.[0-9]+)?)')
LABEL = re.compile(r'([a-z]+)="((?:[^"\\\n]|\\[\\"n])*)"')
ENDINGS = {"gauge": ("",), "counter": ("_total",), "summary": ("", "_count", "_sum")}


def fail(why):
    print(why)
    sys.exit(1)


def read(text):
    """{(name, labels): value}, after a look at each line as the specification has it."""
    lines = text.split("\n")
    if lines[-2:] != ["# EOF", ""]:
        fail("the end is not # EOF")
    samples, seen, family, kind = {}, set(), None, None
    for line in lines[:-2]:
        if line.startswith("# TYPE "):
            family, kind = line.split(" ")[2:]
            if family in seen:
                fail(f"{family} comes twice")
            seen.add(family)
        elif line.startswith("# UNIT "):
            if line.split(" ")[2] != family or not family.endswith("_" + line.split(" ")[3]):
                fail(f"unit: {line}")
        elif line.startswith("# HELP "):
            if line.split(" ")[2] != family:
                fail(f"help: {line}")
        else:
            m = SAMPLE.fullmatch(line)
            if not m or m[1] not in [family + e for e in ENDINGS[kind]]:
                fail(f"not a sample of {family}: {line}")
            labels = tuple(pair for pair in LABEL.findall(m[2] or "") if pair[0] != "source")
            if (m[1], labels) in samples:
                fail(f"comes twice: {line}")
            samples[m[1], labels] = float(m[3])
    return samples


def by_library(text):
    try:
        from prometheus_client.openmetrics.parser import text_string_to_metric_families
    except ImportError:
        return
    if not list(text_string_to_metric_families(text)) and len(text) > len("# EOF\n"):
        fail("the library finds nothing")


def seconds(span):
    """Of nanoseconds, as durations are in NDJSON."""
    return span / 1e9


def near(a, b):
    return math.isclose(a, b, rel_tol=1e-6, abs_tol=2e-9)


def want(samples, name, labels, value, what):
    got = samples.get((name, labels))
    if got is None or not near(got, value):
        fail(f"{what}: {name}{labels} is {got}, not {value}")


def compare(jfrec, path):
    text = subprocess.run([jfrec, "stream", "--metrics", "--from", "start", path],
                          capture_output=True, text=True).stdout
    printed = subprocess.run([jfrec, "print", "--ndjson", "--sort", "file", path], capture_output=True, text=True).stdout
    samples = read(text)
    by_library(text)
    counts, pauses, last, waited = {}, [], {}, {}
    for line in printed.split("\n")[:-1]:
        event = json.loads(line)
        name, values = event["type"], event["values"]
        counts[name] = counts.get(name, 0) + 1
        if name == "jdk.GCPhasePause":
            pauses.append(seconds(values["duration"]))
        elif name == "jdk.CPULoad":
            last["cpu"] = values
        elif name == "jdk.GCHeapSummary":
            last[values["when"]] = values
        elif name == "jdk.JavaThreadStatistics":
            last["threads"] = values
        elif name == "jdk.ThreadPark" and values["duration"] is not None:
            waited["park"] = waited.get("park", 0) + seconds(values["duration"])
    for name, count in counts.items():
        want(samples, "jfr_events_total", (("event", name),), count, "events")
    if sum(1 for name, _ in samples if name == "jfr_events_total") != len(counts):
        fail("there are events of other types")
    if pauses:
        pauses.sort()
        want(samples, "jvm_gc_pause_seconds_count", (), len(pauses), "pauses")
        want(samples, "jvm_gc_pause_seconds_sum", (), sum(pauses), "pauses")
        for share, label in ((0.5, "0.5"), (0.9, "0.9"), (0.99, "0.99"), (1, "1.0")):
            want(samples, "jvm_gc_pause_seconds", (("quantile", label),),
                 pauses[math.ceil(share * len(pauses)) - 1], "quantile")
    if "cpu" in last and last["cpu"]["machineTotal"] is not None:
        want(samples, "machine_cpu_load_ratio", (), last["cpu"]["machineTotal"], "processors")
        want(samples, "jvm_cpu_load_ratio", (("mode", "user"),), last["cpu"]["jvmUser"], "processors")
    if "threads" in last:
        want(samples, "jvm_threads", (("kind", "active"),), last["threads"]["activeCount"], "threads")
    for when in ("Before GC", "After GC"):
        if when in last:
            want(samples, "jvm_heap_used_bytes", (("when", when),), last[when]["heapUsed"], "heap")
    for reason, value in waited.items():
        want(samples, "jvm_waited_seconds_total", (("reason", reason),), value, "waiting")
    return len(counts)


if __name__ == "__main__":
    types = sum(compare(sys.argv[1], path) for path in sys.argv[2:])
    if not types:
        fail("there are no events at all")
