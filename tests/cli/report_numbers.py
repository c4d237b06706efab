"""Numbers of `jfrec report --json` are those of view, query, summary, flame and analyze.

usage: report_numbers.py JFREC SOURCE_ROOT

Prints TAP.
"""

import glob
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import finish, result  # noqa: E402

jfrec, root = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])

def run(*arguments):
    done = subprocess.run([jfrec, *arguments], capture_output=True, text=True)
    return json.loads(done.stdout) if done.stdout else None


def close(a, b):
    if isinstance(a, float) or isinstance(b, float):
        return a is not None and b is not None and abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1)
    return a == b


def first(value):
    """Of a stack trace, its first frame."""
    return value[0] if isinstance(value, list) and value else value


def rows_differ(name, ours, theirs):
    for i, row in enumerate(ours):
        if i >= len(theirs) or not all(map(close, row, map(first, theirs[i]))):
            return "%s row %d: %s, view: %s" % (name, i, row, theirs[i] if i < len(theirs) else None)
    return None


def compare_tables(report, path):
    wrong, seen = [], 0
    for table in report["tables"]:
        # Those with a query, an order or a number of rows of their own.
        if "rows" not in table or table["name"] in ("gc", "gc-by-cause", "jvm-flags-set", "safepoints", "gc-pause-phases"):
            continue
        views = run("view", table["name"], "--json", path)["views"]
        seen += 1
        why = rows_differ(table["name"], table["rows"], views[0]["rows"])
        if why:
            wrong.append(why)
    return wrong, seen


def ask(path, query):
    """The rows of a query; [] where the recording does not have what it asks for."""
    answer = run("query", "--json", query, path)
    return answer["views"][0]["rows"] if answer and answer["views"] else []


def one(path, query):
    """The values of its only row; Nones."""
    rows = ask(path, query)
    return rows[0] if rows else [None] * 4


# Queries of tables that no view has.
BY_CAUSE = ("SELECT cause AS C, COUNT(*), SUM(sumOfPauses) AS S, P99(longestPause), MAX(longestPause) "
            "FROM GarbageCollection GROUP BY C ORDER BY S DESC")
FLAGS = ("SELECT name AS N, LAST(value), LAST(origin) AS O FROM IntFlag, UnsignedIntFlag, BooleanFlag, "
         "LongFlag, UnsignedLongFlag, DoubleFlag, StringFlag GROUP BY name HAVING O != 'Default' "
         "ORDER BY name ASC")


def compare_other_tables(report, path):
    """Those with an order or a number of rows of their own: their rows are the view's, or a query's."""
    wrong, seen = [], 0
    for table in report["tables"]:
        name = table["name"]
        if "rows" not in table or name not in ("gc", "safepoints", "gc-pause-phases", "gc-by-cause",
                                               "jvm-flags-set"):
            continue
        seen += 1
        if name in ("gc-by-cause", "jvm-flags-set"):
            why = rows_differ(name, table["rows"], ask(path, BY_CAUSE if name == "gc-by-cause" else FLAGS))
            wrong += [why] if why else []
            continue
        theirs = [[first(v) for v in row] for row in run("view", name, "--json", path)["views"][0]["rows"]]
        for row in table["rows"]:
            if not any(all(map(close, row, other)) for other in theirs):
                wrong.append("%s: the view does not have %s" % (name, row))
    return wrong, seen


def compare_figures(report, path):
    """What is shown first, of what queries say."""
    jvm = report["jvms"][0]
    seconds = (jvm["endNanos"] - jvm["startNanos"]) / 1e9
    longest = one(path, "SELECT MAX(longestPause) FROM GarbageCollection")[0]
    # What began before the recording counts from its start on.
    pauses = sum(min(start + length, jvm["endNanos"]) - max(start, jvm["startNanos"])
                 for start, length in ask(path, "SELECT startTime, duration FROM GCPhasePause") or ()
                 if start + length > jvm["startNanos"])
    heap = one(path, "SELECT MAX(heapUsed) FROM GCHeapSummary WHERE when = 'After GC'")[0]
    threads, most = one(path, "SELECT AVG(activeCount), MAX(activeCount) FROM JavaThreadStatistics")[:2]
    lowest, highest = one(path, "SELECT MIN(throwables), MAX(throwables) FROM ExceptionStatistics")[:2]
    machine, machine_most = one(path, "SELECT AVG(machineTotal), MAX(machineTotal) FROM CPULoad")[:2]
    loads = ask(path, "SELECT jvmUser, jvmSystem FROM CPULoad")
    jvm_loads = [a + b for a, b in loads]
    wanted = {
        "gc-longest-pause": (longest, None), "gc-share": (pauses and pauses / 1e9 / seconds, None),
        "heap-after-gc": (heap, jvm.get("maxHeap")), "threads": (threads, most),
        "exceptions": (highest and (highest - lowest) / seconds, None),
        "cpu-machine": (machine, machine_most),
        "cpu-jvm": (sum(jvm_loads) / len(loads) if loads else None, max(jvm_loads, default=None)),
    }
    wrong, seen = [], 0
    for f in jvm["figures"]:
        if f["id"] not in wanted:
            continue
        seen += 1
        for what, theirs in (("value", wanted[f["id"]][0]), ("peak", wanted[f["id"]][1])):
            if f.get(what) is None and (theirs is None or what == "peak"):
                continue
            # Loads are floats: the sum of a thousand has six digits.
            if theirs is None or abs(f[what] - theirs) > 1e-6 * max(abs(theirs), 1):
                wrong.append("%s, %s: %s, query: %s" % (f["id"], what, f[what], theirs))
    return wrong, seen


def compare_lines(report, path):
    """The greatest and the least of the timeline."""
    fields = {("heap", "used"): ("heapUsed", "GCHeapSummary"), ("threads", ""): ("activeCount", "JavaThreadStatistics"),
              ("cpu", "machine"): ("machineTotal", "CPULoad")}
    wrong = []
    for strip in report["jvms"][0]["timeline"]:
        for line in strip["lines"]:
            field, event = fields.get((strip["id"], line["name"]), (None, None))
            if not field:
                continue
            low, high, count = one(path, "SELECT MIN(%s), MAX(%s), COUNT(*) FROM %s" % (field, field, event))[:3]
            if (line["lowest"], line["highest"], line["events"]) != (low, high, count):
                wrong.append("%s: %s, query: %s" % (strip["id"], (line["lowest"], line["highest"]), (low, high)))
    return wrong


def compare_threads(report, path):
    """Who waited for locks, and for files and sockets, how long."""
    wrong = []
    for key, events in (("blockedNanos", ["JavaMonitorEnter"]),
                        ("ioNanos", ["SocketRead", "SocketWrite", "FileRead", "FileWrite"])):
        spent = {}
        for event in events:
            for name, ns in ask(path, "SELECT eventThread.javaName, SUM(duration) FROM %s "
                                      "GROUP BY eventThread" % event):
                spent[name] = spent.get(name, 0) + ns
        ours = {}
        for t in report["jvms"][0]["threads"]:
            ours[t["name"]] = ours.get(t["name"], 0) + t[key]
        for name, ns in ours.items():
            if abs(ns - spent.get(name, 0)) > 1:
                wrong.append("%s %s: %s, query: %s" % (name, key, ns, spent.get(name, 0)))
    return wrong


def compare_head(report, path):
    """When, how many, how much, of the summary."""
    s = run("summary", "--json", path)
    ours = (report["startNanos"], report["endNanos"] - report["startNanos"],
            sum(j["chunks"] for j in report["jvms"]), sum(j["events"] for j in report["jvms"]))
    theirs = (s["startNanos"], s["durationNanos"], len(s["chunks"]),
              sum(e["count"] for e in s["types"] if e["name"] not in ("jdk.Metadata", "jdk.Checkpoint", "jdk.CheckPoint")))
    return [] if ours == theirs else ["%s, summary: %s" % (ours, theirs)]


def compare_profiles(report, path):
    wrong = []
    flame = run("flame", path, "--format", "json", "-o", "-")
    theirs = {p["name"]: p for p in flame["profiles"]} if flame else {}
    for p in report["profiles"]:
        other = theirs.get(p["name"])
        if not other or (p["samples"], p["value"]) != (other["samples"], other["weight"]):
            wrong.append("%s: %s" % (p["name"], p["samples"]))
    return wrong


def compare_findings(report, path):
    wrong = []
    judged = run("analyze", "--json", "--all", path)["jvms"]
    if len(judged) != len(report["jvms"]):
        return ["%d JVMs, analyze: %d" % (len(report["jvms"]), len(judged))]
    for ours, theirs in zip(report["jvms"], judged):
        pairs = [[(f["rule"], f["severity"], f.get("summary")) for f in j["findings"]] for j in (ours, theirs)]
        if pairs[0] != pairs[1]:
            wrong += ["%s, analyze: %s" % (a, b) for a, b in zip(*pairs) if a != b][:3] or ["other findings"]
        if (ours["events"], ours["chunks"]) != (theirs["recording"]["events"], theirs["recording"]["chunks"]):
            wrong.append("events, chunks: %s" % ours["events"])
    return wrong


all_tables = all_figures = 0
for path in sorted(glob.glob(os.path.join(root, "tests/data/ok/*.jfr"))):
    name = os.path.basename(path)
    report = run("report", "--json", "--no-scrub", "--environment", path)
    wrong, seen = compare_tables(report, path)
    all_tables += seen
    result(not wrong, name + ": tables are those of view", *wrong)
    wrong, seen = compare_other_tables(report, path)
    result(not wrong, name + ": tables in another order have the rows of view and query", *wrong)
    if len(report["jvms"]) == 1:
        wrong, figures = compare_figures(report, path)
        all_figures += figures
        wrong += compare_lines(report, path) + compare_threads(report, path) + compare_head(report, path)
        result(not wrong, name + ": figures, timeline, threads and head are those of query and summary", *wrong)
    wrong = compare_profiles(report, path)
    result(not wrong, name + ": profiles are those of flame", *wrong)
    wrong = compare_findings(report, path)
    result(not wrong, name + ": findings are those of analyze", *wrong)
result(all_tables > 50, "many tables were compared", all_tables)
result(all_figures >= 10, "many figures were compared", all_figures)
finish()
